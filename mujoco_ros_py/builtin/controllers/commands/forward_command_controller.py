"""mujoco_ros_py/ForwardCommandController: forwards an array of commands to joints."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....errors import ConfigError
from ....plugins import State, compiled, ros_type
from ....plugins.topic_qos import COMMANDS
from ..drive.command_report import CommandReport, refusal
from ..drive.drive_config import DriveConfig, Interface
from ..drive.joint_drive import JointDrive
from .old_commands import take_new_commands
from .set_points import JointSetPointPlugin, SetPointConfig, old_command_fields

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class ForwardCommandControllerConfig(SetPointConfig, DriveConfig):
    """The configuration of the ForwardCommandController plugin."""

    joints: tuple[str, ...]
    """Names of the joints, in the order of the numbers in a command."""
    interface_name: Interface
    """Kind of the commands: position (rad or m), velocity (rad/s or m/s) or effort (N m or N)."""
    topic: str = '~/commands'
    """Topic of the commands (std_msgs/Float64MultiArray), with one number per joint."""


class ForwardCommandController(JointSetPointPlugin[ForwardCommandControllerConfig]):
    """Forwards commands from a topic to joints, like its namesake in ros2_controllers.

    A message with a wrong length, or with a number that is not finite, is refused as a whole.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and subscribes to the commands if ROS is available."""
        config = self.config
        self.drive = JointDrive(self, model, data, config.joints, config.interface_name)
        self.state = self.drive.new_state(**old_command_fields(len(config.joints), config))
        CommandReport(self, self.old_counts)
        self._subscribe()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Adapts to another model; keeps the commands."""
        self.drive.adapt(model, data)

    def take_command(
        self, model: mujoco.MjModel, now: mujoco.MjData, /, *, data: Sequence[float]
    ) -> None:
        """Sets the commands from the values of a std_msgs/Float64MultiArray."""
        self.set_commands(data)

    def set_commands(self, values: Sequence[float]) -> None:
        """Sets a command for each joint, as a message would; call this on the physics thread.

        Raises ConfigError, and sets no command, unless `values` has one finite number per joint.
        """
        given = np.array(values, float)
        if given.shape != (len(self.drive.joints),) or not np.isfinite(given).all():
            raise ConfigError(refusal(self.drive.joints, given.size if given.ndim == 1 else None))
        self.forget_old()
        take_new_commands(self.state, self.drive.data, given)

    def _subscribe(self) -> None:
        kind, topic = ros_type('std_msgs/msg/Float64MultiArray'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if self.ros:
            what = self.config.interface_name
            _log.info('%s: subscribed to %s commands on %s', self.name, what, taken.topic_name)

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Sets the commands from a message."""
        take_new_commands(state, data, message.data)
