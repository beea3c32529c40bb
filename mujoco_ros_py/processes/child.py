"""Starts child processes: programs, and copies of this process with all modules imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .process import Process

_STANDARD = 3
"""The number of standard descriptors (input, output, errors)."""
_ASK_TO_END = signal.SIGINT, signal.SIGTERM
"""Signals that are meant for this process and must not interrupt a copy that is being forked."""
_LOOK_S = 0.001


class Child(Process):
    """A child process, as returned by `fork` and `spawn`."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._reaping = threading.Lock()
        self.peak_memory = 0
        """The peak resident memory in bytes; known once the process has ended."""

    @property
    def pid(self) -> int:
        """The process id."""
        return self._pid

    def poll(self) -> int | None:
        """Returns the exit code (negative for a signal), or None while the process runs.

        Returns 0 if other code has already collected the exit status.
        """
        with self._reaping:
            if self.returncode is None:
                try:
                    pid, status, usage = os.wait4(self._pid, os.WNOHANG)
                except ChildProcessError:  # other code has collected its status
                    self.returncode = 0
                else:
                    if pid:
                        self.returncode = os.waitstatus_to_exitcode(status)
                        self.peak_memory = 1024 * usage.ru_maxrss
            return self.returncode

    def _await(self, timeout: float | None) -> None:
        if timeout is not None:
            time.sleep(min(timeout, _LOOK_S))
            return
        # WNOWAIT leaves the exit status to `poll`. Other threads can `kill` during this wait,
        # because it does not hold the lock.
        with suppress(ChildProcessError):
            os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)

    def _send(self, number: signal.Signals) -> None:
        with self._reaping, suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self._pid, number)


def spawn(
    command: Sequence[str],
    *,
    stdin: int = subprocess.DEVNULL,
    output: int | None = None,
    files: Sequence[int] = (),
    directory: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Child:
    """Starts a program in a new session, which keeps Ctrl-C on the terminal away from it.

    The program prints to the descriptor `output` and inherits the descriptors `files` under the
    same numbers. Raises OSError if the process cannot be started or the program does not exist.
    """
    started = subprocess.Popen(
        command, stdin=stdin, stdout=output, stderr=output, pass_fds=files, cwd=directory,
        env=environment, start_new_session=True,
    )  # fmt: skip
    started.returncode = 0  # keeps Popen from waiting: only `Child` does
    return Child(started.pid)


def fork(run: Callable[[], object], output: int, files: Sequence[int]) -> Child:
    """Starts a copy of this process that calls `run` in a new session and then exits.

    The copy prints to the descriptor `output`; all its other descriptors except `files` are
    closed. Only the calling thread exists in the copy, and a lock held by another thread would
    stay locked there. The caller must therefore make sure that no other thread can hold a lock.
    Raises OSError if the process cannot be started.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # the stream is missing or closed
            stream.flush()  # otherwise the copy would print buffered output again
    # A KeyboardInterrupt in the copy would return to the caller's code.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ASK_TO_END)
    try:
        pid = os.fork()
        if pid == 0:
            _become(run, output, files, mask)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return Child(pid)


def _become(run: Callable[[], object], output: int, files: Sequence[int], mask: set[Any]) -> None:
    """Runs the copy; it never returns to the code that forked."""
    code = 1
    try:
        os.setsid()  # keeps Ctrl-C on the terminal away from the copy
        for number in _ASK_TO_END:
            signal.signal(number, signal.SIG_IGN)  # drops signals received since the fork
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _redirect(output)
        _close_all_but(files)
        run()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _redirect(output: int) -> None:
    """Redirects standard input to /dev/null, and standard output and errors to `output`."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor, stands_for in enumerate((null, output, output)):
        os.dup2(stands_for, descriptor)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout, sys.stderr = (
        os.fdopen(number, 'w', buffering=1, errors='backslashreplace', closefd=False)
        for number in (1, 2)
    )


def _close_all_but(keep: Sequence[int]) -> None:
    """Closes all descriptors except the standard descriptors and `keep`.

    Reads the list of open descriptors from /proc. Trying all numbers would take too long: there
    may be a billion.
    """
    for descriptor in map(int, os.listdir('/proc/self/fd')):
        if descriptor >= _STANDARD and descriptor not in keep:
            with suppress(OSError):  # `listdir` has already closed its own descriptor
                os.close(descriptor)
