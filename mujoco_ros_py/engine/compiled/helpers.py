"""Compiled: functions decorated with `helper`, as numba's own."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import typeof_impl

from ..helper import Helper


@typeof_impl.register(Helper)
def _typeof_helper(value: Helper[Any, Any], context: Any) -> types.Dispatcher:
    return types.Dispatcher(value.dispatcher)
