"""A process that begins as a copy of this one, so that all that is imported here is there."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

_STANDARD = 3
"""How many descriptors are standard: input, output and errors."""
_ASK_TO_END = signal.SIGINT, signal.SIGTERM
"""Signals that are for this process and not for the copy."""


class Fork:
    """A process that is forked, with what `Process` uses of `subprocess.Popen`.

    A copy has only the thread that forks, so this one must have no other that may hold a lock.
    """

    def __init__(self, run: Callable[[], None], output: int, keep: Sequence[int]) -> None:
        """`run` is all that the copy does; it prints to `output`, and has the files `keep`.

        Raises OSError if there can be no process.
        """
        self.returncode: int | None = None
        self._waiting = threading.Lock()
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # it is missing or closed
                stream.flush()  # else the copy would print what is left in them, too
        # Ctrl-C must not make an exception in the copy, which would leave by the caller's code.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ASK_TO_END)
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become(run, output, keep, mask)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None: it runs.

        It is 0 if somebody else has asked the system for it.
        """
        with self._waiting:
            if self.returncode is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # somebody else has reaped it
                    pid, status = self.pid, 0
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
            return self.returncode

    def wait(self) -> int:
        """The exit code, once the process has ended."""
        while (code := self.poll()) is None:
            with suppress(ChildProcessError):  # leaves it to `poll`, and lets others `kill` it
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        return code

    def kill(self) -> None:
        """Ends it, unless it has ended and its number may be another's."""
        with self._waiting, suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)


def _become(run: Callable[[], None], output: int, keep: Sequence[int], mask: set[Any]) -> None:
    """What the copy does; it never returns to the code that forked."""
    code = 1
    try:
        os.setsid()  # Ctrl-C on the terminal is not for it
        for number in _ASK_TO_END:
            signal.signal(number, signal.SIG_IGN)  # forgets those that came since the fork
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _redirect(output)
        _close_all_but(keep)
        run()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _redirect(output: int) -> None:
    """Input is empty, and all that is printed goes to `output`, whatever it went to here."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, stands_for in enumerate((null, output, output)):
        os.dup2(stands_for, descriptor)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (
        os.fdopen(number, 'w', buffering=1, errors='backslashreplace', closefd=False)
        for number in (1, 2)
    )


def _close_all_but(keep: Sequence[int]) -> None:
    """Closes what is open, as told by the kernel: there may be a thousand million descriptors."""
    for descriptor in map(int, os.listdir('/proc/self/fd')):
        if descriptor >= _STANDARD and descriptor not in keep:
            with suppress(OSError):  # the folder's own is closed already
                os.close(descriptor)
