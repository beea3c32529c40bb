"""Compiled: memory of Python as arrays of compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray

from .compiled.dispatch import pointer_to
from .inlined import inlined


@inlined
def numbers_at(address: int, count: int) -> Any:
    """Returns the float64 numbers at an address as an array; for compiled code only.

    A state keeps arrays of fixed lengths. An array that changes its length belongs to Python, and
    the state has its address, `array.ctypes.data`: change the address on the physics thread, and
    keep the old array until then. The array must be contiguous.
    """
    return carray(pointer_to(address), count, np.float64)
