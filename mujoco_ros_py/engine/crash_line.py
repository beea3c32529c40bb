"""A line on stderr, at a crash of the process, that names the compiled code that was running.

A dump of Python's threads does not show it. The loops write what they run into memory: the index
of a callback in its table, of an inlet in its table, of an outlet in its ring. A signal handler in
machine code reads these, as one in Python would not be called before the failing call returns.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import weakref
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from . import own_code
from .c_types import SIGNAL_ACTION
from .crash_records import CRASH_LINE, CRASHES, WATCHED
from .foreign.llvm_loader import add_symbol
from .symbols import CRASHES as SYMBOL

_SIGNALS = signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT
_PLACES = 256
"""The largest number of tables that are watched; what runs in others is not named."""
# After a stack overflow, a handler can only run on the alternative stack, which Python's
# faulthandler has made where it is enabled.
_SA_ONSTACK = 0x08000000

_watched = np.zeros(_PLACES, WATCHED)
_crashes = np.zeros(1, CRASHES)
_crashes['watched'], _crashes['count'] = _watched.ctypes.data, _PLACES
_kept: dict[Any, Any] = {}
"""The memory that the records have addresses of, by what it is for."""
_free = list(range(_PLACES))
_lock = threading.Lock()
add_symbol(SYMBOL, int(_crashes.ctypes.data))


def watch(
    owner: object, record: int, kind: np.dtype[np.void], field: str, names: Sequence[str]
) -> None:
    """Has a crash name what runs, as long as the owner lives.

    The field of the record at this address is the index of one of the names, from 1, or 0.
    """
    with _lock:
        if not (names and _free):
            return
        place = _free.pop()
    running = record + int(kind.fields[field][1])  # type: ignore[index]
    # A signal handler may allocate nothing, so all texts are there beforehand.
    texts = [ctypes.create_string_buffer(name.encode(errors='replace')) for name in names]
    addresses = np.array([ctypes.addressof(text) for text in texts], np.int64)
    _kept[place] = texts, addresses
    _watched[place] = running, addresses.ctypes.data, len(texts)
    # A process that ends needs no free place.
    weakref.finalize(owner, _forget, place).atexit = False


def _forget(place: int) -> None:
    _watched[place] = 0, 0, 0
    del _kept[place]
    _free.append(place)  # without the lock, which the thread that collects garbage may hold


@cache
def write_at_crashes() -> None:
    """Has the process write the line at a crash, before what handles the signal otherwise."""
    libc = ctypes.CDLL(None)
    action = np.array([(own_code.function('on_crash').address, 0, _SA_ONSTACK, 0)], SIGNAL_ACTION)
    before = np.zeros(len(_SIGNALS), SIGNAL_ACTION)
    record = _crashes[0]
    record['comma'], record['end'] = _text(b', '), _text(b'\n')
    _kept['line'] = ctypes.create_string_buffer(CRASH_LINE)
    record['line'] = ctypes.addressof(_kept['line'])
    _kept['before'] = before
    for row, number in enumerate(_SIGNALS):
        old = int(before[row:].ctypes.data)
        record['begins'][number] = _text(f'\n{number.name} while this ran: '.encode())
        record['before'][number] = old
        libc.sigaction(number, ctypes.c_void_p(action.ctypes.data), ctypes.c_void_p(old))


def _text(text: bytes) -> int:
    """Returns the address of a text that lives as long as the process."""
    _kept[text] = ctypes.create_string_buffer(text)
    return ctypes.addressof(_kept[text])
