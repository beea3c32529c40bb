"""A viewer's drawing: the markers of a topic, placed by the frames on TF."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from builtin.descriptions.describing import Frames
from builtin.sensors.sensing import Sensing
from rclpy.qos import DurabilityPolicy, QoSProfile
from system.harness import wait_until
from visualization_msgs.msg import Marker, MarkerArray

LATCHED = QoSProfile(depth=10, durability=DurabilityPolicy.TRANSIENT_LOCAL)
PLUGIN = {'type': 'mujoco_ros_py/Markers', 'name': 'markers'}
MODEL, STATE = '/markers/model', '/markers/state'
_SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
_EXTREMES = np.concatenate([np.eye(3), -np.eye(3)])


class Viewer:
    """The markers that a viewer shows for a topic, by namespace and id, like RViz."""

    def __init__(self, sensing: Sensing, topic: str, qos: Any = 10) -> None:
        self.shown: dict[tuple[str, int], Any] = {}
        self.messages: list[Any] = []
        self.doubled: list[Any] = []
        """Messages with duplicate marker namespaces and ids, which RViz reports as errors."""
        self._client, self._topic = sensing.client, topic
        node = self._client.node
        self._subscription = node.create_subscription(MarkerArray, topic, self._draw, qos)

    def _draw(self, message: Any) -> None:
        shown = dict(self.shown)
        for marker in message.markers:
            key = marker.ns, marker.id
            if marker.action == Marker.DELETEALL:
                shown.clear()
            elif marker.action == Marker.DELETE:
                shown.pop(key, None)
            else:
                shown[key] = marker
        if len({(each.ns, each.id) for each in message.markers}) < len(message.markers):
            self.doubled.append(message)
        self.shown = shown
        self.messages.append(message)

    def of(self, namespace: str) -> dict[int, Any]:
        """Returns the markers of a namespace by id."""
        return {number: each for (ns, number), each in self.shown.items() if ns == namespace}

    def wait_for(self, found: Callable[[], Any], what: str = 'markers') -> None:
        """Waits until `found` returns a true value."""
        wait_until(found, f'{what} on {self._topic}')

    def close(self) -> None:
        """Unsubscribes."""
        self._client.run_in_executor(self._client.node.destroy_subscription, self._subscription)


def vector(values: Any) -> np.ndarray:
    return np.array([values.x, values.y, values.z])


def color(marker: Any) -> list[float]:
    told = marker.color
    return [told.r, told.g, told.b, told.a]


def points_in_world(marker: Any, frames: Frames | None = None) -> np.ndarray:
    """Returns the extreme points of a marker's shape in the world: corners, or ends of axes.

    For a cylinder, these are the ends of its axes in the middle, and the centres of its ends.
    """
    shape = {
        Marker.CUBE: 0.5 * _SIGNS,
        Marker.SPHERE: 0.5 * _EXTREMES,
        Marker.CYLINDER: 0.5 * _EXTREMES,
    }.get(marker.type)
    points = np.array([vector(each) for each in marker.points]) if shape is None else shape
    if marker.type in (Marker.CUBE, Marker.SPHERE, Marker.CYLINDER, Marker.TRIANGLE_LIST):
        points = points * vector(marker.scale)
    turn = marker.pose.orientation
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.array([turn.w, turn.x, turn.y, turn.z]))
    points = points @ matrix.reshape(3, 3).T + vector(marker.pose.position)
    if frames is None:
        assert marker.header.frame_id == 'world'
        return points
    position, matrix = frames.pose(marker.header.frame_id)
    return points @ matrix.T + position
