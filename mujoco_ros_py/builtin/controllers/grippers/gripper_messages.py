"""Converts the goals, results and feedback of the two gripper actions."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ....config import listed
from ....errors import ConfigError
from ....plugins import ros_type
from ....plugins.compiled_code import set_stamp


class Asked(NamedTuple):
    """The request of a goal: a position in rad or m, and limits (0 for the configured limit)."""

    position: float
    max_velocity: float = 0.0
    max_effort: float = 0.0


class Grip(NamedTuple):
    """The state of a gripper: time (s), position (rad or m), velocity and effort."""

    time: float
    position: float
    velocity: float
    effort: float
    stalled: bool = False
    reached: bool = False


class GripperCommand:
    """control_msgs/GripperCommand: a position, and the largest effort."""

    def __init__(self, joint: str, *, any_name: bool = False) -> None:
        self.kind = ros_type('control_msgs/action/GripperCommand')

    def read(self, goal: Any) -> Asked:
        """Returns the request of a goal; raises ConfigError if the goal is invalid."""
        command = goal.command
        return _checked(Asked(command.position, max_effort=abs(command.max_effort)))

    def result(self, grip: Grip, ros_time: float) -> Any:
        """Returns the result message of an ended goal."""
        return self._told(self.kind.Result(), grip)

    def feedback(self, grip: Grip, ros_time: float) -> Any:
        """Returns the feedback message for a state."""
        return self._told(self.kind.Feedback(), grip)

    def _told(self, message: Any, grip: Grip) -> Any:
        message.position, message.effort = grip.position, grip.effort
        message.stalled, message.reached_goal = grip.stalled, grip.reached
        return message


class ParallelGripperCommand:
    """control_msgs/ParallelGripperCommand: a joint state with one position and its limits."""

    def __init__(self, joint: str, *, any_name: bool = False) -> None:
        self.kind = ros_type('control_msgs/action/ParallelGripperCommand')
        self._joint, self._any_name = joint, any_name

    def read(self, goal: Any) -> Asked:
        """Returns the request of a goal; raises ConfigError if the goal is invalid."""
        command = goal.command
        if len(command.position) != 1:
            raise ConfigError(
                f'the command must have exactly one position, got {len(command.position)}'
            )
        for name in ('name', 'velocity', 'effort'):
            if len(values := getattr(command, name)) > 1:
                raise ConfigError(f'{name} must have at most one element, got {len(values)}')
        if command.name and command.name[0] != self._joint and not self._any_name:
            raise ConfigError(
                f'the command is for joint {listed(command.name)}, but this gripper moves'
                f' {self._joint}'
            )
        limits = (
            abs(values[0]) if values else 0.0 for values in (command.velocity, command.effort)
        )
        return _checked(Asked(command.position[0], *limits))

    def result(self, grip: Grip, ros_time: float) -> Any:
        """Returns the result message of an ended goal; `ros_time` is its stamp in s."""
        stalled, reached = grip.stalled, grip.reached
        return self.kind.Result(
            state=self._state(grip, ros_time), stalled=stalled, reached_goal=reached
        )

    def feedback(self, grip: Grip, ros_time: float) -> Any:
        """Returns the feedback message for a state; `ros_time` is its stamp in s."""
        return self.kind.Feedback(state=self._state(grip, ros_time))

    def _state(self, grip: Grip, ros_time: float) -> Any:
        state = ros_type('sensor_msgs/msg/JointState')(
            name=[self._joint], position=[grip.position]
        )
        state.velocity, state.effort = [grip.velocity], [grip.effort]
        set_stamp(state.header.stamp, ros_time)
        return state


ACTIONS = {'ParallelGripperCommand': ParallelGripperCommand, 'GripperCommand': GripperCommand}
"""The actions, by value of `action_type`."""


def _checked(asked: Asked) -> Asked:
    wrong = [name for name in Asked.__annotations__ if not math.isfinite(getattr(asked, name))]
    if wrong:
        raise ConfigError(f'{listed(wrong)} must be finite')
    return asked
