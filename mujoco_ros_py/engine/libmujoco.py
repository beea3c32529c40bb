"""Loads MuJoCo's C library for compiled code, and guards bindings that lack a guard."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, wraps
from numbers import Integral
from typing import Any

import mujoco

from ..mujoco_internals import library_path, open_library
from ..mujoco_log import forward_warnings
from .foreign.llvm_loader import load_library

_UNGUARDED = 'mj_getState', 'mj_setState', 'mj_extractState'
"""Functions for which the bindings compute a state size without a guard against fatal errors."""


@cache
def library() -> ctypes.CDLL:
    """Returns the bindings' shared library, and makes its symbols available to compiled code.

    Raises ImportError if the library is missing.
    """
    forward_warnings()
    # LLVM looks up symbols only in libraries that it has loaded itself and in the main program.
    load_library(str(library_path()))
    return open_library()


def guard_bindings() -> None:
    """Makes the unguarded bindings raise mujoco.FatalError for an invalid state signature.

    Affects the whole process.
    """
    for name in _UNGUARDED:
        function = getattr(mujoco, name)
        # Several sessions in one process may call this function.
        if not hasattr(function, '__wrapped__'):
            setattr(mujoco, name, _guarded(function))


def _guarded(function: Callable[..., None]) -> Callable[..., None]:
    @wraps(function)
    def checked(m: mujoco.MjModel, *args: Any, **kwargs: Any) -> None:
        # These functions take one or two signatures, at different positions, and no other
        # integers.
        for signature in (*args, *kwargs.values()):
            if isinstance(signature, Integral):
                # The bindings guard this function, which rejects the same signatures.
                mujoco.mj_stateSize(m, signature)
        function(m, *args, **kwargs)

    return checked
