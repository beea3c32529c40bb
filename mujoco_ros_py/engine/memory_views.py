"""Memory of Python as an array, for compiled code."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Memory:
    """A float64 array of any length that compiled code reaches by its address.

    As a value of `new_state` it becomes that address, and lives as long as the state. Compiled
    code gets the numbers by `numbers_at(state.field, count)`, in the order of the array (C order).
    """

    def __init__(self, array: Any) -> None:
        """`array` is used itself if it is contiguous and of float64, and copied otherwise."""
        self.array: NDArray[np.float64] = np.ascontiguousarray(array, np.float64)
        """The array that compiled code and Python share."""

    @property
    def address(self) -> int:
        """The address of the first number, which is valid as long as the array lives."""
        return int(self.array.ctypes.data)


class NumbersAt:
    """The function `numbers_at`, which compiled code and Python have each in their own way."""

    def __call__(self, address: int, count: int) -> Any:
        """Returns the float64 numbers at an address as an array.

        A field of a state has a length that belongs to the compiled code. For an array whose
        length differs from plugin to plugin, or changes, the state has the address: give
        `new_state` a `Memory`. To change such an address later, do so on the physics thread, and
        keep the new array alive, and the old one until then. The array must be contiguous.
        """
        return np.ctypeslib.as_array((ctypes.c_double * count).from_address(int(address)))


numbers_at = NumbersAt()
"""Returns the float64 numbers at an address as an array; see `NumbersAt.__call__`."""
