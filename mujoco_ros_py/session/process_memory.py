"""Gives the memory of replaced models back to the system, however long a process runs."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
"""The parameters of mallopt as malloc.h defines them."""
_KEPT = 32 * 2**20
"""The free memory that is kept: more than a software renderer takes for an image."""
_LARGE = 4 * 2**20
"""The size of a block that goes back to the system at once; few images are as large."""
_TUNED = ('MALLOC_', 'GLIBC_TUNABLES')
"""The beginnings of names of environment variables by which users tune the allocator."""


def keep_memory_of_images() -> None:
    """Has the C library keep what an image took, unless the user has set that up already.

    By itself the library learns how much to keep from the largest block that was ever freed: that
    may be less than an image takes, and each of its pages then comes anew with every image.
    """
    if any(name.startswith(_TUNED) for name in os.environ):
        return
    with contextlib.suppress(AttributeError):  # not every C library has it
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_MMAP_THRESHOLD, _LARGE)


def keep_what_is_imported() -> None:
    """Spares Python's collector from looking through modules and functions from now on."""
    gc.freeze()


def give_back() -> None:
    """Frees the model that a reload has replaced, and gives its memory back to the system.

    Plugins, their environment and the model refer to each other in circles. Python's collector
    looks for such circles when many small objects have come, and knows nothing of how large a
    model is: a hundred of them would pile up.
    """
    gc.collect()
    with contextlib.suppress(AttributeError):  # not every C library has it
        ctypes.CDLL(None).malloc_trim(0)
