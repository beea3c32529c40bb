"""Reads messages for plugins that are in the loop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..sequences import Array, Goal
from .measured import Measured, Topic

TRAJECTORY = 'trajectory_msgs/JointTrajectory'
KINDS = (
    'std_msgs/Float64MultiArray',
    'sensor_msgs/JointState',
    TRAJECTORY,
    'geometry_msgs/Twist',
    'geometry_msgs/TwistStamped',
)


class Goals:
    """Reads the messages of a topic as goals.

    Their stamps are set to 0, so that a plugin follows them on arrival.
    """

    def __init__(self, topic: Topic) -> None:
        self._topic, self._messages = topic, list[Mapping[str, Any]]()

    def add(self, fields: Mapping[str, Any]) -> None:
        """Adds a message."""
        if 'header' in fields:
            stamp = {'sec': 0, 'nanosec': 0}
            fields = {**fields, 'header': {**fields['header'], 'stamp': stamp}}
        self._messages.append(fields)

    def measured(self, times: Array) -> Measured:
        """Returns the goals; `times` has the time of each message in s, NaN for no time."""
        topic, found = self._topic, Measured()
        for k in np.argsort(times, kind='stable'):
            if np.isfinite(times[k]):
                message = self._messages[k]
                found.goals.append(
                    Goal(time=float(times[k]), topic=topic.name, kind=topic.kind, message=message)
                )
        return found


def duration_of(goal: Goal) -> float:
    """Returns the time in s that a trajectory takes; 0 for other goals."""
    if goal.kind != TRAJECTORY or not goal.message['points']:
        return 0.0
    after = goal.message['points'][-1]['time_from_start']
    return float(after['sec']) + float(after['nanosec']) / 1e9
