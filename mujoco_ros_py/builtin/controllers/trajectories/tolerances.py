"""The tolerances of trajectories, from the configuration and from goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....config import ranged
from ....config.wording import unknown
from ....errors import ConfigError

_NONE = -1.0
"""The value by which a goal asks for no tolerance; 0 asks for that of the configuration."""
_STOPPED, _GOAL_TIME = 'stopped_velocity_tolerance', 'goal_time'
_STOPPED_DEFAULT = 0.01


@dataclass(frozen=True, kw_only=True, slots=True)
class JointConstraints:
    """The tolerances of a joint; 0 stands for no tolerance."""

    trajectory: float = ranged(0.0, minimum=0.0, unit='rad or m', live=True)
    """The largest distance from the path."""
    goal: float = ranged(0.0, minimum=0.0, unit='rad or m', live=True)
    """The largest distance from the last point at the end."""


Constraints = Mapping[str, float | JointConstraints]
"""`stopped_velocity_tolerance`, `goal_time`, and the tolerances of joints by name."""


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The tolerances of a goal, as arrays with a number for each joint; 0 is no tolerance."""

    path_position: Any
    path_velocity: Any
    goal_position: Any
    goal_velocity: Any
    goal_time: float
    """How long after the end the goal may still be reached, in s; 0: for ever."""

    def write(self, state: Any) -> None:
        """Writes the tolerances into the record of a controller, for compiled code."""
        for name in self.__slots__:
            setattr(state, name, getattr(self, name))


def default_tolerances(constraints: Constraints, joints: Sequence[str]) -> Tolerances:
    """Returns the tolerances of a configuration. Raises ConfigError for an unknown key."""
    numbers = {_STOPPED: _STOPPED_DEFAULT, _GOAL_TIME: 0.0}
    by_joint: dict[str, JointConstraints] = {}
    for name, given in constraints.items():
        if name not in (*numbers, *joints):
            known = [*numbers, *joints]
            raise ConfigError(f'constraints: {unknown("joint or constraint", name, known)}')
        if isinstance(given, JointConstraints) != (name in joints):
            needed = 'a struct with trajectory and goal' if name in joints else 'a number'
            raise ConfigError(f'constraints: {name} must be {needed}')
        if isinstance(given, JointConstraints):
            by_joint[name] = given
        elif given < 0.0:
            raise ConfigError(f'constraints: {name} must be at least 0, got {given:g}')
        else:
            numbers[name] = given
    each = [by_joint.get(joint, JointConstraints()) for joint in joints]
    return Tolerances(
        np.array([one.trajectory for one in each]),
        np.zeros(len(joints)),
        np.array([one.goal for one in each]),
        np.full(len(joints), numbers[_STOPPED]),
        numbers[_GOAL_TIME],
    )


def goal_tolerances(default: Tolerances, goal: Any, joints: Sequence[str]) -> Tolerances:
    """Returns the tolerances of a control_msgs/FollowJointTrajectory goal.

    0 stands for the default and -1 for none. With another negative number, or a joint that the
    controller has not, all tolerances of that kind are the defaults, as in ros2_controllers.
    """
    path = _named(goal.path_tolerance, joints, default.path_position, default.path_velocity)
    end = _named(goal.goal_tolerance, joints, default.goal_position, default.goal_velocity)
    asked = goal.goal_time_tolerance
    seconds = asked.sec + asked.nanosec * 1e-9
    goal_time = 0.0 if seconds == _NONE else seconds if seconds > 0.0 else default.goal_time
    return replace(
        default,
        path_position=path[0],
        path_velocity=path[1],
        goal_position=end[0],
        goal_velocity=end[1],
        goal_time=goal_time,
    )


def _named(
    given: Sequence[Any], joints: Sequence[str], positions: Any, velocities: Any
) -> tuple[Any, Any]:
    """Returns the tolerances of the positions and velocities that a goal asks for."""
    chosen = positions.copy(), velocities.copy()
    for one in given:
        if one.name not in joints:
            return positions, velocities
        for values, asked in zip(chosen, (one.position, one.velocity), strict=True):
            if asked == _NONE:
                values[joints.index(one.name)] = 0.0
            elif asked > 0.0:
                values[joints.index(one.name)] = asked
            elif asked != 0.0:  # negative, or not a number
                return positions, velocities
    return chosen
