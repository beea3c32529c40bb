"""The server process of a `ForkServer`: imports a program and forks a copy for each request."""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import gc
import json
import logging
import os
import select
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from .child import Child, fork
from .fork_server import FAREWELL, NUMBER

_LARGEST = 1 << 18
"""The maximum size of a request in bytes."""
_MOST_FILES = 64
_GRACE_MS = 5000
"""How long copies may take to end, in ms, after the process that requested them has died."""
_SET_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


class CopiedProcess:
    """An imported program, ready to be copied, and its running copies."""

    def __init__(self, program: str, connection: int, standard: Sequence[str]) -> None:
        """Imports the program. `connection` is the descriptor of the socket for requests.

        `standard` is Python's module search path without the entries of PYTHONPATH.
        """
        self._standard = standard
        self._program = import_module(program)
        self._program.prepare()
        self._control = socket.socket(fileno=connection)
        self._running: dict[int, tuple[Child, int]] = {}
        self._is_orphan = False
        gc.collect()
        # The garbage collector would write to the memory of all modules, and each copy would then
        # need its own pages.
        gc.freeze()

    def run(self) -> None:
        """Serves requests until `ForkServer` closes and all copies have ended.

        If the process of the `ForkServer` was killed, this process exits after 5 s without an
        event, and the kernel then kills the remaining copies.
        """
        events = select.poll()
        events.register(self._control, select.POLLIN)
        is_open = True
        while is_open or self._running:
            ready = events.poll(_GRACE_MS if self._is_orphan else None)
            if not ready:
                os._exit(1)
            for descriptor, _ in ready:
                if descriptor in self._running:
                    events.unregister(descriptor)
                    self._tell_end(descriptor)
                elif (begun := self._begin()) is None:
                    is_open = False
                    events.unregister(self._control)
                elif begun:
                    events.register(begun, select.POLLIN)

    def _begin(self) -> int | None:
        """Receives a request and forks a copy; returns the copy's pidfd.

        The pidfd becomes readable when the copy ends. Returns 0 if the fork failed, and None if
        the `ForkServer` has closed or its process died.
        """
        message, given, _, _ = socket.recv_fds(self._control, _LARGEST, _MOST_FILES)
        if not message or message == FAREWELL:
            self._is_orphan = not message
            return None
        request = json.loads(message)
        output, told, *files = given
        try:
            copy = fork(lambda: self._become(request, files), output, files)
        except OSError as error:
            os.write(output, f'cannot fork a process: {error}\n'.encode())
            os.close(told)
            return 0
        finally:
            for descriptor in (output, *files):
                os.close(descriptor)
        _tell(told, copy.pid)
        end = os.pidfd_open(copy.pid)
        self._running[end] = copy, told
        return end

    def _tell_end(self, descriptor: int) -> None:
        copy, told = self._running.pop(descriptor)
        os.close(descriptor)
        _tell(told, copy.wait())
        os.close(told)

    def _become(self, request: Mapping[str, Any], files: Sequence[int]) -> None:
        """Runs the program in a copy, and exits with the program's exit code."""
        _end_with_parent()
        _renumber(files, request['files'])
        os.environ.update(request['changes'])
        python_path = filter(None, os.environ['PYTHONPATH'].split(os.pathsep))
        sys.path[:] = [request['directory'], *python_path, *self._standard]
        os.chdir(request['directory'])
        sys.argv[1:] = request['words']
        try:
            code = self._program.main()
        except SystemExit as end:
            code = end.code
        atexit._run_exitfuncs()
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # the stream is missing or closed
                stream.flush()
        os._exit(code)


def _end_with_parent() -> None:
    """Makes the kernel kill this copy when its parent, the server process, ends.

    The kernel sends this signal when the forking thread ends. The server process has only one
    thread, so this is the end of the process.
    """
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _tell(told: int, number: int) -> None:
    with suppress(BrokenPipeError):  # the reader has gone
        os.write(told, NUMBER.pack(number))


def _renumber(descriptors: Sequence[int], wanted: Sequence[int]) -> None:
    """Moves open files to the wanted descriptors, which may overlap with the current ones."""
    highest = max([0, *descriptors, *wanted])
    above = [fcntl.fcntl(each, fcntl.F_DUPFD, highest + 1) for each in descriptors]
    for each in descriptors:
        os.close(each)
    for each, number in zip(above, wanted, strict=True):
        os.dup2(each, number)
        os.close(each)


def main(standard: Sequence[str]) -> None:
    """Runs the server process with the arguments that `ForkServer` passes in `sys.argv`."""
    _, program, connection, os.environ['PYTHONPATH'] = sys.argv
    CopiedProcess(program, int(connection), standard).run()
