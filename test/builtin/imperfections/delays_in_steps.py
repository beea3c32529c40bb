"""Distributions of delays, and bounds for delays that were observed in whole time steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np
from builtin.sensors.noise.chance import CHANCE, check_mean, deviations

MEASURED = tuple(round(0.004 + 0.003 * k, 3) for k in range(32))
_SCALE = 0.02
Below = Callable[[float], float]
"""The probability of a delay of at most so many seconds."""
DISTRIBUTIONS: dict[str, tuple[dict[str, Any], Below]] = {
    'normal': ({'normal': {'mean': 0.06, 'stddev': 0.02}}, NormalDist(0.06, 0.02).cdf),
    'uniform': ({'uniform': [0.01, 0.09]}, lambda x: min(max((x - 0.01) / 0.08, 0.0), 1.0)),
    'gamma': (
        {'gamma': {'shape': 2.0, 'scale': _SCALE}},
        lambda x: 1 - (1 + x / _SCALE) * math.exp(-x / _SCALE),
    ),
    'empirical': (
        {'empirical': list(MEASURED)},
        lambda x: float(np.mean(np.array(MEASURED) < x + 1e-9)),
    ),
}
"""Latencies of a timeline, and their distribution functions."""
_MOST_STEPS, _LAGS = 1000, 10


def check_delays(steps: Any, below: Below, step_s: float) -> None:
    """Checks the mean, the variance, the shape and the independence of delays in steps.

    A delay ends at the first step that is not earlier, so the probabilities of all numbers of
    steps are known.
    """
    known = np.array([below(k * step_s) for k in range(_MOST_STEPS)])
    numbers, shares = np.arange(_MOST_STEPS), np.diff(known, prepend=0.0)
    mean = float(shares @ numbers)
    variance, fourth = (float(shares @ (numbers - mean) ** power) for power in (2, 4))
    count = len(steps)
    check_mean(steps, mean, math.sqrt(variance))
    spread = deviations() * math.sqrt((fourth - variance**2) / count)
    assert abs(np.mean((steps - mean) ** 2) - variance) < spread
    for lag in range(1, _LAGS + 1):
        check_mean((steps[lag:] - mean) * (steps[:-lag] - mean), 0.0, variance)
    found = np.searchsorted(np.sort(steps), numbers, side='right') / count
    assert np.max(np.abs(found - known)) < math.sqrt(math.log(2 / CHANCE) / 2 / count)
