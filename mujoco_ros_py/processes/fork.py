"""A process that begins as a copy of this one, with all modules already imported."""

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
"""The number of standard descriptors: input, output and errors."""
_ASK_TO_END = signal.SIGINT, signal.SIGTERM
"""The signals that are meant for this process and not for the copy."""


class Fork:
    """A forked process with the methods of `subprocess.Popen` that `Process` uses.

    A copy has only the thread that forks; therefore this process must have no other thread that
    may hold a lock.
    """

    def __init__(self, run: Callable[[], None], output: int, keep: Sequence[int]) -> None:
        """Forks a copy that only calls `run`, prints to `output`, and has the files `keep`.

        Raises OSError if no process can be made.
        """
        self.returncode: int | None = None
        self._waiting = threading.Lock()
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # the stream is missing or closed
                stream.flush()  # otherwise the copy would print buffered output again
        # Ctrl-C must not raise an exception in the copy, which would return to the caller's code.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ASK_TO_END)
        try:
            self.pid = os.fork()
            if self.pid == 0:
                _become(run, output, keep, mask)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def poll(self) -> int | None:
        """Returns the exit code, negative for a signal, or None while the process runs.

        It returns 0 if other code has already collected the exit status.
        """
        with self._waiting:
            if self.returncode is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # other code has collected its status
                    pid, status = self.pid, 0
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
            return self.returncode

    def wait(self) -> int:
        """Waits until the process has ended, and returns the exit code."""
        while (code := self.poll()) is None:
            with suppress(ChildProcessError):  # leaves it to `poll`, and lets others `kill` it
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        return code

    def kill(self) -> None:
        """Kills the process, unless it has ended and another process may have its number."""
        with self._waiting, suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, signal.SIGKILL)


def _become(run: Callable[[], None], output: int, keep: Sequence[int], mask: set[Any]) -> None:
    """Runs the copy; it never returns to the code that forked."""
    code = 1
    try:
        os.setsid()  # Ctrl-C on the terminal is not for the copy
        for number in _ASK_TO_END:
            signal.signal(number, signal.SIG_IGN)  # drops signals that came since the fork
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
    """Makes the input empty, and redirects all output to `output`."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, stands_for in enumerate((null, output, output)):
        os.dup2(stands_for, descriptor)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (
        os.fdopen(number, 'w', buffering=1, errors='backslashreplace', closefd=False)
        for number in (1, 2)
    )


def _close_all_but(keep: Sequence[int]) -> None:
    """Closes all other descriptors, which the kernel lists, as there may be a thousand million."""
    for descriptor in map(int, os.listdir('/proc/self/fd')):
        if descriptor >= _STANDARD and descriptor not in keep:
            with suppress(OSError):  # the folder's own is closed already
                os.close(descriptor)
