"""Fits distributions to measured delays, and chooses between them.

A measured delay is the sum of a draw from the distribution and a normal error with known
deviation. A constant delay is chosen if the deviation of the delays is below the resolution of the
measurement. Otherwise, the distribution with the smallest BIC is chosen, from G. Schwarz,
"Estimating the dimension of a model" (1978): `k * ln(n) - 2 * ln(L)`, with n delays, k parameters
and the largest likelihood L. If a Kolmogorov-Smirnov test rejects this distribution at a level of
about 0.01, the measured delays themselves are used.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .minimum import minimum
from .onsets import Delays
from .series import Array

DISTRIBUTIONS = 'auto', 'constant', 'normal', 'uniform', 'gamma', 'empirical'
"""The known distributions."""
_SIMPLE, _MANY = ('constant', 'normal'), 30
"""The distributions that `auto` considers for fewer than this number of delays."""
_REJECTED = 1.63
"""The critical value of the Kolmogorov-Smirnov test: distance times the square root of n."""
_MOST_SAMPLES = 200
"""The most measured delays of an empirical distribution; more are represented by quantiles."""
_DIGITS = 6
"""Decimals of the results, in s."""
_NODES, _WEIGHTS = np.polynomial.hermite.hermgauss(24)
_erf = np.vectorize(math.erf, otypes=[float])


@dataclass(frozen=True, kw_only=True, slots=True)
class Fit:
    """A distribution of delays."""

    name: str
    latency: Any
    """The value of `latency` in an entry of the timeline."""
    criterion: float
    """The value of BIC; infinite for measured delays."""
    rejected: bool = False
    """Whether the test rejects the distribution."""


def fitted(delays: Delays, name: str) -> Fit:
    """Returns the fit of a distribution, or the best fit if the name is `auto`."""
    if name == 'empirical':
        return _empirical(delays)
    if name != 'auto':
        return _FITS[name](delays.values, delays.noise)
    variance = float(np.var(delays.values)) - delays.noise**2
    if variance < delays.least**2:
        return _constant(delays.values, delays.noise)
    names = tuple(_FITS) if len(delays.values) >= _MANY else _SIMPLE
    fits = [_FITS[each](delays.values, delays.noise) for each in names]
    best = min(fits, key=lambda fit: fit.criterion)
    return _empirical(delays) if best.rejected else best


def _constant(values: Array, noise: float) -> Fit:
    mean = float(np.mean(values))
    return _fit('constant', _round(max(mean, 0.0)), values, [_normal_density, (mean, noise)], 1)


def _normal(values: Array, noise: float) -> Fit:
    mean, deviation = float(np.mean(values)), float(np.std(values))
    own = math.sqrt(max(deviation**2 - noise**2, 0.0))
    latency = {'normal': {'mean': _round(max(mean, 0.0)), 'stddev': _round(own)}}
    return _fit('normal', latency, values, [_normal_density, (mean, max(deviation, noise))], 2)


def _uniform(values: Array, noise: float) -> Fit:
    def density(x: Array, middle: float, log_width: float) -> Array:
        half = math.exp(log_width) / 2.0
        return _uniform_density(x, middle, half, noise)

    middle = (np.min(values) + np.max(values)) / 2.0
    found = _best(density, values, [middle, math.log(max(np.ptp(values), noise))])
    half = math.exp(found[1]) / 2.0
    low, high = max(found[0] - half, 0.0), max(found[0] + half, 0.0)
    return _fit('uniform', {'uniform': [_round(low), _round(high)]}, values, [density, found], 2)


def _gamma(values: Array, noise: float) -> Fit:
    """Returns the better of the gamma distributions with and without an offset."""

    def density(x: Array, log_shape: float, log_scale: float, offset: float = 0.0) -> Array:
        if offset < 0.0 or max(abs(log_shape), abs(log_scale)) > 20.0:
            return np.zeros(len(x))
        return _gamma_density(x - offset, math.exp(log_shape), math.exp(log_scale), noise)

    variance = max(float(np.var(values)) - noise**2, 0.1 * noise**2, 1e-14)
    fits = []
    for offset in (0.0, max(float(np.min(values)) - 0.3 * math.sqrt(variance), 0.0)):
        mean = max(float(np.mean(values)) - offset, 1e-6)
        start = [
            math.log(mean**2 / variance),
            math.log(variance / mean),
            *([offset] * (offset > 0.0)),
        ]
        found = _best(density, values, start)
        struct = {'shape': _round(math.exp(found[0])), 'scale': _round(math.exp(found[1]))}
        if len(found) > 2:
            struct['offset'] = _round(found[2])
        fits.append(_fit('gamma', {'gamma': struct}, values, [density, found], len(found)))
    return min(fits, key=lambda fit: fit.criterion)


_FITS: Mapping[str, Callable[[Array, float], Fit]] = {
    'constant': _constant,
    'normal': _normal,
    'uniform': _uniform,
    'gamma': _gamma,
}


def _empirical(delays: Delays) -> Fit:
    """Returns the measured delays, moved towards their mean to remove the spread of errors."""
    values, mean = np.sort(delays.values), np.mean(delays.values)
    variance = float(np.var(values))
    kept = math.sqrt(max(variance - delays.noise**2, 0.0) / variance) if variance > 0.0 else 0.0
    if len(values) > _MOST_SAMPLES:
        values = np.quantile(values, (np.arange(_MOST_SAMPLES) + 0.5) / _MOST_SAMPLES)
    moved = np.maximum(mean + kept * (values - mean), 0.0)
    return Fit(
        name='empirical',
        latency={'empirical': [_round(value) for value in moved]},
        criterion=math.inf,
    )


def _fit(name: str, latency: Any, values: Array, model: list[Any], parameters: int) -> Fit:
    """Returns a fit with its BIC and the result of its Kolmogorov-Smirnov test."""
    density, found = model
    likelihood = float(np.sum(np.log(np.maximum(density(values, *found), 1e-300))))
    spread = float(np.ptp(values)) + float(np.std(values)) + 1e-9
    grid = np.linspace(np.min(values) - spread, np.max(values) + spread, 2000)
    area = np.cumsum(density(grid, *found)) * (grid[1] - grid[0])
    expected = np.interp(np.sort(values), grid, area)
    number = len(values)
    steps = np.arange(number + 1) / number
    distance = max(np.max(steps[1:] - expected), np.max(expected - steps[:-1]))
    return Fit(
        name=name,
        latency=latency,
        criterion=parameters * math.log(number) - 2.0 * likelihood,
        rejected=parameters > 1 and bool(distance * math.sqrt(number) > _REJECTED),
    )


def _best(density: Callable[..., Array], values: Array, start: list[float]) -> list[float]:
    """Returns the parameters with the largest likelihood."""

    def cost(parameters: Array) -> float:
        return -float(np.sum(np.log(np.maximum(density(values, *parameters), 1e-300))))

    return [float(value) for value in minimum(cost, np.array(start))]


def _normal_density(x: Array, mean: float, deviation: float) -> Array:
    found: Array = np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (
        math.sqrt(2.0 * math.pi) * deviation
    )
    return found


def _uniform_density(x: Array, middle: float, half: float, noise: float) -> Array:
    scale = math.sqrt(2.0) * noise
    found: Array = (_erf((x - middle + half) / scale) - _erf((x - middle - half) / scale)) / (
        4.0 * half
    )
    return found


def _gamma_density(x: Array, shape: float, scale: float, noise: float) -> Array:
    """Returns the density of the sum of a gamma-distributed delay and a normal error."""
    times = np.maximum(x[:, None] - math.sqrt(2.0) * noise * _NODES, 1e-12) / scale
    log = (shape - 1.0) * np.log(times) - times - math.lgamma(shape) - math.log(scale)
    inside = x[:, None] > math.sqrt(2.0) * noise * _NODES
    found: Array = np.where(inside, np.exp(np.minimum(log, 700.0)), 0.0) @ _WEIGHTS
    return found / math.sqrt(math.pi)


def _round(value: float) -> float:
    return round(float(value), _DIGITS)
