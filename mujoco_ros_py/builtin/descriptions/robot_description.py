"""mujoco_ros_py/RobotDescription: publishes the robot's URDF for RViz and other programs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import mujoco

from ...plugins import Adaptable, ModelChange, MujocoPlugin, ros_type
from ...plugins.topic_qos import LATCHED
from ..transforms.tf_topics import frames_of_others
from .described_robot import DescribedRobot, default_mesh_folder, described_robot
from .link_frames import LinkFrame, LinkFrameTopics, link_frames

String = ros_type('std_msgs/msg/String')


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotDescriptionConfig:
    """The configuration of the RobotDescription plugin."""

    body: str = ''
    """The root body of the description; if empty, the group's robot, or the whole model."""
    topic: str = 'robot_description'
    """The topic (std_msgs/String), latched."""
    from_model: bool = False
    """Write the description from the model even if the robot was read from a URDF."""
    mesh_folder: str = ''
    """The folder for meshes without a file that RViz can read; if empty, a folder in the user's
    cache."""


@dataclass(frozen=True, slots=True)
class _Described:
    """A description, and the frames of its links that are not bodies."""

    text: str
    frames: Sequence[LinkFrame]


class RobotDescription(MujocoPlugin[RobotDescriptionConfig], Adaptable):
    """Publishes the URDF that the robot was read from, or a URDF written from the model.

    The description is published once, and again whenever it changes; updates are written on a
    separate thread. Link and joint names omit the group's prefix.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the robot, and writes its description."""
        self._robot = self._find(model)
        self._described = self._describe(self._robot)
        self._publisher = self.ros.create_publisher(String, self.config.topic, LATCHED)
        self._published: str | None = None
        self.tf_parents: dict[str, str] = {}
        self._frames = LinkFrameTopics(self)
        self._frames.prepare(self._described.frames)
        self._writer = ThreadPoolExecutor(1, 'robot_description')

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publishes the description, and the link frames that no other plugin publishes."""
        if self._published is None:
            self._publish(self._robot, self._described)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the new model; publishes the description if it changes."""
        self._robot = self._find(model)
        self._write()

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Rewrites the description, because sizes, masses or colours may have changed."""
        if not self._robot.came:
            self._robot = replace(self._robot)
            self._write()

    def unload(self) -> None:
        """Stops publishing."""
        self._writer.shutdown(wait=False, cancel_futures=True)
        self._frames.close()

    def _find(self, model: mujoco.MjModel) -> DescribedRobot:
        environment = self.environment
        urdf = '' if self.config.from_model else environment.urdf
        return described_robot(model, environment.prefix, self.config.body, urdf)

    def _describe(self, robot: DescribedRobot) -> _Described:
        folder = self.config.mesh_folder
        text = robot.text(Path(os.path.expanduser(folder)) if folder else default_mesh_folder())
        return _Described(text, link_frames(robot, text, self.environment))

    def _write(self) -> None:
        self._writer.submit(self._write_beside, self._robot)

    def _write_beside(self, robot: DescribedRobot) -> None:
        """Writes a description, and submits its publication; skips outdated requests.

        Runs on the writer thread.
        """
        if robot is not self._robot:
            return
        try:
            made = self._describe(robot)
        except Exception as raised:
            error = raised

            def publish(model: mujoco.MjModel, data: mujoco.MjData) -> None:
                raise error  # on the physics thread, where it disables the plugin
        else:

            def publish(model: mujoco.MjModel, data: mujoco.MjData) -> None:
                self._publish(robot, made)

        self.environment.submit(publish)

    def _publish(self, robot: DescribedRobot, made: _Described) -> None:
        """Publishes what has changed, unless `made` is outdated; on the physics thread."""
        if robot is not self._robot:
            return
        if made.text != self._published:
            self._published = made.text
            self._publisher.publish(String(data=made.text))
        self._publish_frames(robot.model, made.frames)

    def _publish_frames(self, model: mujoco.MjModel, frames: Sequence[LinkFrame]) -> None:
        """Publishes the frames of non-body links if other plugins publish their bodies' frames."""
        others = {frame for frame, each in frames_of_others(self).items() if each is not self}
        chosen = [each for each in frames if each.body in others and each.child not in others]
        self._frames.publish(model, chosen)
        self.tf_parents = {frame.child: frame.parent for frame in chosen}


__all__ = ['RobotDescription', 'RobotDescriptionConfig']
