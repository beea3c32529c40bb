"""Finds the times at which a robot rests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..sequences import Array, Commands, Goal, Signal
from .goal_messages import duration_of

Mask = np.ndarray[Any, np.dtype[np.bool_]]
_STEPS = 4
"""The number of times that are tried in the length of a rest."""
_LEAST_PERIODS = 4
_NOISE, _QUANTA = 8.0, 1.5
"""The largest change within a rest, in standard deviations of the noise and in steps of an
encoder."""
_LOW, _HIGH = 0.005, 0.04
"""The share of a signal's largest change that counts as rest in any case, and of the largest
change of all such signals that never does."""
_MAD = 0.6745 * 6.0**0.5
"""The median of absolute second differences of normal noise, in standard deviations."""
_SHORT_S = 0.5
"""A longer trajectory is not cut."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rests:
    """The times that are tried as the begin of a sequence."""

    times: Array
    width: float
    """The length in s of the window around each time that was examined."""
    resting: Mask
    """Whether joints and commands rest around each time."""
    busy: Mask
    """Whether a trajectory is followed at each time, so that no sequence may begin there."""


def find_rests(
    begin: float,
    end: float,
    rest: float,
    signals: Iterable[Signal],
    commands: Iterable[Commands],
    goals: Sequence[Goal],
) -> Rests:
    """Returns the rests between two times; `rest` is the length of the shortest in s."""
    motions = _motions(signals)
    periods = [float(np.median(np.diff(each.times))) for each in motions]
    width = max([rest, *(_LEAST_PERIODS * each for each in periods)])
    times = np.arange(begin, end, width / _STEPS)
    resting = np.full(len(times), bool(motions))
    for quantity in {each.source.quantity for each in motions}:
        group = [each for each in motions if each.source.quantity == quantity]
        resting &= _quiet([(each.times, each.values) for each in group], times, width)
    for each in commands:
        for column in each.values.T:
            resting &= _quiet([(each.times, column)], times, width)
    busy = np.zeros(len(times), bool)
    for first, last in _busy_times(goals):
        busy |= (times > first) & (times < last)
    for at in _changes(goals):
        resting &= (at < times - width / 2.0) | (at > times + width / 2.0)
    return Rests(times=times, width=width, resting=resting & ~busy, busy=busy)


def _motions(signals: Iterable[Signal]) -> list[Signal]:
    """Returns the signals that are constant while the robot rests."""
    signals = list(signals)
    placed = {each.source.name for each in signals if each.source.quantity == 'position'}
    bases = {each.source.name for each in signals if each.source.quantity == 'velocimeter'}
    return [
        each
        for each in signals
        if each.source.quantity in ('position', 'velocimeter')
        or (each.source.quantity == 'velocity' and each.source.name not in placed)
        or (each.source.quantity == 'gyro' and each.source.name in bases)
    ]


def _quiet(series: Sequence[tuple[Array, Array]], times: Array, width: float) -> Mask:
    """Returns whether the values of one quantity change by less than noise around each time."""
    changes = [_changes_around(each, times, width) for each in series]
    largest = max((float(np.max(each)) for each in changes if len(each)), default=0.0)
    quiet = np.ones(len(times), bool)
    for (_, values), change in zip(series, changes, strict=True):
        own = float(np.max(change)) if len(change) else 0.0
        bound = max(_LOW * own, _NOISE * _noise(values), _QUANTA * _quantum(values))
        quiet &= change <= min(bound, _HIGH * largest)
    return quiet


def _changes_around(series: tuple[Array, Array], times: Array, width: float) -> Array:
    """Returns the range of a signal within `width` around each time, with the value before."""
    own, values = series
    first = np.maximum(np.searchsorted(own, times - width / 2.0, 'right') - 1, 0)
    last = np.maximum(np.searchsorted(own, times + width / 2.0, 'right'), first + 1)
    padded = np.append(values, values[-1])
    places = np.stack([first, last], axis=1).ravel()
    high, low = (each.reduceat(padded, places)[::2] for each in (np.maximum, np.minimum))
    changes: Array = high - low
    return changes


def _noise(values: Array) -> float:
    """Returns the standard deviation of the noise of a signal."""
    return float(np.median(np.abs(np.diff(values, 2)))) / _MAD if len(values) > 2 else 0.0


def _quantum(values: Array) -> float:
    """Returns the smallest change of a signal, which is the step of an encoder."""
    steps = np.abs(np.diff(values))
    steps = steps[steps > 0.0]
    return float(np.min(steps)) if len(steps) else 0.0


def _busy_times(goals: Sequence[Goal]) -> Iterable[tuple[float, float]]:
    """Yields the begin and the end of each trajectory, which ends when the next arrives."""
    following: dict[str, float] = {}
    for goal in reversed(goals):
        if (duration := duration_of(goal)) > _SHORT_S:
            yield goal.time, min(goal.time + duration, following.get(goal.topic, np.inf))
        following[goal.topic] = goal.time


def _changes(goals: Sequence[Goal]) -> Iterable[float]:
    """Yields the times of goals that differ from the one before."""
    before: dict[str, str] = {}
    for goal in goals:
        text = repr(goal.message)
        if duration_of(goal) or before.get(goal.topic) != text:
            yield goal.time
        before[goal.topic] = text
