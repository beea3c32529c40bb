"""Estimates the delay between each step of a command and the onset of its response.

The shape of the response is unknown, but common to all steps. Each response is aligned with the
average response, and the average is computed again from the aligned responses, as in C. D. Woody,
"Characterization of an adaptive filter for the analysis of variable latency neuroelectric signals"
(1967). The result is the delay of each step, up to a shift that is common to all. This shift is
the change point of the average response, see `change_points`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .change_points import onset_of
from .series import Array, Response

_ROUNDS = 8
"""The number of times that the responses are aligned and averaged."""
_CROSSING = 0.3
"""The first alignment uses the times at which the responses reach this share of their maximum."""
_VISIBLE = 6.0
"""The smallest visible response, in standard deviations of the noise."""
_RISE = 0.8
"""The part of the rise that is aligned, as a share of the largest response."""
_MOST_GAP = 3.0
"""The longest gap in the states of a rise, in periods."""
_BASE, _TOP = 0.1, 0.9
"""The shares of the largest response between which the rise time is measured."""
_PARTS = 8
"""Points of the average response per period of the states."""
_MARGIN = 1.5
"""The error of a single delay, as a multiple of the smallest possible error."""
_RESOLUTION = 0.03
"""The minimum standard deviation of errors, in periods of the states."""
_LEAST = 0.1
"""The standard deviation below which delays count as constant, in periods of the states."""
_TINY = 1e-200
_SMOOTH = 5
"""Points over which the slope of the average response is smoothed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Delays:
    """Measured delays in s."""

    values: Array
    noise: float
    """The standard deviation of the error of a single delay."""
    common: float
    """The standard deviation of the error that is common to all delays."""
    least: float
    """Delays with a smaller standard deviation count as constant."""


def visible(responses: Sequence[Response], period: float) -> list[Response]:
    """Returns the visible responses, scaled from 0 before the change to 1 at the largest value.

    A response is visible if it exceeds the noise and the rounding of the states before it, and if
    no states are missing where it begins. `period` is the time between two states in s.
    """
    calm = [each.values[each.times <= 0.0] for each in responses]
    noise = float(np.std(np.concatenate([each - np.mean(each) for each in calm])))
    steps = np.abs(np.diff(np.concatenate([each.values for each in responses])))
    quantum = float(np.min(steps[steps > 0.0], initial=np.inf))
    if noise < quantum < np.inf:
        noise = max(noise, quantum / np.sqrt(12.0))
    scaled = []
    for each, before in zip(responses, calm, strict=True):
        moved = each.values - np.mean(before)
        largest = moved[np.argmax(np.abs(moved) * (each.times > 0.0))]
        if abs(largest) > _VISIBLE * noise:
            scaled.append(Response(times=each.times, values=moved / largest))
    return [each for each in scaled if _gap(each) < _MOST_GAP * period]


def onset_delays(responses: Sequence[Response], period: float) -> Delays:
    """Returns the delays of visible responses. `period` is the time between two states in s."""
    rises = [_crossing(each, _TOP) - _crossing(each, _BASE) for each in responses]
    if np.median(rises) < period:
        middle = np.array([_middle(each) for each in responses])
        noise = period / np.sqrt(12.0)
        common = noise / np.sqrt(len(middle))
        return Delays(values=middle, noise=noise, common=common, least=noise)
    aligned = _Alignment(responses, period)
    for _ in range(_ROUNDS):
        aligned.improve()
    onset, deviation = onset_of(aligned.moved(), period / _PARTS)
    return Delays(
        values=aligned.shifts + onset,
        noise=float(np.hypot(aligned.noise(), _RESOLUTION * period)),
        common=float(np.hypot(deviation, _RESOLUTION * period)),
        least=_LEAST * period,
    )


class _Alignment:
    """Aligns responses with their average."""

    def __init__(self, responses: Sequence[Response], period: float) -> None:
        self._responses, self._period = responses, period
        self._step = max(period / _PARTS, 2.0 * period / len(responses))
        self.shifts = np.array([_crossing(each, _CROSSING) for each in responses])
        """The delay of each response, apart from a common shift."""
        begin = max(each.times[0] for each in responses) - np.min(self.shifts)
        end = min(each.times[-1] for each in responses) - np.max(self.shifts)
        self._grid = np.arange(begin, max(end, begin + 4.0 * period), self._step)
        self._information = np.ones(len(responses))
        self._error = 0.0
        self._average()

    def improve(self) -> None:
        """Shifts each response in time to fit the average response by least squares."""
        end = self._end()
        moves, errors = np.zeros(len(self.shifts)), []
        for k, each in enumerate(self.moved()):
            inside = (each.times > self._grid[0]) & (each.times < end)
            mean = np.interp(each.times[inside], self._grid, self._mean)
            slope = np.interp(each.times[inside], self._grid, self._slope)
            energy = max(float(mean @ mean), _TINY)
            slope -= mean * float(slope @ mean) / energy  # each response has its own gain
            gain = float(mean @ each.values[inside]) / energy
            error = each.values[inside] - gain * mean
            self._information[k] = max(float(slope @ slope), _TINY)
            moves[k] = -float(slope @ error) / self._information[k]
            errors.append(error)
        self._error = float(np.std(np.concatenate(errors)))
        self.shifts += np.clip(moves, -2.0 * self._period, 2.0 * self._period)
        self._average()

    def moved(self) -> list[Response]:
        """Returns the aligned responses."""
        return [
            Response(times=each.times - shift, values=each.values)
            for each, shift in zip(self._responses, self.shifts, strict=True)
        ]

    def noise(self) -> float:
        """Returns the standard deviation of the error of a shift, from its Fisher information."""
        return float(_MARGIN * self._error / np.sqrt(np.median(self._information)))

    def _end(self) -> float:
        """Returns the end of the aligned part: the rise, and twice as much time after it."""
        largest = np.max(self._mean)
        top = int(np.argmax(self._mean >= _RISE * largest))
        below = np.flatnonzero(self._mean[: top + 1] < _BASE * largest)
        base = int(below[-1]) if len(below) else 0
        return float(self._grid[min(top + 2 * (top - base) + _PARTS, len(self._grid) - 1)])

    def _average(self) -> None:
        """Computes the average response and its slope on the grid."""
        total, count = np.zeros(len(self._grid) + 1), np.zeros(len(self._grid) + 1)
        for each in self.moved():
            places = (each.times - self._grid[0]) / self._step
            inside = (places >= 0.0) & (places < len(self._grid))
            left = places[inside].astype(int)
            for index, weight in (
                (left, left + 1 - places[inside]),
                (left + 1, places[inside] - left),
            ):
                np.add.at(total, index, weight * each.values[inside])
                np.add.at(count, index, weight)
        known = np.flatnonzero(count[:-1] > 0.0)
        self._mean = np.interp(self._grid, self._grid[known], total[known] / count[known])
        edges = np.pad(self._mean, _SMOOTH // 2, 'edge')
        smooth = np.convolve(edges, np.ones(_SMOOTH) / _SMOOTH, 'valid')
        self._slope = np.gradient(smooth, self._step)


def _crossing(response: Response, share: float) -> float:
    """Returns the interpolated time at which a response first reaches a share of its maximum."""
    after = np.flatnonzero((response.values >= share) & (response.times > 0.0))
    now = int(after[0])
    low, high = response.values[now - 1], response.values[now]
    part = np.clip((share - low) / (high - low), 0.0, 1.0) if high > low else 1.0
    before, at = response.times[now - 1], response.times[now]
    return float(before + part * (at - before))


def _gap(response: Response) -> float:
    """Returns the longest time between two states of a rise; inf if no state precedes the rise."""
    after = response.times > 0.0
    top = int(np.flatnonzero((response.values >= _RISE) & after)[0])
    rest = np.flatnonzero(response.values[: top + 1] <= _BASE)
    if not len(rest):
        return np.inf
    base = max(int(rest[-1]) - 1, 0)
    return float(np.max(np.diff(response.times[base : top + 1])))


def _middle(response: Response) -> float:
    """Returns the middle of the interval between states that contains a fast response's onset."""
    now = int(np.flatnonzero((response.values >= 0.5) & (response.times > 0.0))[0])
    return float(response.times[now - 1] + response.times[now]) / 2.0
