"""Trajectories as messages, written shortly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip('trajectory_msgs', reason='trajectory_msgs is not installed')

from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

FIELDS = ('positions', 'velocities', 'accelerations', 'effort')


def duration(seconds: float, made: Any) -> Any:
    """Sets a Duration or a Time, and returns it."""
    made.sec, made.nanosec = divmod(round(seconds * 1e9), 10**9)
    return made


def trajectory(
    *points: Sequence[Any], joints: Sequence[str] = ('turn', 'lift'), stamp: float = 0.0
) -> JointTrajectory:
    """`trajectory((time, positions, velocities, ...), ...)`; velocities and so on are optional."""
    message = JointTrajectory(joint_names=list(joints))
    duration(stamp, message.header.stamp)
    for time, *values in points:
        point = JointTrajectoryPoint()
        for field, given in zip(FIELDS, values, strict=False):
            setattr(point, field, list(map(float, given)))
        duration(time, point.time_from_start)
        message.points.append(point)
    return message
