"""Finds the positions of states in a recording file, and summarizes the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import RecordingError
from ...simulation import SavedState
from .. import RECORDER, FoundRecord, RecordedRun, Section
from .row_steps import RecordedRow, RecordedRows, parts_of, told_chunks

_EXACT_S = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """The states of one section in one chunk."""

    chunk: FoundRecord
    section: Section
    first_s: float
    """The simulated time of the earliest state."""
    last_s: float
    """The simulated time of the latest state."""
    states: int
    """The number of states."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SavedPlace:
    """Where the recording contains a saved state."""

    chunk: FoundRecord
    section: int
    steps: int
    """The number of steps since the start of the recording."""


class Timeline:
    """An index of a recording: the time ranges of the chunks, without the states."""

    def __init__(
        self, run: RecordedRun, tell: Callable[[float], object] = lambda share: None
    ) -> None:
        """Reads the file once, and reports progress through `tell(share)`, from 0 to 1."""
        self._run = run
        self.spans: list[Span] = []
        """The spans of states, in file order."""
        self.saved: list[SavedPlace] = []
        """The positions of the saved states with a known section, in file order."""
        self.events: list[Mapping[str, Any]] = []
        """The events, in file order."""
        for chunk in told_chunks(run, tell):
            found: dict[int, list[RecordedRows]] = {}
            for part in parts_of(run, chunk):
                if isinstance(part, RecordedRows):
                    found.setdefault(part.section.number, []).append(part)
                elif not isinstance(part, SavedState):
                    self.events.append(part)
                elif (place := saved_place(run, part)) is not None:
                    section, steps = place
                    self.saved.append(SavedPlace(chunk=chunk, section=section, steps=steps))
            self.spans += [_span(chunk, parts) for parts in found.values()]

    def bounds(self) -> dict[int, tuple[float, float]]:
        """Returns the simulated times of the earliest and the latest state in s, by section."""
        bounds: dict[int, tuple[float, float]] = {}
        for span in self.spans:
            first, last = bounds.get(span.section.number, (span.first_s, span.last_s))
            bounds[span.section.number] = min(first, span.first_s), max(last, span.last_s)
        return bounds

    def row_at(self, time_s: float, section: int | None = None) -> RecordedRow:
        """Returns the first state at or after a time.

        `section` is the number of a section; by default, the last section that contains the time.
        Raises RecordingError if the recording does not contain the time or the section.
        """
        bounds = self.bounds()
        there = [
            number for number, (first, last) in bounds.items()
            if section in (None, number) and first - _EXACT_S <= time_s <= last + _EXACT_S
        ]  # fmt: skip
        late = (
            row for span in self.spans
            if there and span.section.number == there[-1] and span.last_s >= time_s - _EXACT_S
            if (row := self._first_in(span, time_s)) is not None
        )  # fmt: skip
        if (found := next(late, None)) is not None:
            return found
        known = ', '.join(f'{n} ({a:g} to {b:g} s)' for n, (a, b) in bounds.items()) or 'none'
        where = '' if section is None else f' in section {section}'
        raise RecordingError(
            f'{self._run.path} has no state at {time_s:g} s{where}; sections with states: {known}'
        )

    def saved_before(self, row: RecordedRow) -> SavedState | None:
        """Returns the last saved state before or at a row, in the row's section.

        Returns None if the section has no saved state before the row.
        """
        number = row.section.number
        there = [each for each in self.saved if each.section == number and each.steps <= row.steps]
        newest = max(there, key=lambda each: each.steps, default=None)
        if newest is None:
            return None
        for part in parts_of(self._run, newest.chunk):
            if isinstance(part, SavedState) and saved_place(self._run, part) == (
                newest.section, newest.steps,
            ):  # fmt: skip
                return part
        return None

    def _first_in(self, span: Span, time_s: float) -> RecordedRow | None:
        """Returns the first state of a span at or after a time."""
        for part in parts_of(self._run, span.chunk):
            if isinstance(part, RecordedRows) and part.section is span.section:
                (late,) = np.nonzero(part.times >= time_s - _EXACT_S)
                if len(late):
                    return part[int(late[0])]
        return None


def saved_place(run: RecordedRun, saved: SavedState) -> tuple[int, int] | None:
    """Returns the section number and step count of a saved state; None if they are missing."""
    for section in run.sections.values():
        for each in section.plugins:
            part = saved.plugins.get(each['name']) if each['type'] == RECORDER else None
            if isinstance(part, dict) and part.get('section') == section.number:
                steps = part.get('steps')
                return (section.number, steps) if isinstance(steps, int) else None
    return None


def _span(chunk: FoundRecord, parts: list[RecordedRows]) -> Span:
    times = np.concatenate([part.times for part in parts])
    return Span(
        chunk=chunk,
        section=parts[0].section,
        first_s=float(times.min()),
        last_s=float(times.max()),
        states=len(times),
    )


def summary_lines(
    run: RecordedRun, tell: Callable[[float], object] = lambda share: None
) -> Iterator[str]:
    """Yields lines about the sections, states, topics and versions of a recording.

    Reports progress through `tell(share)`, from 0 to 1.
    """
    timeline, states = Timeline(run, tell), Counter[int]()
    for span in timeline.spans:
        states[span.section.number] += span.states
    bounds = timeline.bounds()
    size = run.path.stat().st_size
    yield f'{run.path}: {size / 2**20:.1f} MiB, {"closed" if run.complete else "not closed"}'
    for number, section in run.sections.items():
        begin, end = bounds.get(number, (section.time, section.time))
        names = ', '.join(str(each['name']) for each in section.plugins)
        yield (
            f'section {number} ({section.reason}): {begin:g} to {end:g} s,'
            f' {states[number]} states, plugins: {names}'
        )
    yield f'saved states: {len(timeline.saved)}'
    losses = [each for each in timeline.events if each.get('event') == 'lost']
    for what in ('states', 'messages'):
        if lost := sum(each[what] for each in losses):
            yield f'{what} dropped: {lost}'
    for topic, count in sorted(run.topics().items(), key=lambda item: item[0].name):
        yield f'topic {topic.name} ({topic.kind}): {count} messages'
    versions = run.about.get('versions', {})
    yield 'versions: ' + ', '.join(f'{name} {value}' for name, value in versions.items())
    for problem in run.problems:
        yield f'note: {problem}'
