"""The mutexes in the field `lock` of records, which compiled code locks too."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

_libc = ctypes.CDLL(None)


def new_mutex(address: int, layout: np.dtype[np.void]) -> None:
    """Initializes the mutex of the record at an address."""
    _libc.pthread_mutex_init(ctypes.c_void_p(_mutex(address, layout)), None)


def _mutex(address: int, layout: np.dtype[np.void]) -> int:
    return address + int(layout.fields['lock'][1])  # type: ignore[index]


@contextmanager
def locked(address: int, layout: np.dtype[np.void]) -> Iterator[None]:
    """Locks the mutex of a record; ctypes releases the GIL during the wait."""
    mutex = ctypes.c_void_p(_mutex(address, layout))
    _libc.pthread_mutex_lock(mutex)
    try:
        yield
    finally:
        _libc.pthread_mutex_unlock(mutex)
