"""mujoco_ros_py/JointCommands: set-points for a JointController from a topic."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from ..config.wording import shell_command
from ..errors import PluginError
from ..log_throttle import Throttle
from ..plugins import MujocoPlugin
from .joint_controller import JointController


@dataclass(frozen=True, kw_only=True, slots=True)
class JointCommandsConfig:
    """What it is configured by."""

    controller: str
    """Name of a JointController that stands before this plugin in the list."""
    topic: str = 'joint_commands'
    """Where the set-points come (sensor_msgs/JointState)."""


class JointCommands(MujocoPlugin[JointCommandsConfig]):
    """Subscribes to target positions (sensor_msgs/JointState: `name` and `position`, rad or m).

    The newest message counts; it may name some of the joints. A message that cannot be used is
    refused as a whole, with a warning, of which there is one a second for each reason.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the controller and subscribes."""
        controller = self.environment.plugin(self.config.controller)
        if not isinstance(controller, JointController):
            raise PluginError(f'{controller.name!r} is no mujoco_ros_py/JointController')
        self._controller = controller
        self._refusals = Throttle()
        # best effort is what every publisher can serve
        qos = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._subscription = self.node.create_subscription(
            JointState, self.config.topic, self._take, qos
        )
        name = self._subscription.topic_name
        message = f"'{{name: [{controller.joints[0]}], position: [0.5]}}'"
        self.node.get_logger().info(
            f'{self.name}: set-points come on {name}: {shell_command("publish", name, message)}'
        )

    def unload(self) -> None:
        """Ends the subscription, so that no message is taken any more."""
        self.node.destroy_subscription(self._subscription)

    def _take(self, message: JointState) -> None:
        """On the executor's thread: hands the targets over, between two steps."""
        try:
            targets = _targets(message)
        except PluginError as error:
            self._warn(error)
        else:
            self.environment.submit(lambda model, data: self._set_targets(targets))

    def _set_targets(self, targets: dict[str, float]) -> None:
        """On the physics thread."""
        try:
            self._controller.set_targets(targets)
        except PluginError as error:
            self._warn(error)

    def _warn(self, error: PluginError) -> None:
        line = self._refusals.line(f'{self.name}: {error}', error)
        if line is not None:
            self.node.get_logger().warning(line)


def _targets(message: JointState) -> dict[str, float]:
    """Names and positions. Raises PluginError if they do not go together."""
    if len(message.name) != len(message.position):
        counts = f'{len(message.name)} names and {len(message.position)} positions'
        raise PluginError(f'a command needs one position for each name, got {counts}')
    if not all(map(math.isfinite, message.position)):
        raise PluginError('a command has a position that is not finite')
    return dict(zip(message.name, message.position, strict=True))
