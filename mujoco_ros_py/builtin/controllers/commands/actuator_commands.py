"""mujoco_ros_py/ActuatorCommands: sets the controls of actuators from a topic."""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import mujoco
import numpy as np

from ....config import listed, ranged, unknown
from ....errors import ConfigError, PluginError
from ....plugins import Adaptable, Commandable, State, Stoppable, compiled, new_state, ros_type
from ....plugins.topic_qos import COMMANDS
from ....simulation import given_name
from ..drive.actuator_laws import Law, address_of, law_of
from ..drive.claims import Claims, check_free
from ..drive.command_report import CommandReport, Count, clamping, lateness, refusal
from ..drive.model_joints import check_unique
from ..drive.moved_joints import moved_joints
from .control_commands import (
    advance_controls,
    apply_controls,
    forget_controls,
    rest_control,
    rest_controls,
    take_controls,
)
from .set_points import SetPointConfig, SetPointPlugin, old_command_fields

_log = logging.getLogger(__name__)
_ACTUATOR = mujoco.mjtObj.mjOBJ_ACTUATOR
_ROW = np.dtype(
    [
        ('address', int),
        ('output', int),
        ('low', float),
        ('high', float),
        ('gain', float),
        ('bias', float),
        ('stiffness', float),
        ('bears', int),
        ('velocity', float),
        ('command', float),
        ('rests', int),
        ('clamped', float),
        ('clamps', int),
    ],
    align=True,
)

_OF_MODEL = 'address', 'output', 'low', 'high', 'gain', 'bias', 'stiffness', 'bears'
"""The fields of a row that depend only on the model."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ActuatorCommandsConfig(SetPointConfig):
    """The configuration of the ActuatorCommands plugin."""

    actuators: tuple[str, ...]
    """Names of the actuators, in the order of the numbers in a command."""
    topic: str = '~/commands'
    """Topic of the controls (std_msgs/Float64MultiArray), with one number per control."""
    command_timeout: float = ranged(0.0, minimum=0.0, unit='s')
    """Simulated time without a command after which position servos hold their positions and all
    other controls become 0; 0: never."""


class ActuatorCommands(SetPointPlugin[ActuatorCommandsConfig], Adaptable, Stoppable, Commandable):
    """Sets `data.ctrl` of named actuators from a topic, clamped to their `ctrlrange`.

    An actuator with several controls takes one number per control. A message with a wrong length,
    or with a number that is not finite, is refused as a whole.
    """

    places = 'controls.address', 'controls.output'

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the actuators and the joints they move; subscribes if ROS is available."""
        check_unique('actuators', self.config.actuators)
        self._names, controls = self._found(model)
        self._model = model
        self.state = new_state(
            controls=controls,
            stopped=False,
            late=False,
            late_count=0,
            refusals=0,
            refused_length=0,
            time=0.0,
            command_time=0.0,
            timeout=self.config.command_timeout,
            **old_command_fields(len(controls), self.config),
        )
        self.reset(model, data)
        CommandReport(self, self._counts)
        self._subscribe()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the commands.

        Raises PluginError if an actuator is gone or has another number of controls.
        """
        names, controls = self._found(model)
        if names != self._names:
            raise PluginError(
                f'the actuators now have {len(names)} controls ({listed(names)}) instead of'
                f' {len(self._names)}: reload to set them'
            )
        self._model = model
        for row, new in zip(self.state.controls, controls, strict=True):
            _renew(row, new)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Discards all commands; the controls keep their values from the reset."""
        forget_controls(self.state, data)
        super().reset(model, data)

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Discards all commands.

        During a stop, position servos hold their positions, and all other controls are 0.
        """
        if stopped != self.state.stopped:
            forget_controls(self.state, data)
        self.state.stopped = stopped

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Makes position servos hold their current positions, and sets all other controls to 0."""
        if model is self._model:
            rest_controls(self.state, data, model.opt.timestep)
        else:  # adapting to this model failed
            self._rest_those_left(model, data)

    @property
    def driven_actuators(self) -> Collection[str]:
        """The actuators that the plugin drives."""
        return self.claims.actuators

    def take_command(
        self, model: mujoco.MjModel, now: mujoco.MjData, /, *, data: Sequence[float]
    ) -> None:
        """Sets the controls from the values of a std_msgs/Float64MultiArray."""
        self.set_controls(now, data)

    def set_controls(self, data: mujoco.MjData, values: Sequence[float]) -> None:
        """Sets all controls, as a message would; call this on the physics thread.

        Raises ConfigError, and sets no control, unless `values` has one finite number per control.
        """
        given = np.array(values, float)
        if given.shape != (len(self._names),) or not np.isfinite(given).all():
            raise ConfigError(refusal(self._names, given.size if given.ndim == 1 else None))
        self.forget_old()
        take_controls(self.state, data, given)

    def _found(self, model: mujoco.MjModel) -> tuple[list[str], np.ndarray[Any, Any]]:
        """Claims the actuators in a model; returns the names and rows of their controls."""
        whole = [f'{self.environment.prefix}{name}' for name in self.config.actuators]
        rows = [row for name in whole for row in _rows(model, name)]
        numbers = (mujoco.mj_name2id(model, _ACTUATOR, name) for name in whole)
        claims = Claims(actuators=frozenset(whole), moved=moved_joints(model, numbers))
        check_free(self, claims)
        self.claims = claims
        return [name for name, _ in rows], np.array([row for _, row in rows], _ROW)

    def _rest_those_left(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Calls `rest_control` for the plugin's controls that the new model still has."""
        whole = [f'{self.environment.prefix}{name}' for name in self.config.actuators]
        there = [name for name in whole if mujoco.mj_name2id(model, _ACTUATOR, name) >= 0]
        left = dict(row for name in there for row in _rows(model, name))
        for row, name in zip(self.state.controls, self._names, strict=True):
            if name in left:
                _renew(row, np.array([left[name]], _ROW)[0])
                rest_control(row, data, model.opt.timestep)

    def _subscribe(self) -> None:
        kind, topic = ros_type('std_msgs/msg/Float64MultiArray'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if self.ros:
            _log.info('%s: subscribed to controls on %s', self.name, taken.topic_name)

    def _counts(self) -> Iterator[Count]:
        state = self.state
        refused, late = int(state.refusals), int(state.late_count)
        yield Count(reason='refused', place=0, number=refused, sentence=self._refused)
        yield Count(reason='late', place=0, number=late, sentence=self._late)
        for k in range(len(self._names)):
            clamps, sentence = int(state.controls[k]['clamps']), partial(self._clamped, k)
            yield Count(reason='clamped', place=k, number=clamps, sentence=sentence)
        yield from self.old_counts()

    def _refused(self) -> str:
        return refusal(self._names, int(self.state.refused_length))

    def _late(self) -> str:
        return lateness(self._names, self.config.command_timeout)

    def _clamped(self, k: int) -> str:
        row = self.state.controls[k]
        return clamping(f'control {self._names[k]}', row['clamped'], row['low'], row['high'])

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Sets the controls."""
        apply_controls(state, data, model.opt.timestep)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Ends all commands if none has arrived for `command_timeout`."""
        advance_controls(state, data)

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the controls from a message."""
        take_controls(state, data, message.data)


def _renew(row: Any, new: Any) -> None:
    """Updates the row of a control for another model."""
    for name in _OF_MODEL:
        row[name] = new[name]


def _rows(model: mujoco.MjModel, name: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yields the name and the row of each control of an actuator.

    Raises PluginError if the actuator does not exist or has no control.
    """
    actuator = mujoco.mj_name2id(model, _ACTUATOR, name)
    if actuator < 0:
        count = len(model.actuator_trntype)
        known = filter(None, (given_name(model, _ACTUATOR, each) for each in range(count)))
        raise PluginError(unknown('actuator', name, known))
    law, count = law_of(model, actuator), address_of(model, 'actuator_ctrlnum', actuator, 1)
    if count == 0:
        raise PluginError(f'actuator {name} has no control')
    output = address_of(model, 'actuator_outadr', actuator, actuator)
    servo = law.servoes_position and law.law is not Law.INTEGRATOR
    for k in range(count):
        address = law.control + k
        low, high = -math.inf, math.inf
        if model.actuator_ctrllimited[address]:
            low, high = map(float, model.actuator_ctrlrange[address])
        stiffness = -law.bias[1] if servo and k == 0 else 0.0
        terms = low, high, law.gain[0], law.bias[0], stiffness, not law.regulated, 0.0
        shown = name if count == 1 else f'{name}[{k}]'
        yield shown, (address, output, *terms, math.nan, 0, math.nan, 0)
