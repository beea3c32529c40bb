"""Prints the tree of TF frames, and the pose of one frame in another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from ...config.wording import unknown
from ...errors import NoAnswerError
from ..message_values import interface
from .client_node import Client

_TYPE = 'tf2_msgs/msg/TFMessage'
_LATCHED = QoSProfile(
    depth=100,
    reliability=ReliabilityPolicy.RELIABLE,
    durability=DurabilityPolicy.TRANSIENT_LOCAL,
)
_LISTEN_S = 1.0
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Pose:
    """A pose: position in m, and orientation as a unit quaternion (w, x, y, z)."""

    position: Array
    quaternion: Array

    def __matmul__(self, other: _Pose) -> _Pose:
        """Composes two poses: `other` is in this pose's frame, the result in the parent frame."""
        made = _Pose(np.zeros(3), np.zeros(4))
        mujoco.mju_mulPose(made.position, made.quaternion, *self.parts, *other.parts)
        return made

    def inverse(self) -> _Pose:
        made = _Pose(np.zeros(3), np.zeros(4))
        mujoco.mju_negPose(made.position, made.quaternion, *self.parts)
        return made

    @property
    def parts(self) -> tuple[Array, Array]:
        return self.position, self.quaternion


_HERE = _Pose(np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]))


class _Frames:
    """Receives TF messages, and stores the latest pose of each frame in its parent frame."""

    def __init__(self, client: Client) -> None:
        self.poses: dict[str, tuple[str, _Pose]] = {}
        kind = interface(_TYPE)
        client.node.create_subscription(kind, '/tf', self._take, 100)
        client.node.create_subscription(kind, '/tf_static', self._take, _LATCHED)

    def names(self) -> set[str]:
        return {*self.poses, *(parent for parent, _ in self.poses.values())}

    def in_root(self, frame: str) -> tuple[str, _Pose]:
        """Returns the root frame above a frame, and the frame's pose in that root."""
        pose, seen = _HERE, {frame}
        while frame in self.poses:
            frame, own = self.poses[frame]
            pose = own @ pose
            if frame in seen:
                raise NoAnswerError(f'the frames above {frame} form a cycle')
            seen.add(frame)
        return frame, pose

    def lines(self, parent: str, indent: str = '') -> Iterator[str]:
        yield f'{indent}{parent}'
        for child in sorted(each for each, (above, _) in self.poses.items() if above == parent):
            yield from self.lines(child, f'{indent}  ')

    def _take(self, message: Any) -> None:
        for each in message.transforms:
            p, q = each.transform.translation, each.transform.rotation
            pose = _Pose(np.array([p.x, p.y, p.z]), np.array([q.w, q.x, q.y, q.z]))
            self.poses[each.child_frame_id] = each.header.frame_id, pose


def describe_frames(client: Client) -> None:
    """Prints the tree of frames. Raises NoAnswerError if no frame arrives in time."""
    frames = _Frames(client)
    try:
        client.wait(lambda: frames.poses or None)
    except TimeoutError:
        raise NoAnswerError(f'no frames on /tf within {client.timeout_s:g} s') from None
    client.listen(_LISTEN_S)
    for root in sorted(frames.names() - frames.poses.keys()):
        print('\n'.join(frames.lines(root)))


def describe_pose(client: Client, target: str, source: str) -> None:
    """Prints the pose of the frame `source` in the frame `target`.

    Raises NoAnswerError if no transforms connect the frames in time.
    """
    frames = _Frames(client)

    def look() -> _Pose | None:
        if not {target, source} <= frames.names():
            return None
        (root, there), (other, here) = frames.in_root(target), frames.in_root(source)
        return there.inverse() @ here if root == other else None

    try:
        pose = client.wait(look)
    except TimeoutError:
        for name in (target, source):
            if name not in frames.names():
                raise NoAnswerError(unknown('frame', name, frames.names())) from None
        raise NoAnswerError(f'no transforms connect {source} and {target}') from None
    w, *xyz = pose.quaternion
    rows = (('translation', pose.position), ('quaternion (x, y, z, w)', [*xyz, w]))
    for name, values in rows:
        print(f'{name}: [{", ".join(f"{value:.6g}" for value in values)}]')
