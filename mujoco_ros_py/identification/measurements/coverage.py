"""Finds the parts of a recording where all signals have values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..sequences import Array, Signal
from .measured import Measured
from .options import MeasurementOptions

Span = tuple[float, float]
_LEAST_GAP_S = 0.05
"""A shorter time between messages is never a gap, as receive times vary."""
_LEAST_SHARE = 0.5
"""A topic with less than this share of the longest topic is optional."""


def covered(name: str, measured: Measured, options: MeasurementOptions) -> list[Span]:
    """Returns the parts where all signals have values and all commands are known."""
    by_topic: dict[str, list[Span]] = {}
    gaps: dict[str, int] = {}
    for signal in measured.signals:
        spans = _spans(signal.times, options.longest_gap)
        known = by_topic.get(signal.topic)
        by_topic[signal.topic] = spans if known is None else _both(known, spans)
        gaps[signal.topic] = max(gaps.get(signal.topic, 0), len(spans) - 1)
    for topic, count in gaps.items():
        if count:
            measured.notes.append(
                f'{name}: {topic} has {count} {"gaps" if count > 1 else "gap"}, at which it is'
                f' split; the first is at {by_topic[topic][0][1]:.6g} s'
            )
    longest = max(map(_length, by_topic.values()))
    found: list[Span] = [(-np.inf, np.inf)]
    for topic, spans in by_topic.items():
        if _length(spans) >= _LEAST_SHARE * longest:
            found = _both(found, spans)
        else:
            measured.notes.append(
                f'{name}: {topic} has values in {_length(spans):.3g} of {longest:.3g} s only'
            )
    begin = max((float(each.times[0]) for each in measured.commands), default=-np.inf)
    return _both(found, [(begin, np.inf)])


def ranges(signals: Iterable[Signal]) -> str:
    """Lists the first and the last time of each topic, for messages."""
    found: dict[str, Span] = {}
    for each in signals:
        low, high = found.get(each.topic, (np.inf, -np.inf))
        found[each.topic] = min(low, each.times[0]), max(high, each.times[-1])
    return ', '.join(f'{name} {low:.3f} to {high:.3f} s' for name, (low, high) in found.items())


def _spans(times: Array, longest_gap: float) -> list[Span]:
    """Returns the times without gaps."""
    steps = np.diff(times)
    gaps = np.flatnonzero(steps > max(longest_gap * float(np.median(steps)), _LEAST_GAP_S))
    firsts, lasts = [0, *(gaps + 1)], [*gaps, len(times) - 1]
    return [
        (float(times[first]), float(times[last]))
        for first, last in zip(firsts, lasts, strict=True)
        if last > first
    ]


def _both(ones: list[Span], others: list[Span]) -> list[Span]:
    """Returns the times that are in a span of both lists."""
    pairs = ((max(one[0], other[0]), min(one[1], other[1])) for one in ones for other in others)
    return [(begin, end) for begin, end in pairs if begin < end]


def _length(spans: list[Span]) -> float:
    return sum(end - begin for begin, end in spans)
