"""Writes a run into the files of its recording; each file is usable on its own."""

from __future__ import annotations

import json
import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

import numpy as np

from ...errors import EndedError, SimulationError
from ...recording import (
    BEFORE_STEP,
    BYTES,
    EVENTS,
    ROWS,
    SAVED,
    TEXT,
    write_bytes,
    write_rows,
    write_text,
)
from ...simulation import SavedState, write_state
from .file_series import FileSeries
from .recorded_topics import WaitingMessage

_log = logging.getLogger(__name__)
_KIND, _TIME = 1, 2
"""The columns of a row that hold the section and kind, and the simulated time."""


class RunWriter:
    """Writes sections, states, saved states and messages; only one thread can use it.

    When the next file is due, the writer requests a saved state. The current file ends with the
    step after which the state was saved. The next file begins with the section, the saved state
    and a copy of the last state, so it can be replayed on its own.
    """

    def __init__(
        self, files: FileSeries, name: str, save: Callable[[], Future[SavedState]]
    ) -> None:
        """`name` is the plugin's name; `save()` requests a saved state."""
        self._files, self._name, self._save = files, name, save
        self._sections: deque[tuple[Mapping[str, Any], bytes]] = deque()
        """The section of the last row, and the sections that have begun since then."""
        self._models: set[str] = set()
        self._refused = 0
        self.time_s = 0.0
        """The simulated time of the newest state in s."""
        self._ros_offset = 0.0
        """The ROS time minus the simulated time in the section of the newest state, in s."""
        self._last: Any = None
        """The last row; None before the first row."""
        self._asked: Future[SavedState] | None = None
        """The requested saved state for the start of the next file; None if no file is due."""
        self._split: tuple[int, int] | None = None
        """The section and step count of the requested state, once it is available."""

    def look_for_next_file(self, *, may_ask: bool) -> None:
        """Requests a saved state if the next file is due, and later looks up its place in the run.

        Without `may_ask`, no state is requested, and no further file begins. Call this again after
        the state is saved, and before writing the rows that follow the state.
        """
        asked = self._asked
        if asked is None:
            if may_ask and self._files.due:
                self._asked = self._save()
        elif self._split is None and asked.done():
            try:
                part = asked.result().plugins[self._name]
                self._split = int(part['section']), int(part['steps'])
            except Exception:  # a plugin could not be saved; `write_saved` logs it
                self._split = self._place
            if self._split < self._place:  # later rows are already written
                self.write_saved(asked)
                self._asked = self._split = None

    def write_section(self, section: Mapping[str, Any], model: bytes) -> None:
        """Writes the beginning of a section, before its states."""
        if self._sections and self._sections[-1][0]['model'] == section['model']:
            model = self._sections[-1][1]  # keeps one copy of the model for all its resets
        self._sections.append((section, model))
        self.time_s, self._ros_offset = section['time'], section['ros_offset']
        self._write_section(section, model)

    def write_rows(self, rows: Any) -> None:
        """Writes rows, possibly of several sections."""
        while len(rows):
            sections = rows[:, _KIND] // 2
            number = int(sections[0])
            same = int((sections == number).sum())  # the rows of a section are contiguous
            count = self._before_split(number, rows[:same])
            if not count:
                self._begin_next_file(number)
                continue
            self._write_block(number, rows[:count])
            rows = rows[count:]

    def write_saved(self, saved: Future[SavedState]) -> None:
        """Writes a saved state, or logs the reason for skipping it."""
        try:
            content = write_state(saved.result())
        except EndedError:
            return  # the simulation has ended
        except Exception as error:
            if not isinstance(error, SimulationError) or not self._refused:
                _log.warning('%s: a saved state is not recorded: %s', self._name, error)
            self._refused += 1
            return
        self._add('saved', SAVED, write_bytes(content))

    def write_message(self, message: WaitingMessage) -> None:
        """Writes a message of a topic."""
        file = self._files.file
        channel = file.channel(message.topic, message.kind, qos=message.qos)
        file.add(channel, message.data, message.wall_time_ns, message.time_ns)

    def write_event(self, event: Mapping[str, Any]) -> None:
        """Writes an event."""
        self._add('events', EVENTS, write_text(json.dumps(event, default=str)))

    def flush(self) -> None:
        """Passes all written data to the operating system."""
        self._files.file.flush()

    def close(self) -> None:
        """Writes the last file's index, and closes the file."""
        self._files.file.close()

    @property
    def _place(self) -> tuple[int, int]:
        """The section and step count of the last row."""
        return (
            (-1, -1) if self._last is None else (int(self._last[_KIND] // 2), int(self._last[0]))
        )

    def _before_split(self, number: int, rows: Any) -> int:
        """Returns how many of these rows (of one section) belong in the current file."""
        if self._split is None or number < self._split[0]:
            return len(rows)
        steps = self._split[1] if number == self._split[0] else -1
        return int(np.searchsorted(rows[:, 0], steps, side='right'))

    def _write_block(self, number: int, rows: Any) -> None:
        """Writes rows of one section."""
        while self._sections[0][0]['number'] < number:
            self._sections.popleft()
        begin = rows[0] if self._place[0] != number else self._last
        self._files.advance(max(0.0, float(rows[-1, _TIME] - begin[_TIME])))
        self._last = rows[-1].copy()
        self.time_s, self._ros_offset = float(rows[-1, _TIME]), self._sections[0][0]['ros_offset']
        self._add('states', ROWS, write_bytes(write_rows(number, rows)))

    def _begin_next_file(self, number: int) -> None:
        """Starts the next file with the rows of a section."""
        asked, split = self._asked, self._split
        assert asked is not None
        assert split is not None
        self._asked = self._split = None
        goes_on = split[0] == number
        if not goes_on:
            self.write_saved(asked)
        self._files.begin_next()
        self._models.clear()
        for section, model in self._sections:
            if section['number'] >= number:
                self._write_section(section, model)
        if goes_on:
            self.write_saved(asked)
            if self._place == split:
                start = self._last.copy()
                start[_KIND] = 2.0 * number + BEFORE_STEP
                self._add('states', ROWS, write_bytes(write_rows(number, start[None])))

    def _write_section(self, section: Mapping[str, Any], model: bytes) -> None:
        name = section['model']
        if name not in self._models:
            self._models.add(name)
            self._files.file.attach(name, 'application/octet-stream', model)
        self.write_event({'event': 'section', **section})

    def _add(self, topic: str, role: str, message: bytes) -> None:
        kind = TEXT if role == EVENTS else BYTES
        channel = self._files.file.channel(f'/{self._name}/{topic}', kind, role)
        ros_time_ns = round((self.time_s + self._ros_offset) * 1e9)
        self._files.file.add(channel, message, time.time_ns(), ros_time_ns)
