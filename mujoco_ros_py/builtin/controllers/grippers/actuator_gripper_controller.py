"""mujoco_ros_py/ActuatorGripperController: moves a gripper by an actuator on a tendon or joint."""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....config import unknown
from ....errors import ConfigError, PluginError
from ....plugins import State, compiled, new_state
from ....simulation import given_name
from ..drive.actuator_laws import ActuatorLaw, Law, address_of, law_of
from ..drive.claims import Claims, check_free
from ..drive.command_report import CommandReport, Count, clamping
from ..drive.moved_joints import joints_on, moved_joints
from .gripper_messages import Asked
from .gripper_motion import (
    advance_gripper,
    drive_gripper,
    forget_command,
    forget_goal,
    gripper_effort,
    gripper_position,
    gripper_velocity,
    judge_goal,
)
from .gripper_plugin import GripperConfig, GripperPlugin

_log = logging.getLogger(__name__)
_ACTUATOR = mujoco.mjtObj.mjOBJ_ACTUATOR
_TENDON, _ON_JOINT = int(mujoco.mjtTrn.mjTRN_TENDON), int(mujoco.mjtTrn.mjTRN_JOINT)


@dataclass(frozen=True, kw_only=True)
class ActuatorGripperControllerConfig(GripperConfig):
    """The configuration of the ActuatorGripperController plugin."""

    actuator: str
    """Name of the actuator, a position servo on a tendon or on a joint."""
    positions: tuple[float, float] | None = None
    """Positions of the gripper at the smallest and the largest control (`ctrlrange`). By default,
    positions are lengths of the tendon or positions of the joint."""

    def __post_init__(self) -> None:
        if self.positions is not None and self.positions[0] == self.positions[1]:
            raise ConfigError(f'the two positions must differ, got {list(self.positions)}')


class ActuatorGripperController(GripperPlugin[ActuatorGripperControllerConfig]):
    """Moves a gripper by a position servo on a tendon or joint that moves all fingers.

    The gripper holds its initial position until the first goal.
    """

    places = 'control', 'output'

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the actuator and its joints, and offers the action if ROS is available."""
        fields = self._found(model)
        self._said = fields['limits_effort']
        self.state = new_state(
            **self.motion_fields(),
            **fields,
            max_velocity=math.inf,
            max_effort=math.inf,
            command=math.nan,
            clamped=math.nan,
            clamps=0,
            held=False,
            stopped=False,
            **dict.fromkeys(('reference', 'next', 'speed', 'drive_time'), 0.0),
        )
        self.hold()
        CommandReport(self, self._counts)
        self.begin_goals(self.config.actuator, any_name=True)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the goal, the grip and the limits."""
        fields = self._found(model)
        for name, value in fields.items():
            setattr(self.state, name, value)

    def goes_with(self, model: mujoco.MjModel) -> bool:
        """Returns whether the record's addresses belong to this model."""
        return self._model is model

    def measured_by(self, state: State, data: mujoco.MjData) -> tuple[float, float, float]:
        """Returns position, velocity and effort at the last forward pass."""
        functions = gripper_position, gripper_velocity, gripper_effort
        position, velocity, effort = (float(each(state, data)) for each in functions)
        return position, velocity, effort

    def command(self, data: mujoco.MjData, asked: Asked) -> None:
        """Makes the servo move to a position, within the limits of the goal."""
        state = self.state
        if math.isnan(state.command):
            state.reference = gripper_position(state, data)
        state.command, state.max_velocity, state.max_effort = asked
        if asked.max_effort < math.inf and not self._said:
            self._said = True
            _log.warning(
                '%s: the effort of actuator %s cannot be limited, because the actuator has an'
                ' activation or a regulator of its own',
                self.name,
                self.config.actuator,
            )

    def hold(self) -> None:
        """Makes the gripper hold its position, within the configured `max_effort`."""
        state = self.state
        state.max_velocity, state.max_effort = math.inf, self.config.max_effort or math.inf
        forget_command(state)

    @property
    def driven_actuators(self) -> Collection[str]:
        """The actuators that the plugin drives."""
        return self.claims.actuators

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards the command; the gripper holds its initial position."""
        super().reset(model, data)
        self.hold()
        self.state.held, self.state.clamped = False, math.nan

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Ends the goal, and makes the gripper hold its position while `stopped`.

        During the stop, the gripper keeps holding a gripped object with the effort of the grip.
        """
        self.state.stopped = stopped
        super().emergency_stop(model, data, stopped)

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends the goal, and makes the servo hold the grip with its current force."""
        super().withdraw(model, data)
        if model is not self._model:  # the actuator is gone or can no longer be driven
            return
        forget_command(self.state)
        drive_gripper(self.state, data, model.opt.timestep)

    def _found(self, model: mujoco.MjModel) -> dict[str, Any]:
        """Claims the actuator and its joints; returns the actuator's record fields."""
        name = f'{self.environment.prefix}{self.config.actuator}'
        actuator = _actuator(model, name)
        law = _servo(model, actuator)
        joints = joints_on(model, actuator) | moved_joints(model, [actuator])
        claims = Claims(actuators=frozenset([name]), joints=joints)
        check_free(self, claims)
        fields = _fields(law, self.config.positions)
        self.claims, self._model = claims, model
        return {**fields, 'output': address_of(model, 'actuator_outadr', actuator, actuator)}

    def _counts(self) -> Iterator[Count]:
        number = int(self.state.clamps)
        yield Count(reason='clamped', place=0, number=number, sentence=self._clamped)

    def _clamped(self) -> str:
        state = self.state
        ends = ((control - state.start) / state.slope for control in (state.low, state.high))
        what = f'the position of gripper {self.config.actuator}'
        return clamping(what, float(state.clamped), *sorted(ends))

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the gripper to its goal."""
        drive_gripper(state, data, model.opt.timestep)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the gripper by one step, and ends a goal that is reached or has stalled."""
        advance_gripper(state, data)
        if math.isnan(state.command):
            forget_goal(state)
        position, velocity = gripper_position(state, data), gripper_velocity(state, data)
        judge_goal(state, data.time, position, velocity, gripper_effort(state, data))


def _actuator(model: mujoco.MjModel, name: str) -> int:
    actuator = int(mujoco.mj_name2id(model, _ACTUATOR, name))
    if actuator < 0:
        count = len(model.actuator_trntype)
        known = filter(None, (given_name(model, _ACTUATOR, each) for each in range(count)))
        raise PluginError(unknown('actuator', name, known))
    return actuator


def _servo(model: mujoco.MjModel, actuator: int) -> ActuatorLaw:
    """Returns the law of the actuator. Raises PluginError if it cannot move a gripper."""
    law = law_of(model, actuator)
    if model.actuator_trntype[actuator] not in (_TENDON, _ON_JOINT):
        raise PluginError(f'actuator {law.name} must be on a tendon or a joint')
    if not law.servoes_position or law.law is Law.INTEGRATOR:
        raise PluginError(f'actuator {law.name} must be a position servo')
    return law


def _fields(law: ActuatorLaw, positions: tuple[float, float] | None) -> dict[str, Any]:
    """Returns the record fields that convert positions to controls.

    Raises ConfigError if `positions` are given but the actuator has no `ctrlrange`.
    """
    low, high = law.control_range
    slope, start = -law.bias[1] * law.gear / law.gain[0], -law.bias[0] / law.gain[0]
    if positions is not None:
        if math.isinf(high - low):
            raise ConfigError(f'positions needs a ctrlrange, but actuator {law.name} has none')
        slope = (high - low) / (positions[1] - positions[0])
        start = low - slope * positions[0]
    return {
        'control': law.control,
        'low': low,
        'high': high,
        'gain': law.gain[0],
        'bias': np.array(law.bias),
        'slope': slope,
        'start': start,
        'length_per_position': -law.gain[0] * slope / law.bias[1],
        'limits_effort': law.law is Law.AFFINE,
        'bears': not law.regulated,
    }
