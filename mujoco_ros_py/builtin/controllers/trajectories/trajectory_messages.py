"""Reads trajectories from messages, and refuses invalid messages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from ....config import listed, unknown
from ....errors import ConfigError
from .splines import Array, Points
from .trajectory import Trajectory

_LEAST_VELOCITY = float(np.finfo(np.float32).eps)
"""A last point with velocities up to this value counts as at rest, as in ros2_controllers."""
_FIELDS = ('positions', 'velocities', 'accelerations', 'effort')


class Reader:
    """Converts messages to trajectories for a controller."""

    def __init__(self, joints: Sequence[str], *, partial: bool, moving_end: bool) -> None:
        """`partial` allows missing joints; `moving_end` allows a velocity at the last point."""
        self._joints = list(joints)
        self._partial, self._moving_end = partial, moving_end

    def read(self, message: Any, now: float, ros_offset: float = 0.0) -> Trajectory:
        """Returns the trajectory of a trajectory_msgs/JointTrajectory; `now` is a simulated time.

        The message's stamp is in ROS time, `ros_offset` ahead of simulated time. Raises
        ConfigError if the message is invalid.
        """
        order = self._order(list(message.joint_names))
        points = message.points
        if not points:
            raise ConfigError('a trajectory needs points, and has none')
        times = np.array([_seconds(point.time_from_start) for point in points])
        _check_times(times)
        arrays = [self._array(points, field, len(order)) for field in _FIELDS]
        self._check_end(arrays[1][-1])
        stamp = _seconds(message.header.stamp)
        start = stamp - ros_offset if stamp else math.nan
        if start + times[-1] < now:
            raise ConfigError(
                f'the trajectory ends in the past: at {stamp + times[-1]:.3f} s, but now is'
                f' {now + ros_offset:.3f} s'
            )
        placed = Points(*(self._placed(array, order) for array in arrays))
        return Trajectory(times, placed, start, order)

    def _order(self, names: list[str]) -> list[int]:
        """Returns the index, among the controller's joints, of each joint in the message."""
        unknown = [name for name in names if name not in self._joints]
        missing = [name for name in self._joints if name not in names]
        known = listed(self._joints)
        if not names:
            raise ConfigError(f'a trajectory needs joint_names, and has none; known: {known}')
        if unknown:
            raise ConfigError(f'unknown joints: {listed(unknown)}; known: {known}')
        if len(set(names)) < len(names):
            raise ConfigError(f'joint_names must not contain a name twice, got {listed(names)}')
        if missing and not self._partial:
            raise ConfigError(
                f'joints are missing: {listed(missing)} (allowed with allow_partial_joints_goal)'
            )
        return [self._joints.index(name) for name in names]

    def _array(self, points: Sequence[Any], field: str, joints: int) -> Array:
        """Returns a field of all points; NaN (or 0 for efforts) for points without the field."""
        rows = np.full((len(points), joints), 0.0 if field == 'effort' else math.nan)
        for number, point in enumerate(points):
            values = getattr(point, field)
            if not len(values) and field != 'positions':
                continue
            if len(values) != joints:
                raise ConfigError(
                    f'point {number} must have {joints} {field}, one for each joint, got'
                    f' {len(values)}'
                )
            rows[number] = values
            if not np.isfinite(rows[number]).all():
                raise ConfigError(f'the {field} of point {number} must be finite')
        return rows

    def _placed(self, array: Array, order: Sequence[int]) -> Array:
        """Returns the values in the order of the controller's joints; 0 for missing joints."""
        placed = np.zeros((len(array), len(self._joints)))
        placed[:, order] = array
        absent = np.isnan(array).any(axis=1)
        placed[absent] = math.nan
        return placed

    def _check_end(self, velocities: Array) -> None:
        if not self._moving_end and (np.abs(velocities) > _LEAST_VELOCITY).any():
            raise ConfigError(
                'the velocities of the last point must be 0'
                ' (others are allowed with allow_nonzero_velocity_at_trajectory_end)'
            )


def trajectory_of(joints: Sequence[str], points: Sequence[Mapping[str, Any]]) -> Any:
    """Returns an object for `Reader.read`, from points as mappings with `time_from_start` in s.

    Raises ConfigError if a point has an unknown field.
    """
    usual: dict[str, Any] = {**dict.fromkeys(_FIELDS, ()), 'time_from_start': 0.0}
    made = []
    for number, point in enumerate(points):
        if strange := point.keys() - usual.keys():
            raise ConfigError(unknown(f'field of point {number}', min(strange), usual))
        fields = {**usual, **point}
        time = SimpleNamespace(sec=float(fields.pop('time_from_start')), nanosec=0)
        made.append(SimpleNamespace(**fields, time_from_start=time))
    at_once = SimpleNamespace(stamp=SimpleNamespace(sec=0, nanosec=0))
    return SimpleNamespace(joint_names=joints, points=made, header=at_once)


def _check_times(times: Array) -> None:
    if times[0] < 0.0:
        raise ConfigError(f'time_from_start must not be negative, got {times[0]:g} s')
    for number in np.flatnonzero(np.diff(times) <= 0.0)[:1]:
        raise ConfigError(
            f'time_from_start must increase strictly: point {number} has {times[number]:g} s, but'
            f' point {number + 1} has {times[number + 1]:g} s'
        )


def _seconds(stamp: Any) -> float:
    return float(stamp.sec + stamp.nanosec * 1e-9)
