"""Finds the onset of an average response, as the change point between rest and motion.

The model of the response is 0 at rest, and `c * (1 + a * u) * u**p` after the onset, where u is
the time since the onset and p is 1, 2 or 3. Every response without a jump starts like this if its
first p - 1 derivatives are 0 at the onset. The onset, p, c and a are fitted by least squares.

The fit is repeated for several early parts of the rise. A longer part averages more noise, and a
shorter part fits the model better. The error of a part combines its statistical error and its
model error. The model error is the largest difference between the part's onset and the onset of a
shorter part, beyond the statistical error of the shorter part. The onset of the part with the
smallest error is used. A. Goldenshluger and O. Lepski, "Bandwidth selection in kernel density
estimation: oracle inequalities and adaptive minimax optimality" (2011), choose a bandwidth in the
same way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .series import Array, Response

_SHARES = 0.08, 0.13, 0.2, 0.3, 0.45
"""The ends of the fitted parts of the rise, as shares of the largest response."""
_POWERS = 1, 2, 3
_REPEATS = 60
"""The number of bootstrap samples for the statistical error of an onset."""
_BOUND = 2.0
"""The bound on the statistical error of an onset, in standard deviations."""
_TRIED = 40
_LEAST_BINS = 4
_BEFORE = 6.0
"""The length of the fitted part (the rise and the time before it) in rise times. The rise time is
twice the time from half of the rise to its end."""


def onset_of(responses: Sequence[Response], width: float) -> tuple[float, float]:
    """Returns the onset of the average of aligned responses, and the deviation of its error.

    The responses are averaged in bins of `width` seconds. The standard deviation combines the
    statistical error, from a bootstrap of the responses, and the model error.
    """
    sums = _binned(responses, width)
    random, number = np.random.default_rng(0), len(responses)
    total = sums.sum(axis=0)
    repeats = [sums[random.integers(0, number, number)].sum(axis=0) for _ in range(_REPEATS)]
    onsets = [_change_point(total, share) for share in _SHARES]
    bounds = [
        _BOUND * float(np.std([_change_point(each, share) for each in repeats]))
        for share in _SHARES
    ]
    models = [
        max([0.0, *(abs(onsets[k] - onsets[j]) - bounds[j] for j in range(k))])
        for k in range(len(_SHARES))
    ]
    chosen = int(np.argmin(np.hypot(bounds, models)))
    longer = onsets[min(chosen + 1, len(onsets) - 1)]
    model = max(models[chosen], abs(onsets[chosen] - longer))
    return onsets[chosen], float(np.hypot(bounds[chosen] / _BOUND, model))


def _binned(responses: Sequence[Response], width: float) -> Array:
    """Returns the count, and the sums of times and values, of each response in each bin."""
    begin = max(float(each.times[0]) for each in responses)
    end = min(float(each.times[-1]) for each in responses)
    bins = np.arange(begin, end, width)
    sums = np.zeros((len(responses), 3, len(bins) - 1))
    for k, each in enumerate(responses):
        for row, values in enumerate((np.ones(len(each.times)), each.times, each.values)):
            sums[k, row], _ = np.histogram(each.times, bins, weights=values)
    return sums


def _change_point(sums: Array, share: float) -> float:
    """Returns the onset, fitted to the rise up to a share of the largest response."""
    used = sums[0] > 0.0
    weights = sums[0, used]
    times, values = sums[1:, used] / weights
    top = int(np.argmax(values))
    low = np.flatnonzero(values[:top] < share)
    last = int(low[-1]) + 1 if len(low) else top
    below = np.flatnonzero(values[:last] < 0.5 * share)
    half = max(times[last] - times[int(below[-1])] if len(below) else 0.0, 1e-9)
    end = times[last]
    first = min(
        int(np.searchsorted(times, end - _BEFORE * 2.0 * half)), max(last - _LEAST_BINS, 0)
    )
    part = slice(first, last + 1)
    best = np.inf, end
    for power in _POWERS:
        lead = half / (1.0 - 0.5 ** (1.0 / power))
        tried = np.linspace(end - 2.0 * lead, end - 0.5 * lead, _TRIED)
        errors = _errors(times[part], values[part], weights[part], tried, power)
        k = int(np.clip(np.argmin(errors), 1, _TRIED - 2))
        bend = errors[k - 1] - 2.0 * errors[k] + errors[k + 1]
        move = 0.5 * (errors[k - 1] - errors[k + 1]) / bend if bend > 0.0 else 0.0
        onset = tried[k] + np.clip(move, -1.0, 1.0) * (tried[1] - tried[0])
        best = min(best, (float(np.min(errors)), float(onset)))
    return float(best[1])


def _errors(times: Array, values: Array, weights: Array, onsets: Array, power: int) -> Array:
    """Returns, for each possible onset, the squared error of the best-fitting model."""
    after = np.maximum(times - onsets[:, None], 0.0)
    after /= after[:, -1:]
    one, two = after**power, after ** (power + 1)
    a, b, c = (one * one) @ weights, (one * two) @ weights, (two * two) @ weights
    d, e = (one * values) @ weights, (two * values) @ weights
    determinant = np.maximum(a * c - b * b, 1e-12 * a * c)
    explained = (c * d * d - 2.0 * b * d * e + a * e * e) / determinant
    rest: Array = weights @ (values * values) - explained
    return rest
