"""The memory block with which a stepping thread survives libmujoco's fatal errors.

`mju_error` must not return; without a guard it ends the process. A guarded call (compiled) sets a
log handler for its thread, saves its context (setjmp) and calls the function. The handler stores
the message. For an error it also jumps back (longjmp), and the call returns an error code. The
data is then undefined until it is reset. Warnings are stored in the same block, without
interrupting the step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .records import GUARD, MESSAGE


def new_guard() -> NDArray[np.void]:
    """Allocates the block of one stepping thread."""
    return np.zeros(1, GUARD)


def text(guard: NDArray[np.void], field: str, index: int = 0) -> str:
    """Returns the message in 'error', or the message with this index in 'warning'."""
    return (
        bytes(guard[field][0].reshape(-1, MESSAGE)[index])
        # The handler copies the whole field; the bytes after the text are left from older
        # messages.
        .partition(b'\0')[0]
        .decode(errors='replace')
        .strip()
    )
