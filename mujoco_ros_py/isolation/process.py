"""One process that carries out requests: how it begins, and how it ended."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from ..errors import IsolationError
from .channel import Channel
from .limits import MIB

_START_S = 60.0
"""A process that does not get ready in this time is not waited for."""
_EXIT_S = 5.0
"""A process that has closed its end of the channel gets so long to exit."""
_LAST_WORDS = 600
"""Bytes of its output that an error shows."""


class Process:
    """A Python of its own, which the kernel kills when this process ends, however that ends."""

    def __init__(self, task: str) -> None:
        """Raises IsolationError if there can be no process."""
        ours, theirs = socket.socketpair()
        alive, self._lifeline = os.pipe()
        self.file, self._output = os.memfd_create('isolated'), os.memfd_create('output')
        self.channel, self._is_ready, self._usage = Channel(ours), False, 0
        given = theirs.fileno(), alive, self.file
        command = [sys.executable, '-m', f'{__package__}.child', task, *map(str, given)]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=self._output,
                stderr=self._output,
                pass_fds=given,
                start_new_session=True,  # Ctrl-C on the terminal is not for it
            )
        except OSError as error:
            self._close_files()
            raise IsolationError(f'its process cannot be started: {error}') from error
        finally:
            theirs.close()
            os.close(alive)

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def await_ready(self) -> None:
        """Waits until it has imported what it needs. Raises IsolationError if it never has."""
        if self._is_ready:
            return
        end = time.monotonic() + _START_S
        try:
            while 'ready' not in self.receive(end):
                pass
        except TimeoutError:
            self.kill()
            raise IsolationError(f'its process was not ready after {_START_S:g} s') from None
        except (EOFError, OSError):
            raise IsolationError(f'its process did not start: {self.death()}') from None
        self._is_ready = True

    def receive(self, end: float) -> dict[str, Any]:
        """The next message, once what it has logged before is in the log of this process."""
        while True:
            message, _ = self.channel.receive(end)
            if 'log' not in message:
                return message
            name, level, text = message['log']
            logging.getLogger(str(name)).log(int(level), '%s', text)

    def death(self) -> str:
        """How it ended, and what it printed last."""
        self._reap()
        status = self._process.returncode
        how = f'signal {_named(-status)}' if status < 0 else f'exit code {status}'
        memory = f'; it had taken {self._usage / MIB:,.0f} MiB of memory' if self._usage else ''
        words = self._last_words()
        return f'its process died of {how}{memory}{": " if words else ""}{words}'

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Ends it and gives back what this side has of it."""
        self.kill()
        self.channel.close()
        self._close_files()

    def _close_files(self) -> None:
        for descriptor in (self._lifeline, self.file, self._output):
            os.close(descriptor)

    def _reap(self) -> None:
        """Waits for its end, and keeps how much memory it had at its peak."""
        end = time.monotonic() + _EXIT_S
        with suppress(ChildProcessError):  # it was killed on another thread
            while self._process.returncode is None:
                pid, status, usage = os.wait4(self.pid, os.WNOHANG)
                if pid:
                    self._process.returncode = os.waitstatus_to_exitcode(status)
                    self._usage = 1024 * usage.ru_maxrss
                elif time.monotonic() > end:
                    self._process.kill()
                else:
                    time.sleep(0.001)
        self._process.wait()

    def _last_words(self) -> str:
        size = os.fstat(self._output).st_size
        tail = os.pread(self._output, _LAST_WORDS, max(0, size - _LAST_WORDS))
        return ' '.join(tail.decode(errors='replace').split())


def _named(number: int) -> str:
    """A signal by name and meaning; SIGKILL is what the kernel sends when memory runs out."""
    name = signal.Signals(number).name if number in set(signal.Signals) else str(number)
    meaning = 'killed from outside' if number == signal.SIGKILL else signal.strsignal(number)
    return f'{name} ({meaning})'
