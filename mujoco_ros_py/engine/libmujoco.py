"""MuJoCo's C library as compiled code uses it."""

from __future__ import annotations

import ctypes
from functools import cache

from ..mujoco_internals import library_path, open_library
from ..mujoco_log import forward_warnings
from .foreign.llvm_loader import load_library


@cache
def library() -> ctypes.CDLL:
    """Returns the bindings' shared library, whose symbols compiled code can then use.

    Raises ImportError if it is missing.
    """
    forward_warnings()
    load_library(str(library_path()))
    return open_library()
