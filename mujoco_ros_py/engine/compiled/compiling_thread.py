"""The settings of each thread's compilation, for hooks that numba calls without our arguments."""

from __future__ import annotations

import threading

from ..foreign.numba.numba_objects import NumbaFunction


class _Thread(threading.local):
    copies: dict[NumbaFunction, NumbaFunction] | None = None
    """Maps functions to the copies that the thread compiles for a plugin; None while it compiles
    none. A recursive function finds its own copy here."""
    boundscheck = False
    portable = False
    """Whether the code is only emitted for the cache, and not loaded by numba."""
    bound: tuple[str, ...] = ()
    """Descriptions of the lines that refer to objects of this process, as `print` does, in the
    thread's current or last compilation."""
    awaited: set[str] | None = None
    """LLVM names of functions to which calls were emitted before the functions were compiled."""


thread = _Thread()


def compiles_for_plugin() -> bool:
    """Returns whether this thread compiles a plugin's function or a function called by it."""
    return thread.copies is not None


def is_checked() -> bool:
    """Returns whether this thread compiles with `boundscheck`."""
    return thread.boundscheck
