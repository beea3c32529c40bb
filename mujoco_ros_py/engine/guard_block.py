"""Calls into libmujoco that survive its fatal errors: the block that each stepping thread has.

`mju_error` must not return: without a guard it ends the process. A guarded call (compiled) sets a
log handler for its thread, marks the place (setjmp) and calls; the handler notes the message and,
for an error, jumps back (longjmp), so that the caller gets a code instead. The data are undefined
then until they are reset. Warnings are noted in the same block and stepping goes on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .records import GUARD, MESSAGE


def new_guard() -> np.ndarray[Any, Any]:
    """The block of one stepping thread."""
    return np.zeros(1, GUARD)


def text(guard: np.ndarray[Any, Any], field: str, index: int = 0) -> str:
    """The message in 'error', or one of those in 'warning'."""
    return (
        bytes(guard[field][0].reshape(-1, MESSAGE)[index])
        .partition(b'\0')[0]
        .decode(errors='replace')
        .strip()
    )
