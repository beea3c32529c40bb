"""Arrays in Python's memory that compiled code accesses by address."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Memory:
    """A float64 array of any length that compiled code accesses by address.

    Pass this object to `new_state`: the state then contains the array's address, and keeps the
    array alive. Compiled code reads the numbers with `numbers_at(state.field, count)`, in C order.
    """

    def __init__(self, array: Any) -> None:
        """Uses `array` itself if it is contiguous and float64, otherwise a copy."""
        self.array: NDArray[np.float64] = np.ascontiguousarray(array, np.float64)
        """The array shared by Python and compiled code."""

    @property
    def address(self) -> int:
        """The address of the first number; valid while the array lives."""
        return int(self.array.ctypes.data)


class NumbersAt:
    """The type of `numbers_at`, with separate implementations for Python and compiled code."""

    def __call__(self, address: int, count: int) -> Any:
        """Returns the float64 numbers at an address as an array.

        The length of an array field is part of the compiled code. If the length differs between
        plugins or changes, store an address in the state instead: pass a `Memory` to `new_state`.
        Replace that address only on the physics thread. Keep the old array alive until the
        replacement. The new array must be contiguous, and must stay alive as long as the state.
        """
        return np.ctypeslib.as_array((ctypes.c_double * count).from_address(int(address)))


numbers_at = NumbersAt()
"""Returns the float64 numbers at an address as an array; see `NumbersAt.__call__`."""
