"""mujoco_ros_py/JointController: holds joints at target positions with stiffness and damping."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....config.wording import listed, shell_command
from ....errors import ConfigError, PluginError
from ....plugins import State, compiled, ros_type
from ....plugins.topic_qos import COMMANDS
from ..drive.actuator_laws import actuators_of
from ..drive.command_report import CommandReport, Sentences, fault_counts
from ..drive.drive_config import DriveConfig, JointLimits
from ..drive.joint_drive import JointDrive
from ..drive.model_joints import scalar_joints
from .joint_names import NAMED_TWICE, UNKNOWN_JOINT, name_fields, wrong_name
from .old_commands import NOT_FINITE, WRONG_COUNT, note_new, take_targets
from .set_points import JointSetPointPlugin, SetPointConfig, old_command_fields

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class JointControllerConfig(SetPointConfig):
    """The configuration of the JointController plugin."""

    joints: tuple[str, ...] = ()
    """Names of the joints; if empty, all hinge and slide joints with an actuator."""
    topic: str = '~/joint_commands'
    """Topic of the targets (sensor_msgs/JointState)."""
    stiffness: float | tuple[float, ...] = ranged(
        100.0, minimum=0.0, unit='N m/rad or N/m', live=True
    )
    """Force per distance from the target; one number for all joints, or one per joint."""
    damping: float | tuple[float, ...] = ranged(
        10.0, minimum=0.0, unit='N m s/rad or N s/m', live=True
    )
    """Force per velocity; one number for all joints, or one per joint."""
    gravity_compensation: bool = ranged(True, live=True)
    """Compensate gravity, Coriolis and centrifugal forces (qfrc_bias)."""
    joint_limits: Mapping[str, JointLimits] = field(default_factory=dict)
    """Limits by joint name, in addition to the limits in the model."""

    @property
    def drive(self) -> DriveConfig:
        """The configuration of the joints' drive, without the gains `stiffness` and `damping`."""
        return DriveConfig(
            joint_limits=self.joint_limits,
            gravity_compensation=self.gravity_compensation,
            use_servos=False,
        )


class JointController(JointSetPointPlugin[JointControllerConfig]):
    """Drives each joint by the effort stiffness * (target - q) - damping * dq, plus compensation.

    Targets are sensor_msgs/JointState messages with `name` and `position`, in rad or m. A message
    can omit joints. A joint holds its position until a message names it. An invalid message is
    refused as a whole with a warning, at most one per second for each reason.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and subscribes to the targets if ROS is available."""
        joints = self.config.joints or _with_actuators(model, self.environment.prefix)
        if not joints:
            raise PluginError('the model has no hinge or slide joint with an actuator')
        self.drive = JointDrive(self, model, data, joints, 'position', self.config.drive)
        self._places = {name: place for place, name in enumerate(self.drive.joints)}
        gains = self._gains(self.config)
        self.state = self.drive.new_state(
            **name_fields(self.drive.joints),
            **old_command_fields(len(joints), self.config),
            faults=np.zeros(NOT_FINITE + 1, int),
            wrong_count=0,
            wrong_named=0,
        )
        self.drive.set_gains(*gains)
        faults = self.state.faults
        CommandReport(self, lambda: (*fault_counts(faults, self._sentences), *self.old_counts()))
        self._subscribe()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the targets and the driven joints."""
        self.drive.adapt(model, data)
        self.drive.set_gains(*self._gains(self.config))

    @property
    def joints(self) -> list[str]:
        """The names of the driven joints."""
        return list(self.drive.joints)

    def configure(self, config: JointControllerConfig) -> None:
        """Applies the live values. Raises ConfigError if the number of gains is wrong."""
        gains = self._gains(config)
        self.drive.configure(config.drive)
        self.drive.set_gains(*gains)

    def take_command(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        /,
        *,
        name: Sequence[str],
        position: Sequence[float],
    ) -> None:
        """Sets the targets from the values of a sensor_msgs/JointState, in rad or m."""
        if len(name) != len(position):
            raise ConfigError(_misfit(len(name), len(position)))
        self.set_targets(dict(zip(name, map(float, position), strict=True)))

    def set_targets(self, targets: Mapping[str, float]) -> None:
        """Sets target positions by joint name, in rad or m; call this on the physics thread.

        Raises PluginError, and sets no target, if a joint is not driven or a target is not finite.
        During an emergency stop, targets are dropped.
        """
        unknown = [name for name in targets if name not in self._places]
        if unknown:
            raise PluginError(self._unknown(listed(unknown)))
        if not all(map(math.isfinite, targets.values())):
            raise PluginError(_NOT_FINITE)
        if not self.state.stopped:
            for name, target in targets.items():
                self.state.position_command[self._places[name]] = target
                note_new(self.state, self._places[name], target)

    def _subscribe(self) -> None:
        kind, topic = ros_type('sensor_msgs/msg/JointState'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if not self.ros:
            return
        message = f"'{{name: [{self.drive.joints[0]}], position: [0.5]}}'"
        command = shell_command('publish', taken.topic_name, message)
        _log.info('%s: subscribed to %s; try: %s', self.name, taken.topic_name, command)

    @property
    def _sentences(self) -> Sentences:
        """The warnings about faulty messages."""
        return {
            UNKNOWN_JOINT: lambda: self._unknown(wrong_name(self.state, UNKNOWN_JOINT)),
            NAMED_TWICE: self._twice,
            WRONG_COUNT: self._misfit,
            NOT_FINITE: lambda: _NOT_FINITE,
        }

    def _unknown(self, names: str) -> str:
        return f'{self.name} does not drive {names}; it drives {", ".join(self.drive.joints)}'

    def _twice(self) -> str:
        return f'a command names {wrong_name(self.state, NAMED_TWICE)} twice'

    def _misfit(self) -> str:
        return _misfit(int(self.state.wrong_named), int(self.state.wrong_count))

    def _gains(self, config: JointControllerConfig) -> tuple[Any, Any]:
        """Returns the stiffness and damping of each joint.

        Raises ConfigError if the number of gains is wrong.
        """
        return (
            self._per_joint('stiffness', config.stiffness),
            self._per_joint('damping', config.damping),
        )

    def _per_joint(self, name: str, given: float | tuple[float, ...]) -> np.ndarray[Any, Any]:
        count = len(self.drive.joints)
        if isinstance(given, tuple) and len(given) != count:
            raise ConfigError(
                f'{name} must be one number, or one per joint ({count}), got {len(given)}'
            )
        return np.broadcast_to(np.array(given, float), (count,))

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the targets from a message."""
        take_targets(state, data, message)


_NOT_FINITE = 'a command has a position that is not finite'


def _misfit(names: int, positions: int) -> str:
    counts = f'{names} names and {positions} positions'
    return f'a command needs one position for each name, got {counts}'


def _with_actuators(model: mujoco.MjModel, prefix: str) -> list[str]:
    """Returns the hinge and slide joints with an actuator, in the order of the model.

    Returns only names that start with the prefix of the plugin's group, and removes the prefix.
    """
    return [
        name.removeprefix(prefix)
        for name, joint in scalar_joints(model).items()
        if name.startswith(prefix) and actuators_of(model, joint)
    ]
