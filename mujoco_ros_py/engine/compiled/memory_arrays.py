"""Compiled: the numbers at an address as an array."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, njit, typeof, types
from numba.extending import typeof_impl

from ..memory_views import NumbersAt
from .dispatch import pointer_to


@njit(nogil=True, forceinline=True)
def _numbers_at(address: int, count: int) -> Any:
    return carray(pointer_to(address), count, np.float64)


@typeof_impl.register(NumbersAt)
def _typeof_numbers_at(value: NumbersAt, context: Any) -> types.Type:
    return typeof(_numbers_at)
