"""Publishes the frames of links that are no bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from ...messages.topic_qos import TRANSFORMS
from ...plugins import MujocoPlugin, State, compiled, new_state
from ...plugins.compiled_code import Memory, numbers_at, set_stamp
from ..transforms.compiled_poses import set_point, set_rotation
from ..transforms.tf_topics import (
    TFMessage,
    TransformPublisher,
    message_of,
)
from .link_frames import LinkFrame

_RATE_HZ = 50.0
_ROW = 12
"""The numbers of a frame: position, quaternion, axis, kind of joint and place of its position."""
_SLIDE, _BALL = int(mujoco.mjtJoint.mjJNT_SLIDE), int(mujoco.mjtJoint.mjJNT_BALL)


class LinkFrameTopics:
    """Publishes frames on /tf_static, and those that joints move on /tf; on the physics thread."""

    def __init__(self, plugin: MujocoPlugin[Any]) -> None:
        self._plugin = plugin
        self._static = TransformPublisher(plugin.ros, (), static=True)
        self._moving: Any = None

    def prepare(self, frames: Sequence[LinkFrame]) -> None:
        """Compiles what publishes these frames, while the plugin is loaded and nothing waits."""
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
        """Publishes these frames from now on, in place of the previous ones."""
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
    """Returns the template of the message, and the state by which it is filled."""
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
    """Writes the pose of each frame in its parent, as its joint has moved it."""
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
