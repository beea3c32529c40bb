"""The memory block with which a stepping thread survives libmujoco's fatal errors.

`mju_error` must not return; without a guard it ends the process. A guarded call, which is compiled
code, sets a log handler for its thread, saves its context (setjmp) and calls the function. The
handler stores the message. For an error it also jumps back (longjmp), and the guarded call returns
an error code. The data is then undefined until it is reset. Warnings are stored in the same block,
without interrupting the step.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from .records import GUARD, MESSAGE


def new_guard() -> NDArray[np.void]:
    """Allocates the block of one stepping thread."""
    return np.zeros(1, GUARD)


def text(guard: NDArray[np.void], field: str, index: int = 0) -> str:
    """Returns the message in the field 'error', or the message at an index in 'warning'."""
    return _decoded(bytes(guard[field][0].reshape(-1, MESSAGE)[index]))


def error_at(guard: int) -> str:
    """Returns the message of the last fatal error in the block at an address."""
    return _decoded(ctypes.string_at(guard + GUARD.fields['error'][1], MESSAGE))  # type: ignore[index]


def _decoded(message: bytes) -> str:
    # The handler copies libmujoco's whole buffer; the bytes after the 0 are from older messages.
    return message.partition(b'\0')[0].decode(errors='replace').strip()
