"""The base of grippers: their configuration, their goals, their action, and their results."""

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
"""The actions of control_msgs by which grippers are moved."""


@dataclass(frozen=True, kw_only=True)
class GripperConfig:
    """The configuration of a gripper's action."""

    action_type: ActionType = 'ParallelGripperCommand'
    """The type of the action `~/gripper_cmd`, of control_msgs; GripperCommand is the older one."""
    action_monitor_rate: float = ranged(20.0, minimum=0.1, unit='Hz')
    """How often feedback is published and the end of a goal is told, in simulated time."""
    goal_tolerance: float = ranged(0.01, minimum=0.0, unit='rad or m', live=True)
    """The distance from the goal below which the gripper has reached it."""
    allow_stalling: bool = ranged(False, live=True)
    """Whether a goal succeeds if the gripper stalls, at an object for example."""
    stall_velocity_threshold: float = ranged(0.001, minimum=0.0, unit='rad/s or m/s', live=True)
    """The velocity up to which the gripper counts as standing still."""
    stall_timeout: float = ranged(1.0, minimum=0.0, unit='s', live=True)
    """How long the gripper must stand still until it has stalled, in simulated time."""
    max_velocity: float = ranged(0.0, minimum=0.0, unit='rad/s or m/s')
    """The largest velocity if a goal names none; 0: the limits of the drive alone."""
    max_effort: float = ranged(0.0, minimum=0.0, unit='N m or N')
    """The largest effort if a goal names none; 0: the limits of the drive alone."""
    max_velocity_interface: str = ''
    """Taken so that files of ros2_controllers fit, and not used: the velocity of every gripper
    can be limited."""
    max_effort_interface: str = ''
    """Taken so that files of ros2_controllers fit, and not used: the effort of every gripper can
    be limited."""

    @property
    def judgement(self) -> dict[str, Any]:
        """The fields of the record by which compiled code judges a goal."""
        return {
            'goal_tolerance': self.goal_tolerance,
            'allow_stalling': self.allow_stalling,
            'stall_velocity': self.stall_velocity_threshold,
            'stall_timeout': self.stall_timeout,
        }


ACTION = '~/gripper_cmd'
"""The name of the action, which MoveIt knows by the `action_ns` gripper_cmd."""
_REASONS = {
    STALLED: 'the gripper has stalled before it reached the goal',
    FORGOTTEN: 'the time has jumped back',
}
_MEASURED = 'time', 'position', 'velocity', 'effort'
"""The fields of the record that keep the last moment of a goal."""
Config = TypeVar('Config', bound=GripperConfig)


class GripperPlugin(PursuesGoals[Config]):
    """The base of grippers, which move by an action to one position at a time.

    A subclass makes its record with `motion_fields` in `load`, and then calls `begin_goals`.
    """

    def measured(self, data: mujoco.MjData) -> tuple[float, float, float]:
        """Returns the position in rad or m, the velocity, and the effort in N m or N."""
        return self.measured_by(self.state, data)

    @abstractmethod
    def measured_by(self, state: State, data: mujoco.MjData) -> tuple[float, float, float]:
        """Returns what `measured` returns, with the addresses in a record or in a copy of it."""

    @abstractmethod
    def goes_with(self, model: mujoco.MjModel) -> bool:
        """Tells whether what was read in the record before belongs to this model."""

    @abstractmethod
    def command(self, data: mujoco.MjData, asked: Asked) -> None:
        """Has the gripper move to a position; an infinite limit stands for no limit."""

    @abstractmethod
    def hold(self) -> None:
        """Has the gripper hold its present position."""

    def motion_fields(self) -> dict[str, Any]:
        """Returns the fields of the record by which compiled code judges a goal."""
        numbers = dict.fromkeys(('target', 'moved_at', *_MEASURED), 0.0)
        flags = {'reached': False, 'stalled': False}
        return {**goal_fields(), **numbers, **flags, **self.config.judgement}

    def begin_goals(self, name: str, *, any_name: bool = False) -> None:
        """Offers the action; `name` is the joint of the gripper in messages.

        With `any_name`, goals may name any joint.
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
        """Takes a goal of the action; a limit of 0 is that of the configuration."""
        self.move(data, position, max_velocity=max_velocity, max_effort=max_effort)

    def move(
        self,
        data: mujoco.MjData,
        position: float,
        *,
        max_velocity: float = 0.0,
        max_effort: float = 0.0,
    ) -> Pursuit:
        """Moves the gripper, as a goal does; called on the physics thread.

        The pursuit ends as the goal of the action would, with a `Grip` as its result. A limit of 0
        is that of the configuration. Raises ConfigError for a number that is not finite.
        """
        asked = Asked(position, max_velocity, max_effort)
        if not all(map(math.isfinite, asked)):
            raise ConfigError(f'a goal must have finite numbers, got {asked}')
        return self._begin(data, asked)

    def configure(self, config: Config) -> None:
        """Judges goals by the new values from now on."""
        super().configure(config)
        for name, value in config.judgement.items():
            setattr(self.state, name, value)

    def _begin(self, data: mujoco.MjData, asked: Asked) -> Pursuit:
        """Begins a goal; called on the physics thread."""
        pursuit, state = self.goals.begin(), self.state
        if pursuit.ended:  # an emergency stop is on
            return pursuit
        state.target, state.moved_at, state.time = asked.position, data.time, data.time
        state.position, state.velocity, state.effort = self.measured(data)
        state.reached = state.stalled = False
        limits = self.config.max_velocity, self.config.max_effort
        given = (one or usual or math.inf for one, usual in zip(asked[1:], limits, strict=True))
        self.command(data, Asked(asked.position, *given))
        return pursuit

    def _result(self, end: int) -> Any:
        """Returns the message of a result, or the grip itself where nothing is sent."""
        state = self.state
        time, position, velocity, effort = (float(state[name]) for name in _MEASURED)
        grip = Grip(time, position, velocity, effort, bool(state.stalled), bool(state.reached))
        if not (self.ros and self._messages.kind):
            return grip
        return self._messages.result(grip, time + self.environment.simulation.ros_offset)

    def _feedback(self, snapshot: Snapshot) -> Any:
        """Returns the feedback of a moment; None where the model was changed since then."""
        state = self.state.copy()
        if not self.goes_with(snapshot.model):
            return None
        measured = self.measured_by(state, snapshot.data)
        return self._messages.feedback(Grip(snapshot.time, *measured), snapshot.ros_time)
