"""The base class of gripper plugins: their configuration, and the action with its goals."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import mujoco

from ....config import ranged
from ....errors import ConfigError
from ....plugins import State
from ....simulation import Snapshot
from ..goals.goal_action import GoalAction
from ..goals.goals import Goals, PursuesGoals, Pursuit, goal_fields
from .gripper_messages import ACTIONS, Asked, Grip
from .gripper_motion import FORGOTTEN, STALLED

ActionType = Literal['ParallelGripperCommand', 'GripperCommand']
"""The gripper actions of control_msgs."""


@dataclass(frozen=True, kw_only=True)
class GripperConfig:
    """The configuration of a gripper's action."""

    action_type: ActionType = 'ParallelGripperCommand'
    """Type of the action `~/gripper_cmd`, from control_msgs; GripperCommand is the older type."""
    action_monitor_rate: float = ranged(20.0, minimum=0.1, unit='Hz')
    """Rate of the action feedback and of the check whether a goal has ended, in simulated time."""
    goal_tolerance: float = ranged(0.01, minimum=0.0, unit='rad or m', live=True)
    """A goal is reached when the gripper's distance to the goal is less than this."""
    allow_stalling: bool = ranged(False, live=True)
    """Whether a goal succeeds if the gripper stalls, for example at an object."""
    stall_velocity_threshold: float = ranged(0.001, minimum=0.0, unit='rad/s or m/s', live=True)
    """Up to this velocity, the gripper counts as at rest."""
    stall_timeout: float = ranged(1.0, minimum=0.0, unit='s', live=True)
    """How long the gripper must be at rest to count as stalled, in simulated time."""
    max_velocity: float = ranged(0.0, minimum=0.0, unit='rad/s or m/s')
    """Largest velocity for goals without a velocity limit; 0: only the limits of the drive."""
    max_effort: float = ranged(0.0, minimum=0.0, unit='N m or N')
    """Largest effort for goals without an effort limit; 0: only the limits of the drive."""
    max_velocity_interface: str = ''
    """Ignored; accepted for compatibility with configurations of ros2_controllers. The velocity of
    every gripper can be limited."""
    max_effort_interface: str = ''
    """Ignored; accepted for compatibility with configurations of ros2_controllers. The effort can
    be limited without it."""

    @property
    def judgement(self) -> dict[str, Any]:
        """The record fields with the criteria for reached and stalled goals."""
        return {
            'goal_tolerance': self.goal_tolerance,
            'allow_stalling': self.allow_stalling,
            'stall_velocity': self.stall_velocity_threshold,
            'stall_timeout': self.stall_timeout,
        }


ACTION = '~/gripper_cmd'
"""The name of the action; in MoveIt, set `action_ns` to gripper_cmd."""
_REASONS = {
    STALLED: 'the gripper stalled before it reached the goal',
    FORGOTTEN: 'the time has jumped back',
}
_MEASURED = 'time', 'position', 'velocity', 'effort'
"""The record fields with the state of the gripper in the last step of a goal."""
Config = TypeVar('Config', bound=GripperConfig)


class GripperPlugin(PursuesGoals[Config]):
    """The base class of grippers that move to one position at a time, by an action.

    In `load`, a subclass creates its record with `motion_fields`, and then calls `begin_goals`.
    """

    def measured(self, data: mujoco.MjData) -> tuple[float, float, float]:
        """Returns the position in rad or m, the velocity, and the effort in N m or N."""
        return self.measured_by(self.state, data)

    @abstractmethod
    def measured_by(self, state: State, data: mujoco.MjData) -> tuple[float, float, float]:
        """Like `measured`, but reads the addresses from `state`, which can be a copy."""

    @abstractmethod
    def goes_with(self, model: mujoco.MjModel) -> bool:
        """Returns whether the record is for this model; call this after reading the record."""

    @abstractmethod
    def command(self, data: mujoco.MjData, asked: Asked) -> None:
        """Makes the gripper move to a position; infinite limits mean no limit."""

    @abstractmethod
    def hold(self) -> None:
        """Makes the gripper hold its current position."""

    def motion_fields(self) -> dict[str, Any]:
        """Returns the record fields that compiled code needs to detect the end of a goal."""
        numbers = dict.fromkeys(('target', 'moved_at', *_MEASURED), 0.0)
        flags = {'reached': False, 'stalled': False}
        return {**goal_fields(), **numbers, **flags, **self.config.judgement}

    def begin_goals(self, name: str, *, any_name: bool = False) -> None:
        """Offers the action; `name` is the gripper's joint name in messages.

        With `any_name`, goals can name any joint.
        """
        self.goals = Goals(
            self,
            rate_hz=self.config.action_monitor_rate,
            result=self._result,
            cancelled=self.hold,
            reasons=_REASONS,
        )
        messages: Any = ACTIONS[self.config.action_type](name, any_name=any_name)
        self._messages = messages
        GoalAction(
            self,
            self.goals,
            messages.kind,
            ACTION,
            read=messages.read,
            begin=lambda asked, data: self._begin(data, asked),
            feedback=self._feedback,
        )

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        position: float,
        max_velocity: float = 0.0,
        max_effort: float = 0.0,
    ) -> None:
        """Begins a goal of the action; a limit of 0 selects the configured limit."""
        self.move(data, position, max_velocity=max_velocity, max_effort=max_effort)

    def move(
        self,
        data: mujoco.MjData,
        position: float,
        *,
        max_velocity: float = 0.0,
        max_effort: float = 0.0,
    ) -> Pursuit:
        """Moves the gripper like a goal of the action; call this on the physics thread.

        Without ROS, the result of the returned goal is a `Grip`. A limit of 0 selects the
        configured limit. Raises ConfigError if a number is not finite.
        """
        asked = Asked(position, max_velocity, max_effort)
        if not all(map(math.isfinite, asked)):
            raise ConfigError(f'a goal must have finite numbers, got {asked}')
        return self._begin(data, asked)

    def configure(self, config: Config) -> None:
        """Applies new criteria for reached and stalled goals."""
        super().configure(config)
        for name, value in config.judgement.items():
            setattr(self.state, name, value)

    def _begin(self, data: mujoco.MjData, asked: Asked) -> Pursuit:
        """Begins a goal; called on the physics thread."""
        pursuit, state = self.goals.begin(), self.state
        if pursuit.ended:  # an emergency stop is active
            return pursuit
        state.target, state.moved_at, state.time = asked.position, data.time, data.time
        state.position, state.velocity, state.effort = self.measured(data)
        state.reached = state.stalled = False
        limits = self.config.max_velocity, self.config.max_effort
        given = (one or usual or math.inf for one, usual in zip(asked[1:], limits, strict=True))
        self.command(data, Asked(asked.position, *given))
        return pursuit

    def _result(self, end: int) -> Any:
        """Returns the result message of an ended goal, or a `Grip` without ROS."""
        state = self.state
        time, position, velocity, effort = (float(state[name]) for name in _MEASURED)
        grip = Grip(time, position, velocity, effort, bool(state.stalled), bool(state.reached))
        if not (self.ros and self._messages.kind):
            return grip
        return self._messages.result(grip, time + self.environment.simulation.ros_offset)

    def _feedback(self, snapshot: Snapshot) -> Any:
        """Returns the feedback for a snapshot; None if the model has changed in the meantime."""
        state = self.state.copy()
        if not self.goes_with(snapshot.model):
            return None
        measured = self.measured_by(state, snapshot.data)
        return self._messages.feedback(Grip(snapshot.time, *measured), snapshot.ros_time)
