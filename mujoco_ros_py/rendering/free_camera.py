"""Cameras that are not in the model: a viewer moves them, a sensor carries them along."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ..errors import RenderingError

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(kw_only=True, eq=False, slots=True)
class FreeCamera:
    """A pinhole, or an orthographic camera, at a pose in the world or in a body.

    As MuJoCo's cameras it looks along its -z axis, with x to the right and y up. Its fields may be
    changed while it is shown, on any thread: each image takes them as they are.
    """

    name: str = 'free'
    """For messages."""
    body: int = 0
    """Id of the body that it moves with; 0: it stands in the world."""
    position: Array = field(default_factory=lambda: np.zeros(3))
    """In the frame of the body, metres, (3,)."""
    orientation: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    """Of the camera's frame in that of the body: a quaternion w x y z, (4,)."""
    fovy: float = 45.0
    """Vertical field of view in degrees; of an orthographic camera, the height in metres."""
    orthographic: bool = False

    def __str__(self) -> str:
        return self.name

    def look_at(self, target: Any, up: Any = (0.0, 0.0, 1.0)) -> None:
        """Turns the camera at its position towards a point, both in the frame of the body.

        Raises RenderingError where the point is at the camera, or straight up or down of it.
        """
        back = np.asarray(self.position, float) - np.asarray(target, float)
        right = np.cross(np.asarray(up, float), back)
        if min(np.linalg.norm(back), np.linalg.norm(right)) < mujoco.mjMINVAL:
            raise RenderingError(f'{self}: cannot look from {self.position} to {target}, up {up}')
        back, right = back / np.linalg.norm(back), right / np.linalg.norm(right)
        axes = np.stack([right, np.cross(back, right), back], axis=1)
        orientation = np.empty(4)
        mujoco.mju_mat2Quat(orientation, axes.ravel())
        self.orientation = orientation

    def pose(self, data: mujoco.MjData) -> tuple[Array, Array]:
        """Position (3,) and axes as columns (3, 3) in the world, with these poses of bodies."""
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, np.asarray(self.orientation, float))
        turned = data.xmat[self.body].reshape(3, 3)
        place: Array = data.xpos[self.body] + turned @ np.asarray(self.position, float)
        return place, turned @ axes.reshape(3, 3)

    def intrinsics(self, width: int, height: int) -> Array:
        """The 3x3 matrix K as `intrinsics` gives it for a camera of the model."""
        if self.orthographic:
            return np.zeros((3, 3))
        f = height / 2 / math.tan(math.radians(self.fovy) / 2)
        return np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])

    def place(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Makes the scene be seen by this camera; after its geoms have been updated."""
        extent, planes = model.stat.extent, model.vis.map
        near, far = planes.znear * extent, planes.zfar * extent
        half = self.fovy / 2 if self.orthographic else near * math.tan(math.radians(self.fovy) / 2)
        position, axes = self.pose(data)
        for camera in scene.camera:  # one for each eye
            camera.pos, camera.forward, camera.up = position, -axes[:, 2], axes[:, 1]
            camera.orthographic = self.orthographic
            camera.frustum_center, camera.frustum_width = 0.0, 0.0
            camera.frustum_bottom, camera.frustum_top = -half, half
            camera.frustum_near, camera.frustum_far = near, far
        mujoco.mjv_makeLights(model, data, scene)  # the headlight is where the camera is
