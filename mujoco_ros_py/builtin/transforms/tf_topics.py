"""TF publishers, and helpers for frames, which Transforms, Odometry and other plugins share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...engine.messages import StructPublisher, numbers, set_time
from ...errors import PluginError
from ...plugins import MujocoPlugin, Ros, State, compiled, new_state, ros_type
from ...plugins.compiled_code import Memory, numbers_at, set_stamp
from ...plugins.topic_qos import LATCHED, TRANSFORMS
from ...simulation import name_of
from .compiled_poses import relative_pose, set_point, set_rotation

TransformStamped = ros_type('geometry_msgs/msg/TransformStamped')
Header = ros_type('std_msgs/msg/Header')
TFMessage = ros_type('tf2_msgs/msg/TFMessage')


__all__ = [
    'Pose',
    'TFMessage',
    'TransformPublisher',
    'body_name',
    'frames_of_others',
    'from_axes',
    'is_fixed',
    'is_fixed_in_world',
    'message_of',
    'publish_moving',
    'refuse_second_parent',
    'refuse_shared_topics',
    'relative',
    'replace_moving',
    'take_over',
]

Pose = tuple[Any, Any]
"""A position in m and a unit quaternion with w first (MuJoCo's order)."""
WXYZ = [3, 0, 1, 2]
"""The indices of ROS's x y z w order in MuJoCo's quaternions w x y z."""


class TransformPublisher:
    """Publishes transforms on /tf or, latched, on /tf_static.

    `frames` has the parent and child of each transform.
    """

    def __init__(
        self, ros: Ros, frames: Sequence[tuple[str, str]], *, static: bool = False
    ) -> None:
        self._ros, self._static = ros, static
        self._publisher: StructPublisher | None = None
        self.replace(frames)

    def replace(self, frames: Sequence[tuple[str, str]]) -> None:
        """Replaces the transforms that `publish` publishes."""
        if self._publisher is None:
            if not frames:
                return
            topic, qos = ('/tf_static', LATCHED) if self._static else ('/tf', TRANSFORMS)
            self._publisher = self._ros.create_struct_publisher(TFMessage, topic, qos)
        message = self._publisher.message
        transforms = message.allocate(message['transforms'], len(frames))
        for number, (parent, child) in enumerate(frames):
            message.set_text(transforms['header']['frame_id'][number, ...], parent)
            message.set_text(transforms['child_frame_id'][number, ...], child)
        self._stamps = transforms['header']['stamp']
        self._translations = numbers(transforms['transform']['translation'])
        self._rotations = numbers(transforms['transform']['rotation'])

    def publish(self, time_s: float, poses: Sequence[Pose]) -> None:
        """Publishes all transforms in one message; `poses` has each child's pose in its parent."""
        if self._publisher is not None:
            set_time(self._stamps, time_s)
            self._translations[:] = [position for position, _ in poses]
            self._rotations[:, WXYZ] = [quat for _, quat in poses]
            self._publisher.publish()

    def close(self) -> None:
        """Destroys the publisher."""
        if self._publisher is not None:
            self._publisher.close()


def publish_moving(
    plugin: MujocoPlugin[Any],
    frames: Sequence[tuple[str, str]],
    bodies: Sequence[tuple[int, int]],
    rate_hz: float,
) -> Any:
    """Publishes the poses of bodies on /tf in compiled code; returns the publisher.

    `bodies` has the parent and child ids of each frame. Without frames, nothing is published and
    the result is None.
    """
    if not frames:
        return None
    return plugin.ros.create_compiled_publisher(
        TFMessage,
        '/tf',
        _fill,
        qos=TRANSFORMS,
        rate_hz=rate_hz,
        derived='poses',
        copy_state=False,
        **_moving(frames, bodies),
    )


def replace_moving(
    plugin: MujocoPlugin[Any],
    publisher: Any,
    frames: Sequence[tuple[str, str]],
    bodies: Sequence[tuple[int, int]],
    rate_hz: float,
) -> Any:
    """Replaces the frames of `publish_moving`; returns the publisher, or None without frames."""
    if publisher is None:
        return publish_moving(plugin, frames, bodies, rate_hz)
    if not frames:
        publisher.close()
        return None
    publisher.replace(**_moving(frames, bodies))
    return publisher


def _moving(
    frames: Sequence[tuple[str, str]], bodies: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """Returns the message template, and the state for the fill function."""
    return {
        'template': message_of(frames),
        'state': new_state(count=len(frames), bodies=Memory(bodies)),
    }


def message_of(frames: Iterable[tuple[str, str]]) -> Any:
    """Returns a message with a transform for each parent and child; the poses are 0."""
    transforms = [
        TransformStamped(header=Header(frame_id=parent), child_frame_id=child)
        for parent, child in frames
    ]
    return TFMessage(transforms=transforms)


@compiled
def _fill(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> None:
    """Writes the pose of each child in its parent."""
    position, quat = np.empty(3), np.empty(4)
    bodies = numbers_at(state.bodies, 2 * state.count)
    for k in range(state.count):
        parent, child = int(bodies[2 * k]), int(bodies[2 * k + 1])
        relative_pose(
            position, quat, data.xpos[parent], data.xquat[parent], data.xpos[child],
            data.xquat[child],
        )  # fmt: skip
        stamped = message.transforms[k]
        set_stamp(stamped.header.stamp, ros_time)
        set_point(stamped.transform.translation, position)
        set_rotation(stamped.transform.rotation, quat)


def frames_of_others(plugin: MujocoPlugin[Any]) -> dict[str, MujocoPlugin[Any]]:
    """Returns the frames that earlier plugins publish (`tf_parents`), each with its plugin."""
    others = plugin.environment.plugins.values()
    return {frame: other for other in others for frame in getattr(other, 'tf_parents', {})}


def take_over(plugin: MujocoPlugin[Any], frames: Iterable[str]) -> dict[str, Any]:
    """Finds the frames that an earlier plugin publishes and can stop publishing.

    Returns the earlier plugin of each of these frames. Call `leave_out(frame)` of the earlier
    plugin once `plugin` is certain to publish the frame.
    """
    others = frames_of_others(plugin)
    return {name: others[name] for name in frames if hasattr(others.get(name), 'leave_out')}


def refuse_second_parent(plugin: MujocoPlugin[Any], frames: Iterable[str]) -> None:
    """Raises PluginError if another plugin already publishes one of the frames.

    A frame has one parent, so only one plugin can publish its transform. The error names the
    frames and the plugin.
    """
    others = frames_of_others(plugin)
    for first in filter(others.__contains__, frames):
        other = others[first]
        shared = sorted(frame for frame in frames if others.get(frame) is other)
        raise PluginError(
            f'{other.name} already publishes the transform of {", ".join(shared)}: '
            'a frame can have only one parent (see root and exclude of Transforms)'
        )


def body_name(model: mujoco.MjModel, body: int) -> str:
    """Returns the body's name in the model, or ``unnamed_body_<id>``."""
    return name_of(model, mujoco.mjtObj.mjOBJ_BODY, body)


def is_fixed(model: mujoco.MjModel, body: int) -> bool:
    """Returns whether the body cannot move relative to its parent."""
    return not model.body_jntnum[body] and model.body_mocapid[body] < 0


def is_fixed_in_world(model: mujoco.MjModel, body: int) -> bool:
    """Returns whether neither the body nor any body above it can move."""
    while body:
        if not is_fixed(model, body):
            return False
        body = int(model.body_parentid[body])
    return True


def from_axes(axes: Any) -> Any:
    """Returns the unit quaternion, w first, of a 3x3 rotation matrix."""
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(axes, float).ravel())
    return quat


def relative(parent: Pose, child: Pose) -> Pose:
    """Returns the child's pose relative to the parent; both poses are given in the world."""
    inverse, position, quat = np.empty(4), np.empty(3), np.empty(4)
    mujoco.mju_negQuat(inverse, parent[1])
    mujoco.mju_rotVecQuat(position, child[0] - parent[0], inverse)
    mujoco.mju_mulQuat(quat, inverse, child[1])
    return position, quat


def refuse_shared_topics(
    plugin: MujocoPlugin[Any], ours: Mapping[str, tuple[str, str]], parameters: str
) -> None:
    """Raises PluginError if another plugin publishes odometry on one of the topics.

    `ours` maps topics to the odometry frame and the base frame, like the attribute
    `odometry_topics` of other plugins. Subscribers could not distinguish two odometries on one
    topic.
    """
    for other in plugin.environment.plugins.values():
        told: Mapping[str, tuple[str, str]] = getattr(other, 'odometry_topics', {})
        for topic in filter(told.__contains__, ours):
            (odom, base), (our_odom, our_base) = told[topic], ours[topic]
            raise PluginError(
                f'{other.name} already publishes {base} in {odom} on {topic}, '
                f'so {our_base} in {our_odom} needs another topic (see {parameters})'
            )
