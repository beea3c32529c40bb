"""Memory of Python as an array, for compiled code."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np


class NumbersAt:
    """The function `numbers_at`, which compiled code and Python have each in their own way."""

    def __call__(self, address: int, count: int) -> Any:
        """Returns the float64 numbers at an address as an array.

        A state keeps arrays of fixed lengths. An array that changes its length belongs to Python,
        and the state has its address, `array.ctypes.data`: change the address on the physics
        thread, and keep the old array until then. The array must be contiguous.
        """
        return np.ctypeslib.as_array((ctypes.c_double * count).from_address(address))


numbers_at = NumbersAt()
"""Returns the float64 numbers at an address as an array; see `NumbersAt.__call__`."""
