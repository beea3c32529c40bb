"""Small arrays that compiled functions keep in the registers of the processor."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]


def stack_array(size: int) -> Numbers:
    """Returns a float64 array (size,), whose values are undefined before they are written.

    In compiled functions `size` must be a constant, and the array is on the stack. LLVM keeps it
    in registers if each index is a constant once the loops over it are unrolled.
    """
    return np.empty(size)


def copy_block(source: Numbers, target: Numbers, size: int) -> None:
    """Copies the first `size` numbers of a float64 array to another one; there is no bounds check.

    In compiled functions `size` must be a constant, and the numbers are copied in one piece. A
    loop in place of it would be unrolled into copies of single numbers.
    """
    target[:size] = source[:size]
