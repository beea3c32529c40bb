"""Logs and counts compilations, and stops them on Ctrl-C: a first start compiles for seconds."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from ..errors import CompilingStoppedError
from ..quick_imports import without_collector

_log = logging.getLogger(__name__)


class _Thread(threading.local):
    depth = 0
    """The number of nested compilations of the thread: a function may compile others."""


class _Process:
    """The compilations of all threads of the process."""

    stopped = False
    count = 0
    """The number of functions compiled so far, including those in progress."""
    running: ClassVar[dict[int, str]] = {}
    """The name of the function that each thread is compiling."""
    interrupted = ''


_thread = _Thread()


class _StoppedError(BaseException):
    """Ends a compilation.

    Not an Exception, because numba would report an Exception as an error of the function.
    """


def stop() -> None:
    """Stops all compilations in this process for good; callable from a signal handler.

    A running compilation ends with its current numba pass, which takes a few tenths of a second at
    most. Later compilations raise CompilingStoppedError.
    """
    _Process.stopped = True  # an Event has a lock, which the interrupted thread may hold
    # A copy: the signal may have interrupted a thread that is changing the dictionary.
    for name in list(_Process.running.values()):
        _Process.interrupted = _Process.interrupted or name


def stopped_function() -> str:
    """Returns the name of the function whose compilation `stop` interrupted, or ''."""
    return _Process.interrupted


def compiled_functions() -> int:
    """Returns the number of functions compiled by this process."""
    return _Process.count


def end_if_stopped() -> None:
    """Aborts the thread's compilation after `stop`; numba calls this before each pass."""
    # numba calls this for every compilation in the process. The program's own compilations must
    # not be stopped.
    if _Process.stopped and _thread.depth:
        raise _StoppedError


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Logs that a function is being compiled in this context; `stop` aborts the compilation.

    Raises CompilingStoppedError.
    """
    if _Process.stopped:
        raise CompilingStoppedError(name)
    thread = threading.get_ident()
    _Process.count += 1
    # Keeps the outermost function's name, because users do not know the functions that it calls.
    _Process.running.setdefault(thread, name)
    _thread.depth += 1
    try:
        _log.info('compiling %s', name)
        with without_collector():
            yield
    except _StoppedError:
        raise CompilingStoppedError(name) from None
    finally:
        _thread.depth -= 1
        if not _thread.depth:
            del _Process.running[thread]
