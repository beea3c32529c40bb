"""What runs in an isolated process: a loop that carries out requests, one at a time.

The task is a function ``task(request, files, context)``, whose result is returned as JSON. If its
module has a function ``prepare()``, that is called before the first request.
"""

from __future__ import annotations

import ctypes
import fcntl
import importlib
import logging
import os
import resource
import select
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from ..errors import IsolationError
from .channel import Channel

_LONGEST = 10_000
"""The maximum number of characters of an error message that are sent."""


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a task besides its request."""

    file: int
    """The descriptor of a memory file that the parent process has as well."""
    _channel: Channel
    _calling: threading.Lock

    def call(self, name: str, *arguments: Any) -> tuple[dict[str, Any], list[bytearray]]:
        """Calls a function that the parent offers; any thread may call, one at a time."""
        with self._calling:
            self._channel.send({'call': name, 'arguments': arguments})
            message, files = self._channel.receive()
        if 'raised' in message:
            raise IsolationError(message['raised'])
        return message, files

    def log(self, name: str, level: int, text: str) -> None:
        """Logs a message in the parent process."""
        self._channel.send({'log': (name, level, text[:_LONGEST])})


def main(task: str, connection: str, lifeline: str, file: str) -> None:
    """Carries out requests until the parent closes the connection."""
    end_with(int(lifeline))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError), open('/proc/self/oom_score_adj', 'w') as score:
        score.write('1000')  # the kernel should rather kill this process than another
    channel = Channel(socket.socket(fileno=int(connection)))
    context = Context(int(file), channel, threading.Lock())
    logging.basicConfig(
        level=logging.INFO, format='%(message)s', handlers=[_Forwarder(context)], force=True
    )
    name, _, function = task.partition(':')
    module = importlib.import_module(name)
    carry_out = getattr(module, function)
    getattr(module, 'prepare', lambda: None)()
    channel.send({'ready': True, 'memory': memory_at_most(), 'told': peak_memory()})
    with suppress(EOFError, ConnectionError):
        while True:
            message, files = channel.receive()
            with _limited(message['memory']):
                answer = _outcome(carry_out, message['request'], files, context)
            del files
            channel.send(answer)
            trim()


def peak_memory() -> int:
    """Returns the maximum resident memory in bytes, of this process or the one that started it.

    The system reports the same for a process that has ended.
    """
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def memory_at_most() -> int:
    """Returns the maximum resident memory of this process in bytes."""
    return _status('VmHWM')


def memory_in_use() -> int:
    """Returns the writable memory of this process in bytes, whether or not it was touched."""
    return _status('VmData')


def _status(name: str) -> int:
    with open('/proc/self/status') as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith(name))


def trim() -> None:
    """Returns free memory to the system, so that it does not count as used."""
    with suppress(AttributeError):  # not every C library has malloc_trim
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def _limited(size: int) -> Iterator[None]:
    """Limits the additional memory of the process, in bytes, inside the context."""
    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (memory_in_use() + size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


def _outcome(
    carry_out: Any, request: Any, files: Sequence[bytearray], context: Context
) -> dict[str, Any]:
    try:
        return {'done': carry_out(request, files, context)}
    except BaseException as error:  # user code may raise SystemExit and KeyboardInterrupt, too
        return {'raised': f'{type(error).__name__}: {error}'[:_LONGEST]}


def end_with(lifeline: int) -> None:
    """Makes the kernel kill this process when the other end of the pipe `lifeline` is closed.

    A signal at the parent's death would not work, as it comes when the thread ends that made the
    process. A thread that waits for the end would not work, as it may never get the GIL.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(lifeline, fcntl.F_GETFL))
    closed = select.poll()
    closed.register(lifeline, 0)
    if closed.poll(0):
        os._exit(0)


class _Forwarder(logging.Handler):
    """A logging handler that passes records on to the parent process."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            self._context.log(record.name, record.levelno, self.format(record))
