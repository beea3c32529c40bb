"""Simulation time as ROS writes it."""

from __future__ import annotations

import math
from typing import Any

_END_S = 2.0**31
"""Seconds are an int32."""


def set_time(stamp: Any, time_s: float) -> None:
    """Into a field of builtin_interfaces/Time, exact to the nanosecond, or into an array of them.

    What it cannot hold is clipped. A plugin may set any time: NaN is told as 0.
    """
    within = min(max(time_s, -_END_S), _END_S - 1) if not math.isnan(time_s) else 0.0
    stamp['sec'], stamp['nanosec'] = divmod(round(within * 1e9), 10**9)
