"""Frames of links that are not bodies, and their TF topics.

A URDF joint rotates about the origin of its link, and each link has one joint. A description
written from the model therefore has additional links if an MJCF body has several joints, or a
joint that is not at the body's origin. Frames of these links are fixed to the body, or move with
one joint relative to the previous link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...plugins import Environment, MujocoPlugin, State, compiled, new_state
from ...plugins.compiled_code import Memory, numbers_at, set_stamp
from ...plugins.topic_qos import TRANSFORMS
from ...urdf.model_names import ModelNames
from ..transforms.compiled_poses import set_point, set_rotation
from ..transforms.tf_topics import (
    Pose,
    TFMessage,
    TransformPublisher,
    body_name,
    message_of,
)
from .described_robot import DescribedRobot, Xml, parsed, root_link

_RATE_HZ = 50.0
_ROW = 12
"""The length of a frame's row: position, quaternion, axis, joint type and index into `qpos`."""
_SLIDE, _BALL = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_BALL)
_WORLD = 'world'
_UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])
_HERE: Pose = (np.zeros(3), _UNTURNED)


@dataclass(frozen=True, slots=True)
class LinkFrame:
    """A link's frame, and its pose in the parent frame while the link's joint, if any, is at 0."""

    parent: str
    child: str
    body: str
    """The frame of the link's body."""
    pose: Pose
    joint: int = -1
    """The id of the joint that moves the frame; -1 if the frame is fixed."""
    axis: Any = (0.0, 0.0, 0.0)


def link_frames(robot: DescribedRobot, text: str, environment: Environment) -> list[LinkFrame]:
    """Returns the frames of a description's links that have no body frame."""
    if robot.came:
        return _frame_of_world(robot, environment)
    names = ModelNames(robot.model, '', robot.prefix, robot.prefix)
    chains = _Chains(robot, names, list(parsed(text).iterfind('joint')), environment)
    frames = []
    for link in (each.get('name', '') for each in parsed(text).iterfind('link')):
        frame = environment.frame(link)
        if link not in chains.bodies:
            frames.append(chains.frame_of(link))
        elif (of_body := chains.body_frame(link)) != frame:
            frames.append(LinkFrame(of_body, frame, of_body, _HERE))
    return frames


class _Chains:
    """The chains of links between the bodies in a description written from the model."""

    def __init__(
        self,
        robot: DescribedRobot,
        names: ModelNames,
        joints: Sequence[Xml],
        environment: Environment,
    ) -> None:
        self._model, self._names, self._environment = robot.model, names, environment
        self._before = {_end(joint, 'child'): joint for joint in joints}
        self._after = {_end(joint, 'parent'): joint for joint in joints}
        own = [body for body, name in enumerate(names.bodies) if name.startswith(robot.prefix)]
        self.bodies = {link: body for body, link in enumerate(names.links)}
        """Body ids by link name; the robot's own bodies take precedence."""
        self.bodies |= {names.links[body]: body for body in own}

    def body_frame(self, link: str) -> str:
        """Returns the frame of a link's body."""
        return self._environment.body_frame(body_name(self._model, self.bodies[link]))

    def frame_of(self, link: str) -> LinkFrame:
        """Returns the frame of a link that is not a body."""
        frame, after = self._environment.frame(link), self._after[link]
        end = _end(after, 'child')
        if after.get('type') == 'fixed':
            body = self.body_frame(end)
            return LinkFrame(body, frame, body, _inverse(_origin(after)))
        while end not in self.bodies:
            end = _end(self._after[end], 'child')
        before = self._before[link]
        parent = _end(before, 'parent')
        return LinkFrame(
            self.body_frame(parent) if parent in self.bodies else self._environment.frame(parent),
            frame,
            self.body_frame(end),
            _origin(before),
            self._joint(self.bodies[end], before.get('name', '')),
            _numbers(before.find('axis'), 'xyz', 3),
        )

    def _joint(self, body: int, name: str) -> int:
        """Returns the id of a body's joint."""
        first, count = int(self._model.body_jntadr[body]), int(self._model.body_jntnum[body])
        return self._names.joints.index(name, first, first + count)


def _frame_of_world(robot: DescribedRobot, environment: Environment) -> list[LinkFrame]:
    """Returns the frame of the root link `world` of a URDF that belongs to a group of plugins.

    In a group, this link is not a body of the model.
    """
    frame = f'{environment.frame("")}{_WORLD}'
    if not robot.prefix or root_link(robot.came) != _WORLD:
        return []
    joints = parsed(robot.came).iterfind('joint')
    first = next((each for each in joints if _end(each, 'parent') == _WORLD), None)
    if first is None:
        return []
    body = environment.frame(_end(first, 'child'))
    if first.get('type') == 'fixed':
        return [LinkFrame(body, frame, body, _inverse(_origin(first)))]
    return [LinkFrame(environment.frame(_WORLD), frame, body, _HERE)]


def _end(joint: Xml, tag: str) -> str:
    found = joint.find(tag)
    return '' if found is None else found.get('link', '')


def _numbers(element: Xml | None, key: str, count: int) -> Any:
    text = '' if element is None else element.get(key, '')
    return np.array(text.split(), float) if text else np.zeros(count)


def _origin(joint: Xml) -> Pose:
    """Returns the pose of an <origin>; roll, pitch and yaw are about fixed axes."""
    origin, quat = joint.find('origin'), np.empty(4)
    mujoco.mju_euler2Quat(quat, _numbers(origin, 'rpy', 3), 'XYZ')
    return _numbers(origin, 'xyz', 3), quat


def _inverse(pose: Pose) -> Pose:
    position, quat = np.empty(3), np.empty(4)
    mujoco.mju_negPose(position, quat, *pose)
    return position, quat


class LinkFrameTopics:
    """Publishes fixed frames on /tf_static, and moving frames on /tf.

    Call all methods on the physics thread.
    """

    def __init__(self, plugin: MujocoPlugin[Any]) -> None:
        self._plugin = plugin
        self._static = TransformPublisher(plugin.ros, (), static=True)
        self._moving: Any = None

    def prepare(self, frames: Sequence[LinkFrame]) -> None:
        """Compiles the publisher of moving frames during loading, when the physics can wait."""
        if self._moving is None and _moved(frames):
            self._moving = self._plugin.ros.create_compiled_publisher(
                TFMessage,
                '/tf',
                _fill,
                qos=TRANSFORMS,
                rate_hz=_RATE_HZ,
                copy_state=False,
                **_filled(None, ()),
            )

    def publish(self, model: mujoco.MjModel, frames: Sequence[LinkFrame]) -> None:
        """Publishes these frames, which replace the previous frames."""
        still = [frame for frame in frames if frame.joint < 0]
        self._static.replace([(frame.parent, frame.child) for frame in still])
        self._static.publish(0.0, [frame.pose for frame in still])
        self.prepare(frames)
        if self._moving is None:
            return
        if moved := _moved(frames):
            self._moving.replace(**_filled(model, moved))
        else:
            self._moving.close()
            self._moving = None

    def close(self) -> None:
        """Destroys the publishers."""
        self._static.close()
        if self._moving is not None:
            self._moving.close()


def _moved(frames: Sequence[LinkFrame]) -> list[LinkFrame]:
    return [frame for frame in frames if frame.joint >= 0]


def _filled(model: mujoco.MjModel | None, frames: Sequence[LinkFrame]) -> dict[str, Any]:
    """Returns the message template, and the state for the fill function."""
    rows = np.array([_row(model, each) for each in frames] or [[0.0] * _ROW])
    return {
        'template': message_of((each.parent, each.child) for each in frames),
        'state': new_state(count=len(frames), rows=Memory(rows)),
    }


def _row(model: mujoco.MjModel, frame: LinkFrame) -> list[float]:
    kind, place = model.jnt_type[frame.joint], model.jnt_qposadr[frame.joint]
    return [*frame.pose[0], *frame.pose[1], *frame.axis, float(kind), float(place)]


@compiled
def _fill(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> bool:
    """Writes the current pose of each frame in its parent."""
    if state.count == 0:
        return False
    position, quat, moved = np.empty(3), np.empty(4), np.empty(4)
    rows = numbers_at(state.rows, _ROW * state.count)
    for k in range(state.count):
        row = rows[_ROW * k : _ROW * (k + 1)]
        kind, place = int(row[10]), int(row[11])
        position[:] = row[:3]
        quat[:] = row[3:7]
        if kind == _SLIDE:
            mujoco.mju_rotVecQuat(position, row[7:10], quat)
            position *= data.qpos[place]
            position += row[:3]
        else:
            if kind == _BALL:
                moved[:] = data.qpos[place : place + 4]
                mujoco.mju_normalize4(moved)
            else:
                mujoco.mju_axisAngle2Quat(moved, row[7:10], data.qpos[place])
            mujoco.mju_mulQuat(quat, row[3:7], moved)
        stamped = message.transforms[k]
        set_stamp(stamped.header.stamp, ros_time)
        set_point(stamped.transform.translation, position)
        set_rotation(stamped.transform.rotation, quat)
    return True
