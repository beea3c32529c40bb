"""The configuration of the JointTrajectoryController, and the tolerances of goals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ....config import listed, ranged, unknown
from ....errors import ConfigError
from ....plugins import State
from ..drive.drive_config import DriveConfig, Interface

_NONE = -1.0
"""The value that disables a tolerance in a goal; 0 selects the configured tolerance."""
_STOPPED, _GOAL_TIME = 'stopped_velocity_tolerance', 'goal_time'
_STOPPED_DEFAULT = 0.01
_VELOCITY_GAIN = 10.0


@dataclass(frozen=True, kw_only=True, slots=True)
class JointConstraints:
    """Tolerances of a joint; 0 disables a tolerance."""

    trajectory: float = ranged(0.0, minimum=0.0, unit='rad or m', live=True)
    """Maximum deviation from the path."""
    goal: float = ranged(0.0, minimum=0.0, unit='rad or m', live=True)
    """Maximum final distance from the last point of the trajectory."""


Constraints = Mapping[str, float | JointConstraints]
"""Maps `stopped_velocity_tolerance` and `goal_time` to numbers, and joint names to tolerances."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JointTrajectoryControllerConfig(DriveConfig):
    """The configuration of the JointTrajectoryController plugin."""

    joints: tuple[str, ...]
    """Names of the joints that trajectories can move."""
    command_interfaces: tuple[Literal['position', 'velocity', 'acceleration', 'effort'], ...] = (
        'position',
    )
    """Commands to the joints. Position can be combined with other commands. Velocity must be
    alone, and uses `position_gain`. Effort must be alone, and uses the PID instead of servos."""
    state_interfaces: tuple[str, ...] = ('position', 'velocity')
    """Ignored; accepted for compatibility with configurations of ros2_controllers. The simulation
    always knows positions and velocities."""
    allow_partial_joints_goal: bool = ranged(False, live=True)
    """Accept trajectories that omit joints; the omitted joints hold their positions."""
    allow_nonzero_velocity_at_trajectory_end: bool = ranged(False, live=True)
    """Accept trajectories whose last point has a nonzero velocity."""
    interpolate_from_desired_state: bool = ranged(False, live=True)
    """Start a trajectory from the desired state of the previous trajectory instead of the measured
    state."""
    constraints: Constraints = ranged(default_factory=dict, live=True)
    """Default tolerances: `stopped_velocity_tolerance` (0.01 rad/s or m/s), `goal_time` (0 s: no
    limit), and for each joint a struct with `trajectory` and `goal` (0 rad or m: no limit)."""
    position_gain: float = ranged(_VELOCITY_GAIN, minimum=0.0, unit='1/s', live=True)
    """Gain from position error to velocity, for the velocity interface."""
    action_monitor_rate: float = ranged(20.0, above=0.0, maximum=1000.0, unit='Hz')
    """Rate of the action feedback and of the check whether a goal has ended, in simulated time."""
    state_publish_rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Rate of the published controller state, in simulated time."""

    @property
    def interface(self) -> Interface:
        """The drive's interface for the configured `command_interfaces`.

        Raises ConfigError if the combination of interfaces is not supported.
        """
        given = self.command_interfaces
        if len(set(given)) < len(given) or not given:
            raise ConfigError(
                'command_interfaces must list at least one interface, and each only once; got'
                f' {listed(given)}'
            )
        if 'position' in given:
            return 'position'
        if given == ('velocity',):
            return 'velocity'
        if given == ('effort',):
            return 'position'
        raise ConfigError(
            'command_interfaces must include position, or be velocity or effort alone; got'
            f' {listed(given)}'
        )

    @property
    def drive(self) -> DriveConfig:
        """The configuration of the drive; with the effort interface, it does not use servos."""
        by_effort = self.command_interfaces == ('effort',)
        return replace(self, use_servos=False) if by_effort else self


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The tolerances of a goal, as arrays with one number per joint; 0 disables a tolerance."""

    path_position: Any
    path_velocity: Any
    goal_position: Any
    goal_velocity: Any
    goal_time: float
    """Time limit (s) for reaching the goal after the end of the trajectory; 0 for no limit."""

    def write(self, state: State) -> None:
        """Writes the tolerances to a controller's record, for compiled code."""
        for name in self.__slots__:
            setattr(state, name, getattr(self, name))


def default_tolerances(constraints: Constraints, joints: Sequence[str]) -> Tolerances:
    """Returns the tolerances of a configuration. Raises ConfigError if an entry is invalid."""
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

    0 selects the default, and -1 disables a tolerance. If the goal has any other negative number,
    or names an unknown joint, all tolerances fall back to the defaults, as in ros2_controllers.
    """
    asked = goal.goal_time_tolerance
    try:
        path = _named(goal.path_tolerance, joints, default.path_position, default.path_velocity)
        end = _named(goal.goal_tolerance, joints, default.goal_position, default.goal_velocity)
        goal_time = _tolerance(default.goal_time, asked.sec + asked.nanosec * 1e-9)
    except ValueError:
        return default
    return Tolerances(*path, *end, goal_time)


def _named(
    given: Sequence[Any], joints: Sequence[str], positions: Any, velocities: Any
) -> tuple[Any, Any]:
    """Returns the position and velocity tolerances of a goal.

    Raises ValueError if a joint is unknown or a number is invalid.
    """
    positions, velocities = positions.copy(), velocities.copy()
    for one in given:
        k = joints.index(one.name)
        positions[k] = _tolerance(positions[k], one.position)
        velocities[k] = _tolerance(velocities[k], one.velocity)
    return positions, velocities


def _tolerance(default: float, asked: float) -> float:
    """Returns the tolerance that a number in a goal selects; raises ValueError if invalid."""
    if asked == _NONE:
        return 0.0
    if asked < 0.0:
        raise ValueError(asked)
    return asked if asked > 0.0 else default
