"""The main loop of an isolated process: carries out requests one at a time.

A task is a function ``task(request, files, context)``; its result is sent back as JSON. If the
task's module has a function ``prepare()``, the loop calls it before the first request.
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
"""Error and log messages are truncated to this many characters."""


@dataclass(frozen=True, slots=True)
class Context:
    """Gives a task access to its parent process."""

    file: int
    """The descriptor of a memory file shared with the parent process."""
    _channel: Channel
    _calling: threading.Lock

    def call(self, name: str, *arguments: Any) -> tuple[dict[str, Any], list[bytearray]]:
        """Calls a function in the parent process, and returns its message and files.

        Any thread may call this; calls are serialized. Raises IsolationError if the function
        raises.
        """
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
    """Carries out requests until the parent process closes the connection."""
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
    """Returns the peak resident memory in bytes that the kernel reports for this process.

    Linux also counts the peak of the process that started this one. The value that `wait4`
    returns for an ended process has the same property.
    """
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def memory_at_most() -> int:
    """Returns the peak resident memory of this process in bytes."""
    return _status('VmHWM')


def memory_in_use() -> int:
    """Returns the private writable memory of this process in bytes, touched or not."""
    return _status('VmData')


def _status(name: str) -> int:
    with open('/proc/self/status') as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith(name))


def trim() -> None:
    """Returns freed memory to the system; otherwise it would count as used."""
    with suppress(AttributeError):  # not every C library has malloc_trim
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def _limited(size: int) -> Iterator[None]:
    """Inside the context, limits the memory that the process can add, to `size` bytes."""
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
    except BaseException as error:  # user code may also raise SystemExit or KeyboardInterrupt
        return {'raised': f'{type(error).__name__}: {error}'[:_LONGEST]}


class _Forwarder(logging.Handler):
    """A logging handler that forwards records to the parent process."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(EOFError):
            self._context.log(record.name, record.levelno, self.format(record))
