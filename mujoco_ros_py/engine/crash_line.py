"""Writes a line to stderr if the process crashes, naming the compiled code that was running.

A dump of Python's threads does not show compiled code. The loops record the running callback,
inlet or outlet in memory, as an index into its table or ring. The signal handler that reads these
records is machine code, because a Python handler would not run before the failing call returns.
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
"""The maximum number of watched tables; code that runs from other tables is not named."""
# After a stack overflow, a handler can only run on the alternative signal stack. Python's
# faulthandler, if enabled, has created that stack.
_SA_ONSTACK = 0x08000000

_watched = np.zeros(_PLACES, WATCHED)
_crashes = np.zeros(1, CRASHES)
_crashes['watched'], _crashes['count'] = _watched.ctypes.data, _PLACES
_kept: dict[Any, Any] = {}
"""Keeps alive the memory that the records point to."""
_free = list(range(_PLACES))
_lock = threading.Lock()
add_symbol(SYMBOL, int(_crashes.ctypes.data))


def watch(
    owner: object, record: int, kind: np.dtype[np.void], field: str, names: Sequence[str]
) -> None:
    """Makes the crash line name the code that runs from a table, as long as `owner` lives.

    `record` is the address of a record of type `kind`. Its `field` holds the 1-based index of the
    running function in `names`, or 0 if no function is running.
    """
    with _lock:
        if not (names and _free):
            return
        place = _free.pop()
    running = record + int(kind.fields[field][1])  # type: ignore[index]
    # A signal handler must not allocate memory, so all texts are prepared in advance.
    texts = [ctypes.create_string_buffer(name.encode(errors='replace')) for name in names]
    addresses = np.array([ctypes.addressof(text) for text in texts], np.int64)
    _kept[place] = texts, addresses
    _watched[place] = running, addresses.ctypes.data, len(texts)
    # The place does not have to be freed when the process exits.
    weakref.finalize(owner, _forget, place).atexit = False


def _forget(place: int) -> None:
    _watched[place] = 0, 0, 0
    del _kept[place]
    _free.append(place)  # without the lock, which the thread that collects garbage may hold


@cache
def write_at_crashes() -> None:
    """Installs signal handlers that write the crash line before the previous handlers run."""
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
    """Returns the address of a text that lives until the process exits."""
    _kept[text] = ctypes.create_string_buffer(text)
    return ctypes.addressof(_kept[text])
