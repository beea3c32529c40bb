"""What is being compiled now, and how it is stopped: a first start compiles for many seconds."""

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
    """The number of functions that the thread compiles, one for the other."""


class _Process:
    """What the threads of the process compile."""

    stopped = False
    count = 0
    """The number of functions that were compiled, or were begun."""
    running: ClassVar[dict[int, str]] = {}
    """What each thread compiles now."""
    interrupted = ''


_thread = _Thread()


class _StoppedError(BaseException):
    """Ends a compilation; numba would take an Exception for an error of the function."""


def stop() -> None:
    """Stops all compiling in this process for good.

    It ends within the pass of numba that runs, which takes some tenths of a second at most, and
    what would be compiled later fails with CompilingStoppedError. A signal handler may call this.
    """
    _Process.stopped = True  # an Event has a lock, which the signal may have interrupted
    # A copy: the signal may have interrupted a thread that changes the dictionary.
    for name in list(_Process.running.values()):
        _Process.interrupted = _Process.interrupted or name


def stopped_function() -> str:
    """Returns the name of the function whose compilation `stop` has interrupted, or nothing."""
    return _Process.interrupted


def compiled_functions() -> int:
    """Returns the number of functions that this process has compiled."""
    return _Process.count


def end_if_stopped() -> None:
    """Ends the compilation of the calling thread after `stop`; numba calls it before a pass."""
    # numba calls this for every compilation in the process. The program may compile its own code,
    # which must not be stopped.
    if _Process.stopped and _thread.depth:
        raise _StoppedError


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Logs that the function is compiled in this context, and makes that end with `stop`.

    Raises CompilingStoppedError.
    """
    if _Process.stopped:
        raise CompilingStoppedError(name)
    thread = threading.get_ident()
    _Process.count += 1
    # The outermost function is the one that the user knows; it may compile others first.
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
