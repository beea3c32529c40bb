"""Sends requests to an isolated process, and replaces the process if it dies."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import IsolationError
from .worker_process import MIB, WorkerProcess

Answer = tuple[Mapping[str, Any], Sequence[Any]]
Calls = Mapping[str, Callable[..., Answer]]
"""The functions of this process that the task may call, by name. Each returns a message and its
files."""

_CLOSE_S = 0.2
"""How long `close` waits for a request in progress to notice the end of its process, in s."""
_OUT_OF_MEMORY = re.compile(
    'bad_alloc|bad_array_new_length|MemoryError|allocat|out of memory|unknown exception',
    re.IGNORECASE,
)
"""Matches out-of-memory messages of C, C++, Python, MuJoCo and MuJoCo's bindings."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The memory and time limits of a request, with the names that error messages give them."""

    memory: int = 4096 * MIB
    """The memory in bytes that a request may add to the memory of the process."""
    time_s: float = 60.0
    """The wall time in s from the request to its answer."""
    memory_name: str = 'the limit of memory'
    time_name: str = 'the limit of time'

    def explained(self, message: str) -> str:
        """Returns the message, with the memory limit added to an out-of-memory message."""
        if not _OUT_OF_MEMORY.search(message):
            return message
        return f'{message} ({self.memory_name} is {self.memory / MIB:,.0f} MiB)'


class Worker:
    """An isolated process that carries out requests one at a time, and is replaced if it dies.

    The process starts with the first request, or with `start` or `fork`. It ends with `close`, or
    when this process ends for any reason. Any thread may send requests.
    """

    def __init__(self, task: str) -> None:
        """`task` is the function that carries out the requests, as `module:function`.

        See `task_loop` for its signature.
        """
        self._task = task
        self._process: WorkerProcess | None = None
        self._asking = threading.Lock()
        self._starting = threading.Lock()
        self._is_closed = False

    def fork(self) -> None:
        """Starts the first process as a fork of this one, which takes hardly any time.

        The fork has the modules that this process has imported, so import the modules of the task
        first. All later processes are new Python processes. If this process has other threads, for
        example a debugger's, the first process is also a new Python process: locks that these
        threads hold would stay locked in a fork.
        """
        self._process = WorkerProcess(self._task, copied=threading.active_count() == 1)

    def start(self) -> WorkerProcess:
        """Starts the process unless it is already running; returns without waiting for it.

        Raises IsolationError after `close`, or if the process cannot be started.
        """
        with self._starting:
            if self._is_closed:
                raise IsolationError('its process was ended')
            process = self._process
            if process is not None and not process.runs():
                process.close()
                process = None
            self._process = process or WorkerProcess(self._task)
            return self._process

    def ask(
        self,
        request: Mapping[str, object],
        files: Sequence[Any] = (),
        *,
        limits: Limits,
        calls: Calls | None = None,
        take: Callable[[int, Any], Any] = lambda file, value: value,
    ) -> Any:
        """Sends a request and returns the task's result; both must be convertible to JSON.

        `take(descriptor, value)` may convert the result with the help of the memory file that the
        task shares. Raises IsolationError if the task raises, if its process dies, or if a limit
        is reached. After any of these errors, the next request starts a new process.
        """
        with self._asking:
            process = self.start()
            process.await_ready()
            try:
                end = time.monotonic() + limits.time_s
                message = {'request': request, 'memory': limits.memory}
                process.channel.send(message, files, end)
                value = _converse(process, limits, calls or {}, end)
            except TimeoutError:
                process.kill()
                reason = f'it took longer than {limits.time_s:g} s ({limits.time_name})'
                raise IsolationError(reason) from None
            except EOFError:
                reason = 'its process was ended' if self._is_closed else process.death()
                raise IsolationError(limits.explained(reason)) from None
            except BaseException:  # after an error the task may leave locks or broken state
                process.kill()
                raise
            return take(process.file, value)

    def restart(self) -> None:
        """Ends the process; the next request starts a new one."""
        with self._asking, self._starting:
            self._forget()

    def close(self) -> None:
        """Ends the process for good. Requests in progress and later ones raise IsolationError."""
        with self._starting:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()
        if self._asking.acquire(timeout=_CLOSE_S):  # fails if a callback has not returned yet
            with self._starting:
                self._forget()
            self._asking.release()

    @property
    def pid(self) -> int | None:
        """The process id; None if no process has been started."""
        process = self._process
        return process.pid if process is not None else None

    def _forget(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def _converse(process: WorkerProcess, limits: Limits, calls: Calls, end: float) -> Any:
    """Answers the task's calls until the task is done, and returns its result."""
    while True:
        message = process.receive(end)
        if 'call' in message:
            process.channel.send(*_called(calls, message), end)
        elif 'raised' in message:
            raise IsolationError(limits.explained(str(message['raised'])))
        else:
            return message['done']


def _called(calls: Calls, message: Mapping[str, Any]) -> Answer:
    try:
        return calls[message['call']](*message['arguments'])
    except Exception as error:
        text = f'{type(error).__name__}: {error}'
        return {'raised': text}, ()
