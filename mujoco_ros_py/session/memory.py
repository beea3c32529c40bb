"""Memory of a process that replaces whole models for weeks: what a model took is given back."""

from __future__ import annotations

import contextlib
import ctypes
import gc


def keep_what_is_imported() -> None:
    """Python's collector need not look through modules and functions from now on."""
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
