"""Compiled: reads and writes ROS stamps (builtin_interfaces/Time) in messages."""

from __future__ import annotations

import numpy as np

from .addresses import array_at
from .own_functions import own_function

_END_S = 2.0**31
"""The upper limit of the seconds field, which is an int32."""
_NS = 1_000_000_000


@own_function()
def nanoseconds_of(time_s: float) -> int:
    """Rounds a time to nanoseconds; NaN becomes 0, and times out of range are clipped."""
    if time_s != time_s:
        return 0
    within = min(max(time_s, -_END_S), _END_S - 1)
    nanoseconds: int = np.int64(np.rint(within * 1e9))
    return nanoseconds


@own_function()
def set_stamp_at(address: int, time_s: float) -> None:
    """Writes a time into the stamp at an address: int32 seconds, then uint32 nanoseconds."""
    total = nanoseconds_of(time_s)
    seconds = total // _NS
    array_at(address, 1, np.int32)[0] = seconds
    array_at(address + 4, 1, np.uint32)[0] = total - seconds * _NS


@own_function()
def stamp_at(address: int) -> int:
    """Returns the nanoseconds of the stamp at an address."""
    seconds = np.int64(array_at(address, 1, np.int32)[0])
    rest = np.int64(array_at(address + 4, 1, np.uint32)[0])
    nanoseconds: int = seconds * _NS + rest
    return nanoseconds
