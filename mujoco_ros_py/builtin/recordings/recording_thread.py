"""The thread that writes a recording from a ring of states; physics never waits for it."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from ...errors import RecordingError
from ...simulation import SavedState
from .recorded_topics import WaitingMessages
from .row_ring import RowRing
from .run_writer import RunWriter

_log = logging.getLogger(__name__)

_TURN_S, _BUSY_TURN_S, _BUSY = 0.05, 0.002, 0.125
"""The normal pause between two turns in s, the short pause, and the fill level of the ring above
which the short pause is used."""
_BLOCK_BYTES = 2**19
_JOIN_S = 30.0


class RecordingThread:
    """Writes sections, states, saved states and messages to a file until it is closed.

    A section of the run begins at each load, reset or restored state, and when the model changes.
    The physics thread calls `begin`. States and saved states are written in the order of their
    sections.
    """

    def __init__(
        self,
        writer: RunWriter,
        name: str,
        chunk_period_s: float,
        messages: WaitingMessages,
        look: Callable[[float], object],
        ended: Callable[[str], object],
    ) -> None:
        """`name` is the plugin's name.

        `look(time_s)` is called regularly on this thread, with the time of the newest state.
        `ended(reason)` is called on this thread when the file cannot be written any further.
        """
        self._writer, self._name, self._chunk_period_s = writer, name, chunk_period_s
        self._messages, self._look, self._ended = messages, look, ended
        self._rings: deque[RowRing] = deque()
        self._sections: deque[tuple[Mapping[str, Any], bytes, int]] = deque()
        self._saved: deque[Future[SavedState]] = deque()
        self._lost = self._told_lost = 0
        self._flushed_at = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f'recording of {name}', daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def begin(self, section: Mapping[str, Any], model: bytes, ring: RowRing) -> None:
        """Begins a section with this model; the section's states come from `ring`."""
        self._sections.append((section, model, time.time_ns()))
        if not self._rings or self._rings[-1] is not ring:
            self._rings.append(ring)

    def add_saved(self, saved: Future[SavedState]) -> None:
        """Queues a saved state for writing once it is available."""
        self._saved.append(saved)

    def close(self) -> None:
        """Writes the remaining data, and closes the file; call it after the last state."""
        self._stop.set()
        self._thread.join(_JOIN_S)
        if self._thread.is_alive():
            _log.error('%s: the recording was not written within %g s', self._name, _JOIN_S)

    def _run(self) -> None:
        reason = ''
        try:
            while not self._stop.wait(self._pause_s):
                self._turn()
            self._turn(all_=True)
        except RecordingError as error:
            reason = str(error)
            self._ended(reason)
        try:
            self._writer.close()
        except RecordingError as error:
            if not reason:
                self._ended(str(error))

    @property
    def _pause_s(self) -> float:
        """The time until the next turn in s; short while many states wait."""
        busy = self._rings and self._rings[-1].share > _BUSY
        return _BUSY_TURN_S if busy else _TURN_S

    def _turn(self, *, all_: bool = False) -> None:
        """Writes the available states and messages; with `all_`, everything that remains."""
        self._writer.look_for_next_file(may_ask=not all_)
        self._write_sections()
        self._write_rows(all_=all_)
        if not all_:
            self._look(self._writer.time_s)
        while self._saved and self._saved[0].done():
            saved = self._saved.popleft()
            self._write_sections()
            self._writer.write_saved(saved)
        self._write_messages()
        self._tell_lost()
        if all_ or time.monotonic() > self._flushed_at + self._chunk_period_s:
            self._flushed_at = time.monotonic()
            self._writer.flush()

    def _write_rows(self, *, all_: bool) -> None:
        for ring in tuple(self._rings):
            newest = ring is self._rings[-1]
            most = max(1, _BLOCK_BYTES // (8 * ring.shape.width))
            for rows in ring.take(most, all_=all_ or not newest):
                self._write_sections()  # sections that have begun during this turn
                self._writer.write_rows(rows)
            if not newest:
                self._lost += ring.lost
                self._rings.popleft()

    def _write_sections(self) -> None:
        """Writes new sections, after the messages that arrived before them."""
        while self._sections:
            section, model, begun_ns = self._sections.popleft()
            self._write_messages(begun_ns)
            self._writer.write_section(section, model)

    def _write_messages(self, before_ns: float = math.inf) -> None:
        """Writes the messages that arrived before a wall time."""
        for message in self._messages.take(before_ns):
            self._writer.write_message(message)

    def _tell_lost(self) -> None:
        lost = self._lost + (self._rings[-1].lost if self._rings else 0)
        told = self._told_lost
        if lost == told and not self._messages.new_lost:
            return
        if not told and lost:
            _log.warning(
                '%s: the recording drops states because the writing thread lags behind; increase'
                ' buffer, lower state_rate or use a faster disk',
                self._name,
            )
        self._told_lost = lost
        messages = self._messages.new_lost
        self._messages.new_lost = 0
        self._writer.write_event({'event': 'lost', 'states': lost - told, 'messages': messages})
