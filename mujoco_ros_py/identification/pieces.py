"""Cuts sequences into pieces so short that an imprecise model stays close to the robot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from .prepared import Prepared, prepared
from .rollouts import MeasuredJoints
from .sequences import Commands
from .sequences import Sequence as MeasuredSequence

_FEWEST_SAMPLES = 8
"""The fewest samples of each signal in a piece; its initial state takes up some of them."""
_UNDER_WAY_S = 1.0
"""The longest delay of a command."""


def pieces(
    sequences: Sequence[Prepared],
    joints: MeasuredJoints,
    step: float,
    length: float,
    most: int = 0,
) -> list[Prepared]:
    """Returns pieces of a length in s: all, or at most `most` that are spread evenly.

    `step` is the time step of the model in s.
    """
    found = [piece for each in sequences for piece in _cut(each.sequence, length)]
    count = min(most or len(found), len(found))
    chosen = np.unique(np.linspace(0, len(found) - 1, count).astype(int))
    return [prepared(found[k], joints, step) for k in chosen]


def joined(parts: Sequence[MeasuredSequence]) -> MeasuredSequence:
    """Returns the times of successive pieces as one sequence, without its signals."""
    return replace(
        parts[0], begin=parts[0].begin, end=parts[-1].end, signals=(), commands=(), goals=()
    )


def _cut(sequence: MeasuredSequence, length: float) -> Iterator[MeasuredSequence]:
    samples = min(len(each.times) for each in sequence.signals)
    count = round((sequence.end - sequence.begin) / length)
    count = max(min(count, samples // _FEWEST_SAMPLES), 1)
    edges = np.linspace(sequence.begin, sequence.end, count + 1)
    for k in range(count):
        begin, end = float(edges[k]), float(edges[k + 1])
        signals = []
        for each in sequence.signals:
            first, last = np.searchsorted(each.times, [begin, end])
            part = slice(int(first), int(last))
            signals.append(replace(each, times=each.times[part], values=each.values[part]))
        if count == 1 or min(len(each.times) for each in signals) >= _FEWEST_SAMPLES // 2:
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
