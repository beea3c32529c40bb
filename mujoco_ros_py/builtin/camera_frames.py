"""The frames of cameras in TF: body, <camera>_link, <camera>_optical_frame."""

from __future__ import annotations

import mujoco
import numpy as np
from rclpy.node import Node

from ..plugins import Environment
from ..rendering import camera_name
from .tf import Pose, TransformPublisher, body_name, from_axes

_FIXED = int(mujoco.mjtCamLight.mjCAMLIGHT_FIXED)
_LINK = np.array([[0.0, -1, 0], [0, 0, 1], [-1, 0, 0]])
"""Axes of the link (x ahead, y left, z up, REP-103) in MuJoCo's camera (-z ahead, y up)."""
_OPTICAL = np.array([[0.0, 0, 1], [-1, 0, 0], [0, -1, 0]])
"""Axes of the optical frame (z ahead, x right, y down, REP-103) in the link."""


class CameraFrames:
    """Static for cameras that are fixed on a body; others move in the world.

    In a protected run those others are not on TF, which would tell where what they follow is.
    A camera whose frames would have a second parent has none: that is said in the log.
    """

    def __init__(self, node: Node, environment: Environment, model: mujoco.MjModel) -> None:
        self._model = model
        self._frame = environment.frame
        cameras = self._without_clashes(node, _taken(environment, model))
        fixed = [camera for camera in cameras if model.cam_mode[camera] == _FIXED]
        links = [(self._body(camera), self._link(camera)) for camera in fixed]
        opticals = [(self._link(camera), self._frame(self.optical(camera))) for camera in cameras]
        self._static = TransformPublisher(node, links + opticals, static=True)
        self._poses = [self._on_body(camera) for camera in fixed]
        self._poses += [(np.zeros(3), from_axes(_OPTICAL))] * len(opticals)
        world = self._frame('world')
        self._moving = {
            camera: TransformPublisher(node, [(world, self._link(camera))])
            for camera in cameras
            if camera not in fixed and not environment.protected
        }
        self.children = {frame for camera in cameras for frame in self._own(camera)}
        """The frames whose parents this publishes."""

    def optical(self, camera: int) -> str:
        """Name of the frame in which images are."""
        return f'{camera_name(self._model, camera)}_optical_frame'

    def publish_static(self) -> None:
        """All that does not move, in one message."""
        self._static.publish(0.0, self._poses)

    def publish(self, camera: int, data: mujoco.MjData) -> None:
        """Where a camera that moves by itself is, with the time of its image."""
        if camera in self._moving:
            axes = data.cam_xmat[camera].reshape(3, 3) @ _LINK
            pose = data.cam_xpos[camera], from_axes(axes)
            self._moving[camera].publish(float(data.time), [pose])

    def close(self) -> None:
        """No more."""
        for publisher in (self._static, *self._moving.values()):
            publisher.close()

    def _without_clashes(self, node: Node, taken: dict[str, str]) -> list[int]:
        """The cameras whose frames nobody else has; the log says why the others have none."""
        cameras = []
        for camera in range(self._model.ncam):
            clashes = [frame for frame in self._own(camera) if frame in taken]
            if not clashes:
                cameras.append(camera)
                continue
            name, frame = camera_name(self._model, camera), clashes[0]
            node.get_logger().error(
                f'camera {name!r} has no frames on TF: a frame can have one parent, and {frame} '
                f'is {taken[frame]}; give the camera another name'
            )
        return cameras

    def _own(self, camera: int) -> tuple[str, str]:
        """The frames of one camera, link and optical."""
        return self._link(camera), self._frame(self.optical(camera))

    def _on_body(self, camera: int) -> Pose:
        """The link of a fixed camera in its body."""
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, self._model.cam_quat[camera])
        return self._model.cam_pos[camera], from_axes(axes.reshape(3, 3) @ _LINK)

    def _body(self, camera: int) -> str:
        return self._frame(body_name(self._model, int(self._model.cam_bodyid[camera])))

    def _link(self, camera: int) -> str:
        return self._frame(f'{camera_name(self._model, camera)}_link')


def _taken(environment: Environment, model: mujoco.MjModel) -> dict[str, str]:
    """Frames that are a body's or that a plugin publishes, and whose they are."""
    names = (body_name(model, body) for body in range(model.nbody))
    bodies = {environment.frame(name): f'that of body {name!r}' for name in names}
    published = {
        frame: f'published by plugin {plugin.name!r}'
        for plugin in environment.plugins.values()
        for frame in getattr(plugin, 'tf_children', ())
    }
    return published | bodies
