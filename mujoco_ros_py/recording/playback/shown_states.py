"""Finds the states of a recording by playback position, with random access."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from ...errors import RecordingError
from .. import FoundRecord, RecordedRun, Section
from .row_steps import RecordedRow, RecordedRows, parts_of
from .timeline import Span, Timeline

_EXACT_S = 1e-9


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stretch:
    """The shown part of a section."""

    section: Section
    spans: tuple[Span, ...]
    begin_s: float
    """The simulated time at its start."""
    length_s: float
    position_s: float
    """The playback position at its start."""


class ShownStates:
    """Finds states by playback position, in shown seconds since the start, over all sections.

    Keeps only the last read chunk in memory.
    """

    def __init__(self, run: RecordedRun, timeline: Timeline, start_s: float, end_s: float) -> None:
        """Shows the states with simulated times from `start_s` to `end_s`.

        Raises RecordingError if the recording has no state in these times.
        """
        self._run = run
        self._stretches: list[_Stretch] = []
        self.length_s = 0.0
        """The playback position of the last state."""
        for number, (first_s, last_s) in timeline.bounds().items():
            begin, end = max(first_s, start_s), min(last_s, end_s)
            spans = tuple(each for each in timeline.spans if each.section.number == number)
            if begin > end + _EXACT_S:
                continue
            length = max(0.0, end - begin)
            self._stretches.append(
                _Stretch(
                    section=spans[0].section,
                    spans=spans,
                    begin_s=begin,
                    length_s=length,
                    position_s=self.length_s,
                )
            )
            self.length_s += length
        if not self._stretches:
            raise RecordingError(f'{run.path} has no states in the requested time range')
        self._read: tuple[FoundRecord, tuple[RecordedRows, ...]] | None = None

    def at(self, position_s: float) -> RecordedRow:
        """Returns the newest state at a position, clamped to the range of the recording.

        Raises RecordingError if the file has changed since it was opened.
        """
        stretch = self._stretch(position_s)
        time = stretch.begin_s + min(max(position_s - stretch.position_s, 0.0), stretch.length_s)
        place = bisect_right(stretch.spans, time + _EXACT_S, key=lambda span: span.first_s)
        parts = self._rows(stretch.spans[max(0, place - 1)])
        found = parts[0][0]
        for rows in parts:
            (early,) = np.nonzero(rows.times <= time + _EXACT_S)
            if len(early):
                found = rows[int(early[-1])]
        return found

    def section_told(self, row: RecordedRow) -> str:
        """Returns a description of a state's section: ``section 2 (reset), 3 of 4``."""
        numbers = [each.section.number for each in self._stretches]
        place = numbers.index(row.section.number) + 1
        return f'section {row.section.number} ({row.section.reason}), {place} of {len(numbers)}'

    def _stretch(self, position_s: float) -> _Stretch:
        found = self._stretches[0]
        for each in self._stretches:
            if each.position_s <= position_s + _EXACT_S:
                found = each
        return found

    def _rows(self, span: Span) -> tuple[RecordedRows, ...]:
        """Returns the states of a span. Raises RecordingError if the file has changed."""
        if self._read is None or self._read[0] is not span.chunk:
            parts = parts_of(self._run, span.chunk)
            rows = tuple(part for part in parts if isinstance(part, RecordedRows))
            self._read = span.chunk, rows
        found = tuple(each for each in self._read[1] if each.section is span.section)
        if not found:
            raise RecordingError(f'{self._run.path} has changed: its states cannot be read again')
        return found
