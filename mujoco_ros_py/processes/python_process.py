"""Calls a function in a separate Python process that ends with this process."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from .child import Child, fork, spawn
from .process import cause_of_death

_LAST_WORDS = 600
"""The number of bytes at the end of the output that `PythonProcess.death` returns."""


class PythonProcess:
    """A separate Python process. The kernel kills it when this process ends in any way."""

    def __init__(
        self, function: str, *arguments: object, files: Sequence[int], copied: bool = False
    ) -> None:
        """Starts the process, which calls the function and exits with its result.

        `function` is written as `module:function`; it receives the arguments as strings. The
        process inherits the descriptors `files` under the same numbers. With `copied`, it is a
        copy of this process; see `Worker.fork`. Raises OSError if the process cannot be started.
        """
        alive, self._lifeline = os.pipe()
        self._output = os.memfd_create('output')
        words = [function, str(alive), *map(str, arguments)]
        keep = [alive, *files]
        self.child: Child
        """The process itself."""
        try:
            if copied:
                self.child = fork(lambda: run(*words), self._output, keep)
            else:
                command = [sys.executable, '-m', __package__, *words]
                self.child = spawn(command, output=self._output, files=keep)
        except OSError:
            self._close_files()
            raise
        finally:
            os.close(alive)

    def death(self, note: str = '') -> str:
        """Returns the process's cause of death, followed by `note` and its last output."""
        words = self._last_words()
        return f'{cause_of_death(self.child.wait())}{note}{": " if words else ""}{words}'

    def close(self) -> None:
        """Kills the process and closes the files on this side."""
        self.child.kill()
        self.child.wait()
        self._close_files()

    def _close_files(self) -> None:
        for descriptor in (self._lifeline, self._output):
            os.close(descriptor)

    def _last_words(self) -> str:
        size = os.fstat(self._output).st_size
        tail = os.pread(self._output, _LAST_WORDS, max(0, size - _LAST_WORDS))
        return ' '.join(tail.decode(errors='replace').split())


def run(function: str, lifeline: str, *arguments: str) -> int | None:
    """Calls the function and returns its result; runs in the separate process."""
    _end_with(int(lifeline))
    with suppress(OSError), open('/proc/self/oom_score_adj', 'w') as score:
        score.write('1000')  # when memory runs out, the kernel kills this process first
    module, _, name = function.partition(':')
    code: int | None = getattr(import_module(module), name)(*arguments)
    return code


def _end_with(lifeline: int) -> None:
    """Makes the kernel kill this process when the other end of the pipe `lifeline` is closed.

    A parent-death signal would not work: the kernel sends it when the thread that started this
    process ends. A thread that watches the pipe would not work: it may never get the GIL.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(lifeline, fcntl.F_GETFL))
    closed = select.poll()
    closed.register(lifeline, 0)
    if closed.poll(0):
        os._exit(0)
