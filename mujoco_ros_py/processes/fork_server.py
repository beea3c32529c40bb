"""Starts programs as copies of a process that has already imported their modules."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
import sys
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress

from .child import spawn
from .process import Process

NUMBER = struct.Struct('=q')
"""The format of the server's reports on a program: first its process id, then its exit code."""
FAREWELL = b'farewell'
"""The last message to the server; running programs continue after it."""
_BEGIN = (
    'import sys; standard = sys.path[1:]; sys.path[1:1] = filter(None, sys.argv[3].split(":"));'
    f'from {__package__}.copied_process import main; main(standard)'
)
"""The Python code of the server process. The process starts with an empty PYTHONPATH and adds the
folders itself, because Python drops duplicates from its path: if PYTHONPATH contained a folder of
the standard library, copies with another PYTHONPATH would lack this folder."""
_KILLED = -int(signal.SIGKILL)


class ForkServer:
    """A server process that imports a program and forks a copy of itself for each start.

    After `close`, the server process ends with its last program. If this process is killed, the
    programs have five seconds to end by themselves.
    """

    def __init__(self, program: str, environment: Mapping[str, str]) -> None:
        """Starts the server process with this environment, without waiting until it is ready.

        `program` names a module with two functions: the server process calls `prepare()` to import
        and load everything, and each copy calls `main()`, which returns the exit code. Raises
        OSError if the process cannot be started.
        """
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        path = environment.get('PYTHONPATH', '')
        command = [sys.executable, '-c', _BEGIN, program, str(theirs.fileno()), path]
        try:
            self._process = spawn(
                command, files=[theirs.fileno()], environment={**environment, 'PYTHONPATH': ''}
            )
        except BaseException:
            self._control.close()
            raise
        finally:
            theirs.close()

    def start(
        self, words: Sequence[str], changes: Mapping[str, str], output: int, files: Sequence[int]
    ) -> Copy:
        """Starts the program in the current directory, without waiting for it.

        `words` are the program's arguments, `changes` the environment variables that differ from
        the server's. A PYTHONPATH in `changes` takes effect. The program prints to the descriptor
        `output`, and inherits the descriptors `files` under the same numbers. Raises OSError if
        the server process has ended.
        """
        request = {
            'words': [*words],
            'changes': {**changes},
            'directory': os.getcwd(),
            'files': [*files],
        }
        ours, theirs = os.pipe()
        try:
            given = [output, theirs, *files]
            socket.send_fds(self._control, [json.dumps(request).encode()], given)
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        return Copy(ours)

    def close(self) -> bool:
        """Ends the server process once no program runs; returns whether it has already ended."""
        with suppress(OSError):  # already closed, or the process has ended
            self._control.send(FAREWELL)
        self._control.close()
        return self._process.poll() is not None

    def await_end(self) -> None:
        """Waits until the server process has ended. Call `close` first."""
        self._process.wait()


class ForkServers:
    """Starts a program as copies; replaces the server process when the environment has changed."""

    def __init__(self, program: str, own: Collection[str]) -> None:
        """`own` names the environment variables that may differ between copies of one server.

        See `ForkServer` for `program`.
        """
        self._program, self._own = program, own
        self._lock = threading.Lock()
        self._server: ForkServer | None = None
        self._environment: dict[str, str] = {}
        self._ending: list[ForkServer] = []

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], output: int, files: list[int]
    ) -> Copy:
        """Starts the program with this environment."""
        shared = {name: value for name, value in environment.items() if name not in self._own}
        own = {name: value for name, value in environment.items() if name in self._own}
        with self._lock:
            if self._server is not None and self._environment == shared:
                try:
                    return self._server.start(words, own, output, files)
                except OSError:  # the server process was killed
                    pass
            self._close()
            # In a colcon workspace, Python finds the program only through PYTHONPATH.
            found = {'PYTHONPATH': environment.get('PYTHONPATH', '')}
            self._server = ForkServer(self._program, {**shared, **found})
            self._environment = shared
            return self._server.start(words, own, output, files)

    def close(self) -> None:
        """Ends the server process once its running copies have ended."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._ending.append(self._server)
            self._server = None
        self._ending = [each for each in self._ending if not each.close()]


class Copy(Process):
    """A program started by a `ForkServer`."""

    def __init__(self, told: int) -> None:
        """`told` is the read end of the pipe to which the server writes its `NUMBER` reports."""
        os.set_blocking(told, False)
        self._told, self._taking = told, threading.Lock()
        self._pid: int | None = None

    @property
    def pid(self) -> int:
        """The process id; 0 if the fork failed. Blocks until the server is ready."""
        while self.poll() is None and self._pid is None:
            self._await(None)
        return self._pid or 0

    def poll(self) -> int | None:
        """Returns the exit code (negative for a signal), or None while the program runs."""
        with self._taking:
            while self.returncode is None:
                try:
                    self._take(os.read(self._told, NUMBER.size))
                except BlockingIOError:
                    break
            return self.returncode

    def _send(self, number: signal.Signals) -> None:
        if (pid := self.pid) and self.poll() is None:
            os.kill(pid, number)

    def _await(self, timeout: float | None) -> None:
        told = select.poll()
        told.register(self._told, select.POLLIN)
        told.poll(None if timeout is None else 1000.0 * timeout)

    def _take(self, told: bytes) -> None:
        if told and self._pid is None:
            (self._pid,) = NUMBER.unpack(told)
        elif told:
            (self.returncode,) = NUMBER.unpack(told)
        else:  # the server process has died; no exit code will be reported
            if self._pid:
                os.kill(self._pid, signal.SIGKILL)
            self.returncode = _KILLED

    def __del__(self) -> None:
        os.close(self._told)
