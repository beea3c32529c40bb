"""mujoco_ros_py/ForwardCommandController: forwards an array of numbers to joints."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....errors import ConfigError
from ....messages.topic_qos import COMMANDS
from ....plugins import State, compiled, ros_type
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
    """The joints, in the order of the numbers in a command."""
    interface_name: Interface
    """What the numbers are: position (rad or m), velocity (rad/s or m/s) or effort (N m or N)."""
    topic: str = '~/commands'
    """The topic of the commands (std_msgs/Float64MultiArray), one number for each joint."""


class ForwardCommandController(JointSetPointPlugin[ForwardCommandControllerConfig]):
    """Forwards the numbers of a topic to joints, as the controller of ros2_controllers does.

    A message of a wrong length, or with a number that is not finite, is refused as a whole.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Claims the joints, and subscribes to the commands where there is ROS."""
        config = self.config
        self.drive = JointDrive(self, model, data, config.joints, config.interface_name)
        self.state = self.drive.new_state(**old_command_fields(len(config.joints), config))
        CommandReport(self, self.old_counts)
        self._subscribe()

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Goes on with another model: the commands stay."""
        self.drive.adapt(model, data)

    def take_command(
        self, model: mujoco.MjModel, now: mujoco.MjData, /, *, data: Sequence[float]
    ) -> None:
        """Takes the commands of a std_msgs/Float64MultiArray."""
        self.set_commands(data)

    def set_commands(self, values: Sequence[float]) -> None:
        """Sets a command for each joint, as a message does; called on the physics thread.

        Raises ConfigError, and sets none, unless there is a finite number for each joint.
        """
        given = np.array(values, float)
        if given.shape != (len(self.drive.joints),) or not np.isfinite(given).all():
            raise ConfigError(refusal(self.drive.joints, given.size))
        self.forget_old()
        take_new_commands(self.state, self.drive.data, given)

    def _subscribe(self) -> None:
        kind, topic = ros_type('std_msgs/msg/Float64MultiArray'), self.config.topic
        taken = self.ros.create_compiled_subscription(
            kind, topic, self.take, COMMANDS, state=self.state
        )
        if self.ros:
            what = self.config.interface_name
            _log.info('%s: takes %s commands on %s', self.name, what, taken.topic_name)

    @staticmethod
    @compiled
    def take(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Takes the commands of a message."""
        take_new_commands(state, data, message.data)
