"""Compiled Gauss-Markov process whose value at any sample needs no earlier samples.

The process is an Ornstein-Uhlenbeck process: driven by white noise of density 1, decaying with a
correlation time, and 0 at sample 0. To compute sample k, the process is first drawn at samples 1,
2, 4, 8 and so on until a sample is at or beyond k. The interval that contains k is then bisected
repeatedly. Given the values at both ends of an interval, the value in the middle is normally
distributed with known mean and variance (see `_middle`). Each random number is drawn by its sample
number, so the path does not depend on which samples are requested.
"""

from __future__ import annotations

import math
from typing import Any

from ....plugins.compiled_code import inlined
from .random_numbers import normal

DRIFT = 2
"""The argument `purpose` of `normal` for the random numbers drawn in this file."""


@inlined
def drifting_bias(key: Any, index: int, timestep: float, correlation_s: float) -> Any:
    """Returns the process at sample `index`; samples are `timestep` apart.

    Draws about two random numbers per bit of the index.
    """
    left, right = 0, 1
    at_left, at_right = 0.0, _later(key, 0, 1, 0.0, timestep, correlation_s)
    while right < index:
        at_left, at_right = at_right, _later(key, right, 2 * right, at_right, timestep,
                                             correlation_s)  # fmt: skip
        left, right = right, 2 * right
    while left < index < right:
        middle = (left + right) // 2
        half_s = (right - left) // 2 * timestep
        between = _middle(key, middle, at_left, at_right, half_s, correlation_s)
        if middle <= index:
            left, at_left = middle, between
        else:
            right, at_right = middle, between
    return at_left if index <= left else at_right


@inlined
def _later(
    key: Any, now: int, then: int, value: float, timestep: float, correlation_s: float
) -> Any:
    """Draws the process at the sample `then`, given its value at the sample `now`."""
    spent = (then - now) * timestep / correlation_s
    variance = -0.5 * correlation_s * math.expm1(-2.0 * spent)
    return value * math.exp(-spent) + math.sqrt(variance) * normal(key, then, 0, DRIFT)


@inlined
def _middle(
    key: Any, index: int, left: float, right: float, half_s: float, correlation_s: float
) -> Any:
    """Draws the process midway between two samples with known values.

    With h the time to either sample and T the correlation time, the mean is the sum of both values
    over 2 cosh(h / T), and the variance is T / 2 tanh(h / T).
    """
    decay = math.exp(-half_s / correlation_s)
    mean = (left + right) * decay / (1.0 + decay * decay)
    variance = 0.5 * correlation_s * math.tanh(half_s / correlation_s)
    return mean + math.sqrt(variance) * normal(key, index, 0, DRIFT)
