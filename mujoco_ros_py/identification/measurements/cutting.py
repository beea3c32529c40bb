"""Cuts a recording into sequences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...errors import RecordingError
from ..sequences import Commands, Goal, Sequence, Signal
from .coverage import Span, covered, ranges
from .measured import Measured
from .options import MeasurementOptions
from .rests import Rests, find_rests

_LEAST_S = 0.5
"""The shortest sequence."""
_LONG_REST_S, _KEPT_S = 2.0, 1.0
"""After a motion, a rest of more than the first time is cut to the second."""
_LEAST_VALUES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class _Cut:
    """The times of a sequence."""

    begin: float
    end: float
    rests: bool

    @property
    def length(self) -> float:
        return self.end - self.begin


def sequences_of(name: str, measured: Measured, options: MeasurementOptions) -> list[Sequence]:
    """Returns the sequences of a recording, in the order of time.

    They begin at rests if the robot rests. Raises RecordingError if the recording is too short.
    """
    cuts = [
        cut
        for span in covered(name, measured, options)
        if span[1] - span[0] >= _LEAST_S
        for cut in _cuts(span, measured, options)
    ]
    if not cuts:
        commands = (f'; {each.topic} from {each.times[0]:.3f} s' for each in measured.commands)
        raise RecordingError(
            f'{name}: no part of {_LEAST_S:g} s has all signals and commands:'
            f' {ranges(measured.signals)}{"".join(commands)}'
        )
    return [_sequence(name, measured, cut) for cut in cuts]


def held_out(count: int, share: float) -> list[bool]:
    """Returns whether each sequence is held out, at regular places.

    At least one of two or more sequences is held out, and at least one is not.
    """
    held = [int((k + 1) * share + 1e-9) > int(k * share + 1e-9) for k in range(count)]
    if share > 0.0 and count > 1 and not any(held):
        held[-1] = True
    return held


def _cuts(span: Span, measured: Measured, options: MeasurementOptions) -> Iterator[_Cut]:
    """Yields the cuts of a part without gaps."""
    begin, end = span
    signals = [_part(each, begin, end) for each in measured.signals]
    rests = find_rests(
        begin, end, options.rest,
        [each for each in signals if len(each.times) > _LEAST_VALUES],
        measured.commands, measured.goals,
    )  # fmt: skip
    free = np.flatnonzero(~rests.busy)
    if not len(free):
        return  # a trajectory that began before this part fills it
    first = int(free[0])
    whole = _Cut(begin=float(rests.times[first]), end=end, rests=bool(rests.resting[first]))
    cuts = _joined(list(_between_rests(rests, end)), options.length)
    if cuts and not whole.rests and cuts[0].begin - whole.begin > options.length:
        cuts.insert(0, replace(whole, end=cuts[0].begin))
    for cut in [each for each in cuts if each.length >= _LEAST_S] or [whole]:
        # plugins in the loop can only begin at rest
        for each in [cut] if measured.goals else _pieces(cut, rests, options.length):
            if each.length >= _LEAST_S:
                yield each


def _between_rests(rests: Rests, end: float) -> Iterator[_Cut]:
    """Yields the cuts from the end of each rest to the end of the next."""
    edges = np.flatnonzero(np.diff(rests.resting.astype(int), prepend=0, append=0))
    runs = [(float(rests.times[a]), float(rests.times[b - 1])) for a, b in edges.reshape(-1, 2)]
    begins = [max((first + last) / 2.0, last - rests.width) for first, last in runs]
    for k, begin in enumerate(begins):
        last = end
        if k + 1 < len(runs):
            first, until = runs[k + 1]
            last = first + _KEPT_S if until - first > _LONG_REST_S else begins[k + 1]
        if last - begin > rests.width:
            yield _Cut(begin=begin, end=last, rests=True)


def _joined(cuts: list[_Cut], length: float) -> list[_Cut]:
    """Joins short cuts with the next, up to about this length."""
    joined: list[_Cut] = []
    for cut in cuts:
        last = joined[-1] if joined else None
        if last is not None and last.end == cut.begin and last.length + cut.length / 2.0 < length:
            joined[-1] = replace(last, end=cut.end)
        else:
            joined.append(cut)
    return joined


def _pieces(cut: _Cut, rests: Rests, length: float) -> Iterator[_Cut]:
    """Yields the pieces of a cut that is longer than one and a half lengths."""
    edges = np.linspace(cut.begin, cut.end, max(round(cut.length / length), 1) + 1)
    for begin, end in pairwise(map(float, edges)):
        place = min(int(np.searchsorted(rests.times, begin)), len(rests.times) - 1)
        resting = cut.rests if begin == cut.begin else bool(rests.resting[place])
        yield _Cut(begin=begin, end=end, rests=resting)


def _sequence(name: str, measured: Measured, cut: _Cut) -> Sequence:
    parts = (_part(each, cut.begin, cut.end) for each in measured.signals)
    return Sequence(
        name=f'{name}, {cut.begin:.1f} to {cut.end:.1f} s',
        begin=cut.begin,
        end=cut.end,
        signals=tuple(each for each in parts if len(each.times) >= _LEAST_VALUES),
        commands=tuple(_held_commands(each, cut) for each in measured.commands),
        goals=tuple(_held_goals(measured.goals, cut)),
        rests=cut.rests,
    )


def _part(signal: Signal, begin: float, end: float) -> Signal:
    first = int(np.searchsorted(signal.times, begin))
    last = int(np.searchsorted(signal.times, end, 'right'))
    return replace(signal, times=signal.times[first:last], values=signal.values[first:last])


def _held_commands(commands: Commands, cut: _Cut) -> Commands:
    """Returns the commands of a cut; the first row is the command that holds at its begin."""
    first = max(int(np.searchsorted(commands.times, cut.begin, 'right')) - 1, 0)
    last = max(int(np.searchsorted(commands.times, cut.end)), first + 1)
    times = commands.times[first:last].copy()
    times[0] = cut.begin
    return replace(commands, times=times, values=commands.values[first:last])


def _held_goals(goals: list[Goal], cut: _Cut) -> Iterator[Goal]:
    """Yields the last goal of each topic before a cut, which holds at its begin, and its goals."""
    before = {goal.topic: goal for goal in goals if goal.time < cut.begin}
    yield from before.values()
    for goal in goals:
        if cut.begin <= goal.time < cut.end:
            yield goal
