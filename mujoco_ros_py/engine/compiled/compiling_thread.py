"""What the calling thread compiles now: numba's hooks get no word of it from their callers."""

from __future__ import annotations

import threading

from ..foreign.numba.numba_objects import NumbaFunction


class _Thread(threading.local):
    copies: dict[NumbaFunction, NumbaFunction] | None = None
    """The copies of functions by their originals, while the thread compiles. A recursive function
    finds its own copy there."""
    boundscheck = False
    portable = False
    """Whether the code is emitted, and not loaded."""
    bound: tuple[str, ...] = ()
    """The lines that may refer to objects of this process, as `print` does, in what the thread
    compiles or has compiled last."""
    awaited: set[str] | None = None
    """The LLVM names of functions that were called before they were compiled."""


thread = _Thread()


def compiles_for_plugin() -> bool:
    """Returns whether this thread compiles a function of a plugin, or one that it calls."""
    return thread.copies is not None


def is_checked() -> bool:
    """Returns whether this thread compiles with `boundscheck`."""
    return thread.boundscheck
