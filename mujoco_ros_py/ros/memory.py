"""The C library's allocator, set up for a process that replaces whole models for weeks."""

from __future__ import annotations

import contextlib
import ctypes
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Of mallopt, in malloc.h."""
_LARGE = 4 * 1024 * 1024
"""More than most images have: each time that such a block is taken, its pages come one by one."""
_ARENAS = 2
_TUNED = ('MALLOC_', 'GLIBC_TUNABLES')
"""How the names of environment variables begin by which users set it up themselves."""


def bound_fragmentation() -> None:
    """What is large goes back to the system when it is freed, and threads share two arenas.

    By itself the C library keeps more and more of it with each model that is freed: large blocks
    come to lie between small ones, in an arena for each thread, and hold them apart.
    """
    if any(name.startswith(_TUNED) for name in os.environ):
        return
    with contextlib.suppress(AttributeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_ARENA_MAX, _ARENAS)
        mallopt(_MMAP_THRESHOLD, _LARGE)
        mallopt(_TRIM_THRESHOLD, _LARGE)


def give_back() -> None:
    """Memory that is free goes back to the system: after a reload, it is that of a model."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
