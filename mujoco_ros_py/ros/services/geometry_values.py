"""Converts between geometry messages and numbers in MuJoCo's order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from builtin_interfaces.msg import Time
    from geometry_msgs.msg import Point, Quaternion, Vector3
    from std_msgs.msg import Header

_NS_PER_S = 1_000_000_000


def numbers_of(vector: Point | Vector3) -> tuple[float, float, float]:
    """Returns the numbers of a Point or a Vector3."""
    return vector.x, vector.y, vector.z


def quat_of(orientation: Quaternion) -> tuple[float, float, float, float]:
    """Returns the numbers of a Quaternion, w first."""
    return orientation.w, orientation.x, orientation.y, orientation.z


def write_vector(vector: Point | Vector3, values: Iterable[float]) -> None:
    """Writes three numbers into a Point or a Vector3."""
    vector.x, vector.y, vector.z = map(float, values)


def write_quat(orientation: Quaternion, values: Iterable[float]) -> None:
    """Writes the numbers of a quaternion, w first, into a Quaternion."""
    orientation.w, orientation.x, orientation.y, orientation.z = map(float, values)


def write_header(header: Header, frame: str, time_s: float) -> None:
    """Writes a frame and a simulation time in seconds into a Header."""
    header.frame_id = frame
    write_stamp(header.stamp, time_s)


def write_stamp(stamp: Time, time_s: float) -> None:
    """Writes a simulation time in seconds into a Time."""
    stamp.sec, stamp.nanosec = divmod(round(time_s * _NS_PER_S), _NS_PER_S)
