"""What all processes have in common that this one has started: waiting, ending, and the reason."""

from __future__ import annotations

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path

_LAST_LINES = 15
"""The number of lines of its log that the report about a process shows."""


class Process(ABC):
    """A process that was started, with the methods of `subprocess.Popen` that are needed.

    Any thread may call them.
    """

    returncode: int | None = None
    """The exit code, negative for a signal; None while the process runs, as far as known."""

    @property
    @abstractmethod
    def pid(self) -> int:
        """The process id."""

    @abstractmethod
    def poll(self) -> int | None:
        """Returns the exit code, negative for a signal, or None while the process runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end of the process, and returns the exit code.

        Raises subprocess.TimeoutExpired after so many seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                raise subprocess.TimeoutExpired('a process', timeout or 0.0)
            self._await(left)
        return code

    def terminate(self) -> None:
        """Asks the process to end."""
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        """Kills the process."""
        self._send(signal.SIGKILL)

    def end(self, grace_s: float, *, ask: bool = True) -> int:
        """Ends the process, by force after the grace time, and returns the exit code.

        Without `ask`, the process knows already that it has to end.
        """
        if ask:
            self.terminate()
        with suppress(subprocess.TimeoutExpired):
            return self.wait(grace_s)
        self.kill()
        return self.wait()

    @abstractmethod
    def _await(self, timeout: float | None) -> None:
        """Sleeps until the process may have ended, or until so many seconds have passed."""

    @abstractmethod
    def _send(self, number: signal.Signals) -> None:
        """Sends a signal, unless the process has ended and another one may have its id."""


def cause_of_death(code: int) -> str:
    """Returns an exit code in words; the kernel sends SIGKILL when memory runs out."""
    if code >= 0:
        return f'exit code {code}'
    meaning = 'killed from outside' if -code == signal.SIGKILL else signal.strsignal(-code)
    return f'signal {_name(-code)} ({meaning})'


def end_and_log(who: str, code: int, log: Path) -> str:
    """Returns a sentence about the end of a process, and the last lines of its log."""
    how = f'with the code {code}' if code >= 0 else f'by {_name(-code)}'
    told = f'{who} has ended {how}'
    lines = log.read_text(errors='replace').splitlines() if log.exists() else []
    return '\n'.join([f'{told}; its log:', *lines[-_LAST_LINES:]]) if lines else told


def _name(number: int) -> str:
    return signal.Signals(number).name if number in set(signal.Signals) else str(number)
