"""What runs in an isolated process: a loop that carries out requests, one at a time.

The task is a function ``task(request, files, context)``, whose result is returned as JSON. If its
module has a function ``prepare()``, that is called before the first request.
"""

from __future__ import annotations

import ctypes
import importlib
import logging
import resource
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


def main(task: str, connection: str, file: str) -> None:
    """Carries out requests until the parent closes the connection."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
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
    with suppress(EOFError):
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


class _Forwarder(logging.Handler):
    """A logging handler that passes records on to the parent process."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(EOFError):
            self._context.log(record.name, record.levelno, self.format(record))
