"""mujoco_ros_py/JointCommands: passes set-points from a topic to a JointController."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
from sensor_msgs.msg import JointState

from ..config.wording import shell_command
from ..errors import PluginError
from ..log_throttle import Throttle
from ..messages.topic_qos import COMMANDS
from ..plugins import MujocoPlugin
from .joint_controller import JointController


@dataclass(frozen=True, kw_only=True, slots=True)
class JointCommandsConfig:
    """The configuration of the JointCommands plugin."""

    controller: str
    """The name of a JointController that is listed before this plugin."""
    topic: str = 'joint_commands'
    """The topic of the set-points (sensor_msgs/JointState)."""


class JointCommands(MujocoPlugin[JointCommandsConfig]):
    """Subscribes to target positions (sensor_msgs/JointState: `name` and `position`, rad or m).

    A message may name some of the joints. An invalid message is rejected as a
    whole with a warning, at most one per second for each reason.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the controller, and makes the subscription."""
        controller = self.environment.plugin(self.config.controller)
        if not isinstance(controller, JointController):
            raise PluginError(f'{controller.name!r} is not a mujoco_ros_py/JointController')
        self._controller = controller
        self._refusals = Throttle()
        self._subscription = self.node.create_subscription(
            JointState, self.config.topic, self._take, COMMANDS
        )
        name = self._subscription.topic_name
        message = f"'{{name: [{controller.joints[0]}], position: [0.5]}}'"
        self.node.get_logger().info(
            f'{self.name}: set-points come on {name}: {shell_command("publish", name, message)}'
        )

    def unload(self) -> None:
        """Destroys the subscription."""
        self.node.destroy_subscription(self._subscription)

    def _take(self, message: JointState) -> None:
        """Passes the targets on to the physics thread; called on the executor's thread."""
        try:
            targets = _targets(message)
        except PluginError as error:
            self._warn(error)
        else:
            self.environment.submit(lambda model, data: self._set_targets(targets))

    def _set_targets(self, targets: dict[str, float]) -> None:
        """Sets the targets between two steps; called on the physics thread."""
        try:
            self._controller.set_targets(targets)
        except PluginError as error:
            self._warn(error)

    def _warn(self, error: PluginError) -> None:
        line = self._refusals.line(f'{self.name}: {error}', error)
        if line is not None:
            self.node.get_logger().warning(line)


def _targets(message: JointState) -> dict[str, float]:
    """Returns positions by name. Raises PluginError if names and positions do not match."""
    if len(message.name) != len(message.position):
        counts = f'{len(message.name)} names and {len(message.position)} positions'
        raise PluginError(f'a command needs one position for each name, got {counts}')
    if not all(map(math.isfinite, message.position)):
        raise PluginError('a command has a position that is not finite')
    return dict(zip(message.name, message.position, strict=True))
