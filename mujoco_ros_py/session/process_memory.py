"""Returns the memory of replaced models to the system."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""Parameters of mallopt, as defined in malloc.h."""
_KEPT = 32 * 2**20
"""How much free memory to keep, in bytes: more than a software renderer needs for an image."""
_LARGE = 4 * 2**20
"""Freed blocks of at least this many bytes go back to the system at once; few images are so
large."""
_TUNED = ('MALLOC_', 'GLIBC_TUNABLES')
"""Prefixes of the environment variables by which users tune the allocator."""


def keep_memory_of_images() -> None:
    """Configures the C library to keep memory freed after an image, unless the user has tuned it.

    By default the library adapts the amount of memory to keep to the largest block that was ever
    freed. This can be less than an image needs, and all pages would then be mapped again for each
    image.
    """
    if any(name.startswith(_TUNED) for name in os.environ):
        return
    with contextlib.suppress(AttributeError):  # not every C library has mallopt
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_MMAP_THRESHOLD, _LARGE)


def keep_what_is_imported() -> None:
    """Excludes existing objects, such as modules, from garbage collection to make it faster."""
    gc.freeze()


def give_back() -> None:
    """Frees the model that a reload has replaced, and returns its memory to the system.

    Plugins, their environment and the model form reference cycles. Python's garbage collector runs
    after a number of allocations, regardless of their size, so a hundred large models could pile
    up.
    """
    gc.collect()
    with contextlib.suppress(AttributeError):  # not every C library has malloc_trim
        ctypes.CDLL(None).malloc_trim(0)
