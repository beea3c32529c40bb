"""The memory block with which a stepping thread survives libmujoco's fatal errors.

`mju_error` must not return; without a guard it ends the process. A guarded call (compiled) sets a
log handler for its thread, marks the place (setjmp) and calls. The handler stores the message and,
for an error, jumps back (longjmp), so that the caller gets a code instead. The data are then
undefined until they are reset. Warnings are stored in the same block, and stepping goes on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .records import GUARD, MESSAGE


def new_guard() -> NDArray[np.void]:
    """Makes the block of one stepping thread."""
    return np.zeros(1, GUARD)


def text(guard: NDArray[np.void], field: str, index: int = 0) -> str:
    """Returns the message in 'error', or one of those in 'warning'."""
    return (
        bytes(guard[field][0].reshape(-1, MESSAGE)[index])
        # The handler copies the whole field; the bytes after the text are old.
        .partition(b'\0')[0]
        .decode(errors='replace')
        .strip()
    )
