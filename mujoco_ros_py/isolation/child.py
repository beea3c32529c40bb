"""What a process does that carries out requests, one at a time.

The task is a function ``task(request, files, context)``, whose result goes back as JSON.
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
"""Characters of an error that go over."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a task has, beside the request."""

    file: int
    """Descriptor of a file in memory, which the side that asks has as well."""
    _channel: Channel
    _calling: threading.Lock

    def call(self, name: str, *arguments: Any) -> tuple[dict[str, Any], list[bytearray]]:
        """Calls what the side that asks offers; any thread may, one at a time."""
        with self._calling:
            self._channel.send({'call': name, 'arguments': arguments})
            message, files = self._channel.receive()
        if 'raised' in message:
            raise IsolationError(message['raised'])
        return message, files

    def log(self, name: str, level: int, text: str) -> None:
        """Logs on the side that asks."""
        self._channel.send({'log': (name, level, text[:_LONGEST])})


def main(task: str, connection: str, lifeline: str, file: str) -> None:
    """Carries out requests until the other side is gone."""
    _die_with(int(lifeline))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError), open('/proc/self/oom_score_adj', 'w') as score:
        score.write('1000')  # rather this process than any other
    channel = Channel(socket.socket(fileno=int(connection)))
    context = Context(int(file), channel, threading.Lock())
    logging.basicConfig(
        level=logging.INFO, format='%(message)s', handlers=[_Forwarder(context)], force=True
    )
    module, _, function = task.partition(':')
    carry_out = getattr(importlib.import_module(module), function)
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
    """The most bytes that were resident, here or in the process that started this Python.

    It is what the system tells of a process that has ended, too.
    """
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def memory_at_most() -> int:
    """The most bytes that were resident in this process itself."""
    return _status('VmHWM')


def memory_in_use() -> int:
    """Bytes that this process may write to, whether it has touched them or not."""
    return _status('VmData')


def _status(name: str) -> int:
    with open('/proc/self/status') as status:
        return next(1024 * int(line.split()[1]) for line in status if line.startswith(name))


def trim() -> None:
    """Gives memory that is free back to the system, so that it does not count as used."""
    with suppress(AttributeError):  # not every C library has it
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def _limited(size: int) -> Iterator[None]:
    """While it lasts, the process gets at most so many bytes more."""
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
    except BaseException as error:  # it is not our code: SystemExit and KeyboardInterrupt, too
        return {'raised': f'{type(error).__name__}: {error}'[:_LONGEST]}


def _die_with(lifeline: int) -> None:
    """The kernel kills this process when the other end is closed, whatever it does then.

    A signal at the parent's death would not do: it comes when the thread ends that made the
    process. A thread that waits for it would not do: it may never get the GIL.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC | fcntl.fcntl(lifeline, fcntl.F_GETFL))
    closed = select.poll()
    closed.register(lifeline, 0)
    if closed.poll(0):
        os._exit(0)


class _Forwarder(logging.Handler):
    """Hands what is logged here to the side that asks."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            self._context.log(record.name, record.levelno, self.format(record))
