"""Cuts sequences into short pieces, in which an imprecise model stays close to the robot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from .prepared import Prepared, prepared
from .rollouts import MeasuredJoints
from .sequences import Commands
from .sequences import Sequence as MeasuredSequence

_MOST = 16
"""The most pieces, which are spread over all sequences."""
_FEWEST_SAMPLES = 8
_UNDER_WAY_S = 1.0
"""The longest delay of a command."""


def pieces(sequences: Sequence[Prepared], joints: MeasuredJoints, length: float) -> list[Prepared]:
    """Returns pieces of a length in s, spread evenly over the sequences."""
    found = [piece for each in sequences for piece in _cut(each.sequence, length)]
    chosen = np.unique(np.linspace(0, len(found) - 1, min(_MOST, len(found))).astype(int))
    return [prepared(found[k], joints) for k in chosen]


def _cut(sequence: MeasuredSequence, length: float) -> Iterator[MeasuredSequence]:
    count = max(round((sequence.end - sequence.begin) / length), 1)
    edges = np.linspace(sequence.begin, sequence.end, count + 1)
    for k in range(count):
        begin, end = float(edges[k]), float(edges[k + 1])
        signals = []
        for each in sequence.signals:
            first, last = np.searchsorted(each.times, [begin, end])
            part = slice(int(first), int(last))
            signals.append(replace(each, times=each.times[part], values=each.values[part]))
        if min(len(each.times) for each in signals) >= _FEWEST_SAMPLES:
            yield replace(
                sequence,
                begin=begin,
                end=end,
                signals=tuple(signals),
                commands=tuple(_held(each, begin, end) for each in sequence.commands),
                rests=sequence.rests and k == 0,
            )


def _held(commands: Commands, begin: float, end: float) -> Commands:
    """Returns the commands of a piece, after all that can still be under way at its begin."""
    first = max(int(np.searchsorted(commands.times, begin - _UNDER_WAY_S, 'right')) - 1, 0)
    last = max(int(np.searchsorted(commands.times, end)), first + 1)
    return replace(commands, times=commands.times[first:last], values=commands.values[first:last])
