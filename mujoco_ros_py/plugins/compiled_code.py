"""Functions and types for use in the compiled functions of plugins."""

from __future__ import annotations

from typing import Any

from ..engine import HiddenGeoms, Memory, inlined, model_at, numbers_at, separate, set_length

_END_S = 2.0**31
"""The upper limit of the seconds in a Time message, whose type is int32."""
_NS = 1_000_000_000


@inlined
def set_stamp(stamp: Any, time_s: float) -> None:
    """Sets a builtin_interfaces/Time to a time in seconds, rounded to the nearest nanosecond.

    A time out of range is clamped, and NaN becomes 0. Callable from compiled code and from Python.
    """
    within = min(max(time_s, -_END_S), _END_S - 1) if time_s == time_s else 0.0
    total = round(within * 1e9)
    seconds = total // _NS
    stamp.sec = seconds
    stamp.nanosec = total - seconds * _NS


@inlined
def same_text(text: Any, other: Any) -> bool:
    """Returns whether two message strings, given as arrays of bytes, are equal."""
    if len(text) != len(other):
        return False
    for k in range(len(text)):  # noqa: SIM110  (numba does not support generators)
        if text[k] != other[k]:
            return False
    return True


__all__ = [
    'HiddenGeoms',
    'Memory',
    'inlined',
    'model_at',
    'numbers_at',
    'same_text',
    'separate',
    'set_length',
    'set_stamp',
]
