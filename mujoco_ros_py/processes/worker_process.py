"""Starts the process of a `Worker`, exchanges messages with it, and reports why it died."""

from __future__ import annotations

import logging
import os
import socket
import time
from typing import Any

from ..errors import IsolationError
from . import task_loop
from .channel import Channel
from .python_process import PythonProcess

MIB = 2**20
_LOOP = f'{task_loop.__name__}:{task_loop.main.__name__}'
_START_S = 60.0
"""The time limit in s for a process to become ready."""
_EXIT_S = 5.0
"""The time limit in s for a process to exit after closing its end of the channel."""


class WorkerProcess:
    """A process that carries out requests. It ends with this process."""

    def __init__(self, task: str, *, copied: bool = False) -> None:
        """Starts the process; with `copied`, as a fork of this one (see `Worker.fork`).

        Raises IsolationError if the process cannot be started.
        """
        ours, theirs = socket.socketpair()
        self.file = os.memfd_create('isolated')
        """The descriptor of a memory file shared with the process."""
        self.channel, self._is_ready = Channel(ours), False
        self._memory_at_first = self._memory_told = 0
        files = [theirs.fileno(), self.file]
        try:
            self._python = PythonProcess(_LOOP, task, *files, files=files, copied=copied)
        except OSError as error:
            os.close(self.file)
            ours.close()
            raise IsolationError(f'its process cannot be started: {error}') from error
        finally:
            theirs.close()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._python.child.pid

    def runs(self) -> bool:
        """Returns whether the process is still running."""
        return self._python.child.poll() is None

    def await_ready(self) -> None:
        """Waits until the process has finished its imports.

        Raises IsolationError if the process dies before, or is not ready in time.
        """
        if self._is_ready:
            return
        end = time.monotonic() + _START_S
        try:
            while 'ready' not in (message := self.receive(end)):
                pass
        except TimeoutError:
            self.kill()
            raise IsolationError(f'its process was not ready after {_START_S:g} s') from None
        except EOFError:
            raise IsolationError(f'its process did not start: {self.death()}') from None
        self._is_ready = True
        self._memory_at_first, self._memory_told = message['memory'], message['told']

    def receive(self, end: float) -> dict[str, Any]:
        """Returns the next message, and logs the process's log records that precede it."""
        while True:
            message, _ = self.channel.receive(end)
            if 'log' not in message:
                return message
            name, level, text = message['log']
            logging.getLogger(str(name)).log(int(level), '%s', text)

    def death(self) -> str:
        """Waits for the end of the process; returns the cause of death and the last output."""
        child = self._python.child
        child.end(_EXIT_S, ask=False)
        taken = round((child.peak_memory - self._memory_at_first) / MIB)
        known = child.peak_memory > self._memory_told  # otherwise it is the parent's peak
        memory = f'; it had used {taken:,} MiB of memory' if known and taken else ''
        return f'its process died: {self._python.death(memory)}'

    def kill(self) -> None:
        """Kills the process."""
        self._python.child.kill()
        self._python.child.wait()

    def close(self) -> None:
        """Ends the process and closes the files on this side."""
        self._python.close()
        self.channel.close()
        os.close(self.file)
