"""The interface that all child processes share, and messages about their end."""

from __future__ import annotations

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

_LAST_LINES = 15
"""The number of lines at the end of a log that `end_and_log` returns."""


class Process(ABC):
    """A child process, with some of the methods of `subprocess.Popen`.

    Any thread may call the methods.
    """

    returncode: int | None = None
    """The exit code (negative for a signal); None until `poll` has noticed the end."""

    @property
    @abstractmethod
    def pid(self) -> int:
        """The process id."""

    @abstractmethod
    def poll(self) -> int | None:
        """Returns the exit code (negative for a signal), or None while the process runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Waits until the process has ended; returns the exit code.

        Raises subprocess.TimeoutExpired after `timeout` seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired('a process', timeout or 0.0)
            self._await(left)
        return code

    def terminate(self) -> None:
        """Asks the process to end (SIGTERM)."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Kills the process (SIGKILL)."""
        self._send(signal.SIGKILL)

    def end(self, grace_s: float, *, ask: bool = True) -> int:
        """Terminates the process, kills it after the grace time, and returns the exit code.

        Pass `ask=False` if the process already knows that it has to end.
        """
        if ask:
            self.terminate()
        with suppress(subprocess.TimeoutExpired):
            return self.wait(grace_s)
        self.kill()
        return self.wait()

    @abstractmethod
    def _await(self, timeout: float | None) -> None:
        """Sleeps until the process may have ended, for `timeout` seconds at most."""

    @abstractmethod
    def _send(self, number: signal.Signals) -> None:
        """Sends a signal, unless the process has ended and its id may have been reused."""


def cause_of_death(code: int) -> str:
    """Describes an exit code in words.

    SIGKILL is described as `killed from outside`: the kernel sends it when memory runs out.
    """
    if code >= 0:
        return f'exit code {code}'
    meaning = 'killed from outside' if -code == signal.SIGKILL else signal.strsignal(-code)
    return f'signal {_name(-code)} ({meaning})'


def end_and_log(who: str, code: int, log: Path) -> str:
    """Returns a message about how a process ended, and the last lines of its log."""
    how = f'exited with code {code}' if code >= 0 else f'was killed by {_name(-code)}'
    told = f'{who} {how}'
    lines = log.read_text(errors='replace').splitlines() if log.exists() else []
    return '\n'.join([f'{told}; its log:', *lines[-_LAST_LINES:]]) if lines else told


def _name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)
