"""Writes simulated time into ROS stamps."""

from __future__ import annotations

import math
from typing import Any

_END_S = 2.0**31
"""The limit of seconds, which are an int32."""


def set_time(stamp: Any, time_s: float) -> None:
    """Sets a field of builtin_interfaces/Time, or an array of them, exact to the nanosecond.

    Times out of range are clipped. NaN, which a plugin may set, becomes 0.
    """
    within = min(max(time_s, -_END_S), _END_S - 1) if not math.isnan(time_s) else 0.0
    stamp['sec'], stamp['nanosec'] = divmod(round(within * 1e9), 10**9)
