"""The side of those who ask: sends requests to an isolated process, and replaces it if it dies."""

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
"""The functions that the task may call in this process, by name; each returns a message and its
files."""

_CLOSE_S = 0.2
"""The time in s for a request in progress to notice that its process was ended."""
_OUT_OF_MEMORY = re.compile(
    'bad_alloc|bad_array_new_length|MemoryError|allocat|out of memory|unknown exception',
    re.IGNORECASE,
)
"""Matches the messages of C, C++, Python, MuJoCo and its bindings on refused memory."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """The limits of a request's memory and time, with their names for users."""

    memory: int = 4096 * MIB
    """The memory in bytes, in addition to what the process has before the request."""
    time_s: float = 60.0
    """The wall time in s from the request to its answer."""
    memory_name: str = 'the limit of memory'
    time_name: str = 'the limit of time'

    def explained(self, message: str) -> str:
        """Returns the message; if it is about refused memory, the limit is added."""
        if not _OUT_OF_MEMORY.search(message):
            return message
        return f'{message} ({self.memory_name} is {self.memory / MIB:,.0f} MiB)'


class Worker:
    """An isolated process that carries out requests in turn, and is replaced when it dies.

    It starts with the first request, or with `start` or `fork`. It ends with `close`, and with the
    process that made it, in whichever way that ends. Any thread may send requests; one request is
    carried out at a time.
    """

    def __init__(self, task: str) -> None:
        """`task`, `module:function`, names what carries out the requests; see `task_loop`."""
        self._task = task
        self._process: WorkerProcess | None = None
        self._asking = threading.Lock()
        self._starting = threading.Lock()
        self._is_closed = False

    def fork(self) -> None:
        """Starts the first process as a copy of this one, which takes hardly any time.

        The copy has all modules that are imported here; therefore import what the task needs
        first. Later processes are new Pythons. So is the first one if this process has other
        threads, as under a debugger, because locks that they hold would stay locked in the copy.
        """
        self._process = WorkerProcess(self._task, copied=threading.active_count() == 1)

    def start(self) -> WorkerProcess:
        """Returns the process, starting it if there is none; does not wait until it is ready."""
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
        """Returns the task's result for a request; both must be convertible to JSON.

        `take(descriptor, value)` may convert the result with the help of the memory file, which
        the task has as well. Raises IsolationError if the task raises, if its process dies, and if
        a limit is reached; in each of these cases the next request gets a new process.
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
        """Makes the next request start a new process."""
        with self._asking, self._starting:
            self._forget()

    def close(self) -> None:
        """Ends the process for good; a request in progress raises IsolationError."""
        with self._starting:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()
        if self._asking.acquire(timeout=_CLOSE_S):  # otherwise a callback has not returned yet
            with self._starting:
                self._forget()
            self._asking.release()

    @property
    def pid(self) -> int | None:
        """The process id; None if there is no process."""
        process = self._process
        return process.pid if process is not None else None

    def _forget(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


def _converse(process: WorkerProcess, limits: Limits, calls: Calls, end: float) -> Any:
    """Answers the calls of a task until it is done, and returns its result."""
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
