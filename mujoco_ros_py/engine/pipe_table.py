"""Publishes the messages that the pipes of a loop's publishers have held back."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import Any

import numpy as np

from ..errors import EngineError
from . import own_code
from .linux_waits import new_event
from .message_pipe import MessagePipe
from .mutexes import locked, new_mutex
from .pipe_records import PIPES
from .records import structure

_MOST_PIPES = 4096
_INFINITE = float('inf')


class PipeTable:
    """The pipes of a loop's publishers, and the thread that publishes their due messages."""

    def __init__(self, loop: Any, *, inline: bool) -> None:
        """`loop` is the LOOP record, which must outlive this object.

        With `inline`, the loop publishes the messages itself, and there is no thread.
        """
        self._loop, self._pipes = loop, list[MessagePipe]()
        self._records = np.zeros(1, PIPES)
        self._record = structure(PIPES).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
        self._addresses = np.zeros(_MOST_PIPES, np.int64)
        self._event = new_event()
        self._thread: threading.Thread | None = None
        record = self._record
        record.loop, record.event = ctypes.addressof(loop), self._event
        record.inline, record.due_s = int(inline), _INFINITE
        record.addresses = self._addresses.ctypes.data
        new_mutex(self.address, PIPES)

    def add(self, pipe: MessagePipe) -> None:
        """Starts publishing the messages of a pipe; call this between two steps."""
        pipe.join(self.address)
        with locked(self.address, PIPES):
            if len(self._pipes) == _MOST_PIPES:
                raise EngineError(f'at most {_MOST_PIPES} publishers can have filters')
            self._addresses[len(self._pipes)] = pipe.address
            self._pipes.append(pipe)
            self._record.count = len(self._pipes)
        self._loop.serve_pipes = own_code.function('serve_pipes').address
        self._loop.pipes = self.address
        if not self._record.inline and self._thread is None:
            run = own_code.call('run_pipes')
            self._thread = threading.Thread(
                target=run, args=(self.address,), name='filtered messages', daemon=True
            )
            self._thread.start()

    def remove(self, pipe: MessagePipe) -> None:
        """Stops publishing the messages of a pipe."""
        with locked(self.address, PIPES):
            self._pipes = [each for each in self._pipes if each is not pipe]
            self._record.count = len(self._pipes)
            self._addresses[: len(self._pipes)] = [each.address for each in self._pipes]
            self._record.due_s = -_INFINITE

    def look(self) -> None:
        """Makes the loop look for due messages in its next turn; call this after `restore`."""
        with locked(self.address, PIPES):
            self._record.due_s = -_INFINITE

    def close(self, timeout_s: float) -> None:
        """Stops publishing messages; waits for the thread to end."""
        self._loop.pipes = 0
        self._record.wanted = 1
        os.eventfd_write(self._event, 1)
        if self._thread is not None:
            self._thread.join(timeout_s)

    def __del__(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            os.close(self._event)
