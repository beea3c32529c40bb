"""Publishes the links of cameras that move in the world on /tf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np
from geometry_msgs.msg import TransformStamped
from std_msgs.msg import Header

from ...messages.topic_qos import TRANSFORMS
from ...plugins import Memory, MujocoPlugin, compiled, new_state, numbers_at, set_stamp
from ..transforms.compiled_poses import set_point, set_rotation
from ..transforms.tf_topics import Pose, TFMessage, TransformPublisher, transforms_are_there

_RATE_HZ = 50.0
"""How often the links are published, also without subscribers to images, in simulated time."""


class MovingLinks:
    """The links of some cameras, sent regularly by compiled code and with each image.

    `frames` has the name of the frame of each camera's link, in the frame `world`.
    """

    def __init__(self, plugin: MujocoPlugin[Any], world: str, frames: Mapping[int, str]) -> None:
        self._world, self._frames = world, dict(frames)
        self._with_images = {
            camera: TransformPublisher(plugin.node, [(world, frame)])
            for camera, frame in frames.items()
        }
        self._regular: Any = None
        if frames and transforms_are_there():
            self._regular = plugin.ros.publish(
                TFMessage,
                '/tf',
                TRANSFORMS,
                fill=_fill,
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
        transforms = [
            TransformStamped(header=Header(frame_id=self._world), child_frame_id=frame)
            for frame in self._frames.values()
        ]
        cameras = Memory(list(self._frames))
        return {
            'template': TFMessage(transforms=transforms),
            'state': new_state(count=len(transforms), cameras=cameras),
        }


@compiled
def _fill(state: Any, model: Any, data: Any, message: Any) -> None:
    """Writes the pose of each link in the world."""
    link, camera_in_world = np.empty(4), np.empty(4)
    link_in_camera = np.array([0.5, -0.5, 0.5, 0.5])  # x ahead, y left, z up in -z ahead, y up
    cameras = numbers_at(state.cameras, state.count)
    for k in range(state.count):
        camera = int(cameras[k])
        mujoco.mju_mat2Quat(camera_in_world, data.cam_xmat[camera])
        mujoco.mju_mulQuat(link, camera_in_world, link_in_camera)
        stamped = message.transforms[k]
        set_stamp(stamped.header.stamp, data.time)
        set_point(stamped.transform.translation, data.cam_xpos[camera])
        set_rotation(stamped.transform.rotation, link)
