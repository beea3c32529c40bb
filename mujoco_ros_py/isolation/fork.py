"""A process that begins as a copy of this one, so that all that is imported here is there."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress

_STANDARD = 3
"""Descriptors: input, output and errors."""


class Fork:
    """Of `subprocess.Popen` what `Process` uses, for a process that is forked.

    A copy has only the thread that forks, so this one must have no other that may hold a lock.
    """

    def __init__(self, run: Callable[[], None], output: int, keep: Sequence[int]) -> None:
        """`run` is all that the copy does; it prints to `output`, and has the files `keep`."""
        self.returncode: int | None = None
        self._waiting = threading.Lock()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()  # else the copy would print what is left in them, too
        self.pid = os.fork()
        if self.pid == 0:
            _become(run, output, keep)

    def poll(self) -> int | None:
        """The exit code, negative for a signal; None: it runs."""
        return self._wait(os.WNOHANG)

    def wait(self) -> int:
        """The exit code, once the process has ended; 0 if somebody else has asked for it."""
        self._wait(0)
        return self.returncode or 0

    def kill(self) -> None:
        """Ends it, unless it has ended and its number may be another's."""
        with self._waiting:
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)

    def _wait(self, options: int) -> int | None:
        with self._waiting:
            if self.returncode is None:
                with suppress(ChildProcessError):  # somebody else has reaped it
                    pid, status = os.waitpid(self.pid, options)
                    if pid:
                        self.returncode = os.waitstatus_to_exitcode(status)
            return self.returncode


def _become(run: Callable[[], None], output: int, keep: Sequence[int]) -> None:
    """What the copy does; it never returns to the code that forked."""
    code = 1
    try:
        os.setsid()  # Ctrl-C on the terminal is not for it
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor, stands_for in enumerate((null, output, output)):
            os.dup2(stands_for, descriptor)
        _close_all_but(keep)
        run()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _close_all_but(keep: Sequence[int]) -> None:
    begin = _STANDARD
    for descriptor in sorted(keep):
        os.closerange(begin, descriptor)
        begin = descriptor + 1
    os.closerange(begin, os.sysconf('SC_OPEN_MAX'))
