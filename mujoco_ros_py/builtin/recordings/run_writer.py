"""Writes the parts of a run into the files of its recording, each of which can be used alone."""

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
"""The places in a row of the section and the kind, and of the simulated time."""


class RunWriter:
    """Writes sections, states, saved states and messages; one thread uses it.

    When the next file is due, it asks for a saved state. The file that is written ends with the
    step after which that was saved, and the next one begins with the section, the saved state and
    a copy of the last state, so that it can be repeated by itself.
    """

    def __init__(
        self, files: FileSeries, name: str, save: Callable[[], Future[SavedState]]
    ) -> None:
        """`name` is that of the plugin; `save()` asks for a saved state."""
        self._files, self._name, self._save = files, name, save
        self._sections: deque[tuple[Mapping[str, Any], bytes]] = deque()
        """The section of the last state, and those that have begun since."""
        self._models: set[str] = set()
        self._refused = 0
        self.time_s = 0.0
        """The simulated time of the newest state in seconds."""
        self._ros_offset = 0.0
        """The ROS time minus the simulated time in the section of that state, in seconds."""
        self._last: Any = None
        """The last row; None: there is none."""
        self._asked: Future[SavedState] | None = None
        """The saved state with which the next file begins; None: it is not due."""
        self._split: tuple[int, int] | None = None
        """Section and steps of that state once it is there."""

    def look_for_next_file(self, *, may_ask: bool) -> None:
        """Asks for the state with which the next file begins, and finds its place in the run.

        Without `may_ask` no more files begin than were asked for. Rows that follow the saved state
        must be written after this has been called once more.
        """
        asked = self._asked
        if asked is None:
            if may_ask and self._files.due:
                self._asked = self._save()
        elif self._split is None and asked.done():
            try:
                part = asked.result().plugins[self._name]
                self._split = int(part['section']), int(part['steps'])
            except Exception:  # of a plugin that cannot be saved; `write_saved` says so
                self._split = self._place
            if self._split < self._place:  # a ring of before was written as a whole
                self.write_saved(asked)
                self._asked = self._split = None

    def write_section(self, section: Mapping[str, Any], model: bytes) -> None:
        """Writes the begin of a section, which comes before its states."""
        if self._sections and self._sections[-1][0]['model'] == section['model']:
            model = self._sections[-1][1]  # many resets have one model, which is kept once
        self._sections.append((section, model))
        self.time_s, self._ros_offset = section['time'], section['ros_offset']
        self._write_section(section, model)

    def write_rows(self, rows: Any) -> None:
        """Writes rows, which may be of several sections."""
        while len(rows):
            sections = rows[:, _KIND] // 2
            number = int(sections[0])
            same = int((sections == number).sum())  # rows of one section follow each other
            count = self._before_split(number, rows[:same])
            if not count:
                self._begin_next_file(number)
                continue
            self._write_block(number, rows[:count])
            rows = rows[count:]

    def write_saved(self, saved: Future[SavedState]) -> None:
        """Writes a saved state, or says in the log why it is left out."""
        try:
            content = write_state(saved.result())
        except EndedError:
            return  # there is no state any more
        except Exception as error:
            if not isinstance(error, SimulationError) or not self._refused:
                _log.warning('%s: a saved state is left out: %s', self._name, error)
            self._refused += 1
            return
        self._add('saved', SAVED, write_bytes(content))

    def write_message(self, message: WaitingMessage) -> None:
        """Writes a message of a topic."""
        file = self._files.file
        channel = file.channel(message.topic, message.kind, qos=message.qos)
        file.add(channel, message.data, message.wall_time_ns, message.time_ns)

    def write_event(self, event: Mapping[str, Any]) -> None:
        """Writes what has happened."""
        self._add('events', EVENTS, write_text(json.dumps(event, default=str)))

    def flush(self) -> None:
        """Hands all that was written to the operating system."""
        self._files.file.flush()

    def close(self) -> None:
        """Writes the index of the last file and closes it."""
        self._files.file.close()

    @property
    def _place(self) -> tuple[int, int]:
        """Section and steps of the last row."""
        return (
            (-1, -1) if self._last is None else (int(self._last[_KIND] // 2), int(self._last[0]))
        )

    def _before_split(self, number: int, rows: Any) -> int:
        """Returns how many of these rows of one section belong into the present file."""
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
        """Goes on in the next file with the rows of a section."""
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
