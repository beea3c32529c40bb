"""Starts programs as copies of a process that has imported their modules already."""

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
"""What the server tells of a program: its process id at first, and its exit code at its end."""
FAREWELL = b'farewell'
"""The last message of a starter that leaves the programs running."""
_BEGIN = (
    'import sys; standard = sys.path[1:]; sys.path[1:1] = filter(None, sys.argv[3].split(":"));'
    f'from {__package__}.copied_process import main; main(standard)'
)
"""The program of the server. Python itself would leave out of its path what PYTHONPATH has too;
copies with another PYTHONPATH would lack that, such as the standard library."""
_KILLED = -int(signal.SIGKILL)


class ForkServer:
    """A process that imports what a program needs, and makes a copy of itself for each start.

    Once it is closed, it ends with the last of its programs. If this process is killed, the
    programs have five seconds to end by themselves.
    """

    def __init__(self, program: str, environment: Mapping[str, str]) -> None:
        """Starts the process with this environment, and does not wait for it.

        `program` names a module with the functions `prepare()`, which imports and loads, and
        `main()`, which each copy calls and which returns its exit code. Raises OSError if no
        process can be made.
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
        """Starts the program in the directory of this process, and does not wait for it.

        `words` are its arguments, and `changes` the variables that differ from the environment of
        the server; modules are found along a PYTHONPATH among them. The program prints to the
        descriptor `output`, and has the descriptors `files` under the same numbers. Raises OSError
        if the server is gone.
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
        """Ends the process as soon as no program runs, and returns whether it has ended yet."""
        with suppress(OSError):  # closed before, or the process is gone
            self._control.send(FAREWELL)
        self._control.close()
        return self._process.poll() is not None

    def await_end(self) -> None:
        """Waits until the process has ended; call `close` before."""
        self._process.wait()


class ForkServers:
    """Starts a program as copies; another environment needs another process that is copied."""

    def __init__(self, program: str, own: Collection[str]) -> None:
        """`program` is that of `ForkServer`; the variables `own` may differ between its copies."""
        self._program, self._own = program, own
        self._lock = threading.Lock()
        self._server: ForkServer | None = None
        self._environment: dict[str, str] = {}
        self._ending: list[ForkServer] = []

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], output: int, files: list[int]
    ) -> Copy:
        """Starts the program, whose process has this environment."""
        shared = {name: value for name, value in environment.items() if name not in self._own}
        own = {name: value for name, value in environment.items() if name in self._own}
        with self._lock:
            if self._server is not None and self._environment == shared:
                try:
                    return self._server.start(words, own, output, files)
                except OSError:  # somebody has ended it
                    pass
            self._close()
            # Only PYTHONPATH leads to the program in workspaces of colcon.
            found = {'PYTHONPATH': environment.get('PYTHONPATH', '')}
            self._server = ForkServer(self._program, {**shared, **found})
            self._environment = shared
            return self._server.start(words, own, output, files)

    def close(self) -> None:
        """Ends the process, once the copies have ended that run."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._server is not None:
            self._ending.append(self._server)
            self._server = None
        self._ending = [each for each in self._ending if not each.close()]


class Copy(Process):
    """A program that a `ForkServer` has started."""

    def __init__(self, told: int) -> None:
        """`told` is the end of a pipe on which the server tells `NUMBER`s."""
        os.set_blocking(told, False)
        self._told, self._taking = told, threading.Lock()
        self._pid: int | None = None

    @property
    def pid(self) -> int:
        """The process id; 0 if no process could be made. It waits until the server is ready."""
        while self.poll() is None and self._pid is None:
            self._await(None)
        return self._pid or 0

    def poll(self) -> int | None:
        """Returns the exit code, negative for a signal, or None while the program runs."""
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
        else:  # the server is gone, and nobody would learn how the program ends
            if self._pid:
                os.kill(self._pid, signal.SIGKILL)
            self.returncode = _KILLED

    def __del__(self) -> None:
        os.close(self._told)
