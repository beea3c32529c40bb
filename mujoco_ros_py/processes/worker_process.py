"""The isolated process as this process sees it: its start, its end and its cause of death."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..errors import IsolationError
from . import child
from .channel import Channel
from .fork import Fork
from .limits import MIB

_START_S = 60.0
"""The maximum time in s from the start of a process until it is ready."""
_EXIT_S = 5.0
"""The time in s that a process has to exit after closing its end of the channel."""
_LAST_WORDS = 600
"""The number of bytes of its output that an error shows."""


class Process:
    """A separate Python process, which the kernel kills when this process ends in any way."""

    def __init__(self, task: str, *, copied: bool = False) -> None:
        """Starts the process; `copied` is described at `Worker.fork`.

        Raises IsolationError if no process can be made.
        """
        ours, theirs = socket.socketpair()
        alive, self._lifeline = os.pipe()
        self.file, self._output = os.memfd_create('isolated'), os.memfd_create('output')
        self.channel, self._is_ready = Channel(ours), False
        self._memory_at_first = self._memory_told = self._memory = 0
        self._ending = threading.Lock()
        given = [task, str(theirs.fileno()), str(alive), str(self.file)]
        keep = theirs.fileno(), alive, self.file
        begin = self._fork if copied else self._spawn
        try:
            self._process = begin(given, keep)
        except OSError as error:
            self._close_files()
            raise IsolationError(f'its process cannot be started: {error}') from error
        finally:
            theirs.close()
            os.close(alive)

    def _spawn(self, given: Sequence[str], keep: Sequence[int]) -> subprocess.Popen[bytes] | Fork:
        return subprocess.Popen(
            [sys.executable, '-m', __package__, *given],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            pass_fds=keep,
            start_new_session=True,  # Ctrl-C on the terminal is not for it
        )

    def _fork(self, given: Sequence[str], keep: Sequence[int]) -> subprocess.Popen[bytes] | Fork:
        return Fork(lambda: child.main(*given), self._output, keep)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def runs(self) -> bool:
        """Returns whether the process is still running."""
        return self._process.poll() is None

    def await_ready(self) -> None:
        """Waits until the process has imported what it needs. Raises IsolationError otherwise."""
        if self._is_ready:
            return
        end = time.monotonic() + _START_S
        try:
            while 'ready' not in (message := self.receive(end)):
                pass
        except TimeoutError:
            self.kill()
            raise IsolationError(f'its process was not ready after {_START_S:g} s') from None
        except (EOFError, OSError):
            raise IsolationError(f'its process did not start: {self.death()}') from None
        self._is_ready = True
        self._memory_at_first, self._memory_told = message['memory'], message['told']

    def receive(self, end: float) -> dict[str, Any]:
        """Returns the next message, after logging what the process has logged before."""
        while True:
            message, _ = self.channel.receive(end)
            if 'log' not in message:
                return message
            name, level, text = message['log']
            logging.getLogger(str(name)).log(int(level), '%s', text)

    def death(self) -> str:
        """Returns how the process ended, and its last output."""
        status = self._reap()
        how = f'signal {_named(-status)}' if status < 0 else f'exit code {status}'
        taken = round((self._memory - self._memory_at_first) / MIB)
        known = self._memory > self._memory_told  # else it is the peak of its starter
        memory = f'; it had used {taken:,} MiB of memory' if known and taken else ''
        words = self._last_words()
        return f'its process died of {how}{memory}{": " if words else ""}{words}'

    def kill(self) -> None:
        """Kills the process."""
        with self._ending:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """Ends the process, and frees the resources of this side."""
        self.kill()
        self.channel.close()
        self._close_files()

    def _close_files(self) -> None:
        for descriptor in (self._lifeline, self.file, self._output):
            os.close(descriptor)

    def _reap(self) -> int:
        """Waits for the end of the process, and stores its peak memory; returns the exit code."""
        end = time.monotonic() + _EXIT_S
        while not self._has_ended():
            if time.monotonic() > end:
                self.kill()
            else:
                time.sleep(0.001)
        return self._process.wait()

    def _has_ended(self) -> bool:
        with self._ending, suppress(ChildProcessError):  # another thread has killed it
            if self._process.returncode is None:
                pid, status, usage = os.wait4(self.pid, os.WNOHANG)
                if not pid:
                    return False
                self._process.returncode = os.waitstatus_to_exitcode(status)
                self._memory = 1024 * usage.ru_maxrss
        return True

    def _last_words(self) -> str:
        size = os.fstat(self._output).st_size
        tail = os.pread(self._output, _LAST_WORDS, max(0, size - _LAST_WORDS))
        return ' '.join(tail.decode(errors='replace').split())


def _named(number: int) -> str:
    """Returns a signal's name and meaning; the kernel sends SIGKILL when memory runs out."""
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    meaning = 'killed from outside' if number == signal.SIGKILL else signal.strsignal(number)
    return f'{name} ({meaning})'
