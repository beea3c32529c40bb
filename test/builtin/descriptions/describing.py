"""The description and TF frames of a robot that a late subscriber receives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
from builtin.sensors.sensing import Sensing
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from system.harness import wait_until

from mujoco_ros_py.urdf import read_urdf

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
PLUGIN = {'type': 'mujoco_ros_py/RobotDescription'}
TRANSFORMS = {'type': 'mujoco_ros_py/Transforms'}


class Descriptions:
    """The descriptions received on a topic."""

    def __init__(self, sensing: Sensing, topic: str = '/robot_description') -> None:
        self.texts: list[str] = []
        self._topic = topic
        sensing.client.node.create_subscription(
            String, topic, lambda message: self.texts.append(message.data), LATCHED
        )

    def wait_for(self, found: Callable[[str], bool] = bool) -> str:
        """Returns the newest description once it meets the condition."""
        wait_until(lambda: bool(self.texts) and found(self.texts[-1]), self._topic)
        return self.texts[-1]


def links(text: str) -> set[str]:
    return {each.get('name', '') for each in ElementTree.fromstring(text).iterfind('link')}


class Frames:
    """The latest TF frames."""

    def __init__(self, sensing: Sensing) -> None:
        from tf2_msgs.msg import TFMessage

        self.parents: dict[str, tuple[str, Any, Any]] = {}
        node = sensing.client.node
        node.create_subscription(TFMessage, '/tf', self._note, 10)
        node.create_subscription(TFMessage, '/tf_static', self._note, LATCHED)

    def _note(self, message: Any) -> None:
        for each in message.transforms:
            at, turn = each.transform.translation, each.transform.rotation
            quat = np.array([turn.w, turn.x, turn.y, turn.z])
            position = np.array([at.x, at.y, at.z])
            self.parents[each.child_frame_id] = each.header.frame_id, position, quat

    def pose(self, frame: str) -> tuple[Any, Any]:
        """Returns position and matrix of a frame in the world."""
        position, quat = np.zeros(3), np.array([1.0, 0, 0, 0])
        while frame != 'world':
            frame, at, turn = self.parents[frame]
            mujoco.mju_mulPose(position, quat, at, turn, position.copy(), quat.copy())
        matrix = np.empty(9)
        mujoco.mju_quat2Mat(matrix, quat)
        return position, matrix.reshape(3, 3)

    def reach_the_world(self, frames: set[str]) -> bool:
        try:
            return all(self.pose(frame) is not None for frame in frames)
        except KeyError:
            return False


def differences(text: str, frames: Frames, prefix: str, root: str, positions: Any) -> list[str]:
    """Returns the links whose pose in TF differs from their pose in the description."""
    made, _ = read_urdf(text)
    model = mujoco.MjModel.from_xml_string(made.to_xml_string(), made.get_assets())
    data = mujoco.MjData(model)
    for name, values in positions.items():
        data.joint(name.replace('/', '_')).qpos[:] = values
    mujoco.mj_kinematics(model, data)
    base, turn = frames.pose(f'{prefix}{root}')
    found = []
    for link in sorted(links(text)):
        body = data.body(link.replace('/', '_'))
        position, matrix = frames.pose(f'{prefix}{link}')
        off = turn.T @ (position - base) - body.xpos
        turned = turn.T @ matrix - body.xmat.reshape(3, 3)
        if max(np.abs(off).max(), np.abs(turned).max()) > 1e-6:
            found.append(link)
    return found
