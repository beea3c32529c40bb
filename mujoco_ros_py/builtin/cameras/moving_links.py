"""Publishes the links of cameras that move in the world on /tf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...messages.topic_qos import TRANSFORMS
from ...plugins import MujocoPlugin, State, compiled, new_state
from ...plugins.compiled_code import Memory, numbers_at, set_stamp
from ..transforms.compiled_poses import set_point, set_rotation
from ..transforms.tf_topics import (
    Pose,
    TFMessage,
    TransformPublisher,
    from_axes,
    message_of,
)

LINK = np.array([[0.0, -1, 0], [0, 0, 1], [-1, 0, 0]])
"""The axes of the link (x ahead, y left, z up, REP-103) in MuJoCo's camera (-z ahead, y up)."""
_RATE_HZ = 50.0
"""How often the links are published, also without subscribers to images, in simulated time."""


class MovingLinks:
    """The links of some cameras, sent regularly by compiled code and with each image.

    `frames` has the name of the frame of each camera's link, in the frame `world`.
    """

    def __init__(self, plugin: MujocoPlugin[Any], world: str, frames: Mapping[int, str]) -> None:
        self._world, self._frames = world, dict(frames)
        self._with_images = {
            camera: TransformPublisher(plugin.ros, [(world, frame)])
            for camera, frame in frames.items()
        }
        self._regular: Any = None
        if frames:
            self._regular = plugin.ros.create_compiled_publisher(
                TFMessage,
                '/tf',
                _fill,
                qos=TRANSFORMS,
                rate_hz=_RATE_HZ,
                derived='poses',
                copy_state=False,
                **self._filled(),
            )

    @property
    def cameras(self) -> Sequence[int]:
        """The cameras whose links are published."""
        return tuple(self._frames)

    def adapt(self, cameras: Mapping[int, int]) -> None:
        """Goes on with the cameras of another model, given by those of this one; others end."""
        frames, publishers = self._frames, self._with_images
        self._frames = {new: frames[old] for old, new in cameras.items()}
        self._with_images = {new: publishers[old] for old, new in cameras.items()}
        for camera, publisher in publishers.items():
            if camera not in cameras:
                publisher.close()
        if self._regular is None:
            return
        if self._frames:
            self._regular.replace(**self._filled())
        else:
            self._regular.close()
            self._regular = None

    def publish(self, camera: int, time_s: float, pose: Pose) -> None:
        """Publishes the pose of a link at the time of an image, unless the link stands still."""
        if (publisher := self._with_images.get(camera)) is not None:
            publisher.publish(time_s, [pose])

    def close(self) -> None:
        """Destroys the publishers."""
        if self._regular is not None:
            self._regular.close()
        for publisher in self._with_images.values():
            publisher.close()

    def _filled(self) -> dict[str, Any]:
        """Returns the template of the message, and the state by which it is filled."""
        cameras, link = Memory(list(self._frames)), Memory(from_axes(LINK))
        return {
            'template': message_of((self._world, frame) for frame in self._frames.values()),
            'state': new_state(count=len(self._frames), cameras=cameras, link=link),
        }


@compiled
def _fill(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
) -> None:
    """Writes the pose of each link in the world."""
    link, camera_in_world = np.empty(4), np.empty(4)
    cameras, link_in_camera = numbers_at(state.cameras, state.count), numbers_at(state.link, 4)
    for k in range(state.count):
        camera = int(cameras[k])
        mujoco.mju_mat2Quat(camera_in_world, data.cam_xmat[camera])
        mujoco.mju_mulQuat(link, camera_in_world, link_in_camera)
        stamped = message.transforms[k]
        set_stamp(stamped.header.stamp, ros_time)
        set_point(stamped.transform.translation, data.cam_xpos[camera])
        set_rotation(stamped.transform.rotation, link)
