"""Small arrays that compiled functions keep in CPU registers."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]


def stack_array(size: int) -> Numbers:
    """Returns an uninitialised float64 array (size,).

    In compiled functions `size` must be a constant, and the array is on the stack. LLVM keeps it
    in registers if all indices are constant after unrolling the loops.
    """
    return np.empty(size)


def copy_block(source: Numbers, target: Numbers, size: int) -> None:
    """Copies the first `size` numbers of a float64 array to another, without bounds checks.

    In compiled functions `size` must be a constant, and the numbers are copied as one block. LLVM
    would unroll a loop into copies of single numbers.
    """
    target[:size] = source[:size]
