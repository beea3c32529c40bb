"""The process of a `ForkServer`: it imports a program, and copies itself when it is asked."""

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
"""How long copies may take to end by themselves once their starter was killed."""
_SET_DEATH_SIGNAL = 1
"""The option of `prctl`; see prctl(2)."""


class CopiedProcess:
    """The program that is ready to be copied, and the copies that run."""

    def __init__(self, program: str, connection: int, standard: Sequence[str]) -> None:
        """Imports the program; requests come on the socket with the descriptor `connection`.

        `standard` is Python's path without that of PYTHONPATH.
        """
        self._standard = standard
        self._program = import_module(program)
        self._program.prepare()
        self._control = socket.socket(fileno=connection)
        self._running: dict[int, tuple[Child, int]] = {}
        self._is_orphan = False
        gc.collect()
        gc.freeze()  # Python's collector would write to, and so copy, the memory of all modules

    def run(self) -> None:
        """Starts copies until the starter says farewell and all copies have ended.

        If the starter was killed, the kernel kills the copies after a while, with this process.
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
        """Makes a copy, as a request asks, and returns a descriptor that is ready at its end.

        Returns 0 if no process can be made, and None if the starter is gone.
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
            os.write(output, f'no process can be made: {error}\n'.encode())
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
        """Runs the program in a copy, and ends that with its exit code."""
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
            with suppress(AttributeError, OSError, ValueError):  # it may be missing, or closed
                stream.flush()
        os._exit(code)


def _end_with_parent() -> None:
    """Has the kernel kill this copy when the process ends of which it is a copy.

    That process has one thread, whose end is its own.
    """
    ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _tell(told: int, number: int) -> None:
    with suppress(BrokenPipeError):  # nobody wants to know
        os.write(told, NUMBER.pack(number))


def _renumber(descriptors: Sequence[int], wanted: Sequence[int]) -> None:
    """Gives open files other descriptors, some of which may be descriptors of one another."""
    highest = max([0, *descriptors, *wanted])
    above = [fcntl.fcntl(each, fcntl.F_DUPFD, highest + 1) for each in descriptors]
    for each in descriptors:
        os.close(each)
    for each, number in zip(above, wanted, strict=True):
        os.dup2(each, number)
        os.close(each)


def main(standard: Sequence[str]) -> None:
    """Runs the process, whose arguments are those that `ForkServer` gives."""
    _, program, connection, os.environ['PYTHONPATH'] = sys.argv
    CopiedProcess(program, int(connection), standard).run()
