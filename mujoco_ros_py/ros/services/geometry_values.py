"""Numbers of geometry messages, in MuJoCo's order, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_NS_PER_S = 1_000_000_000


def numbers_of(vector: Any) -> tuple[float, float, float]:
    """Returns the numbers of a Point or a Vector3."""
    return vector.x, vector.y, vector.z


def quat_of(orientation: Any) -> tuple[float, float, float, float]:
    """Returns the numbers of a Quaternion, w first."""
    return orientation.w, orientation.x, orientation.y, orientation.z


def write_vector(vector: Any, values: Iterable[float]) -> None:
    """Writes three numbers into a Point or a Vector3."""
    vector.x, vector.y, vector.z = map(float, values)


def write_quat(orientation: Any, values: Iterable[float]) -> None:
    """Writes the numbers of a quaternion, w first, into a Quaternion."""
    orientation.w, orientation.x, orientation.y, orientation.z = map(float, values)


def write_header(header: Any, frame: str, time_s: float) -> None:
    """Writes a frame and a simulation time in seconds into a Header."""
    header.frame_id = frame
    write_stamp(header.stamp, time_s)


def write_stamp(stamp: Any, time_s: float) -> None:
    """Writes a simulation time in seconds into a Time."""
    stamp.sec, stamp.nanosec = divmod(round(time_s * _NS_PER_S), _NS_PER_S)
