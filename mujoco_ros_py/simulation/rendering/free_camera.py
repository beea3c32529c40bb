"""Cameras outside the model, for viewers with a movable camera and for sensors on bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco
import numpy as np
from numpy.typing import NDArray

from ...errors import RenderingError

Array = NDArray[np.float64]
Vector = Sequence[float] | Array


@dataclass(kw_only=True, eq=False, slots=True)
class FreeCamera:
    """A perspective or orthographic camera with a pose in the world or on a body.

    Like MuJoCo's cameras it looks along its -z axis, with x to the right and y up. Any thread can
    change its fields while it is shown: each image uses the current values.
    """

    name: str = 'free'
    """The name in log lines and errors."""
    body: int = 0
    """The id of the body that carries the camera; 0 is the world."""
    position: Array = field(default_factory=lambda: np.zeros(3))
    """The position in the body's frame in metres, shape (3,)."""
    orientation: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    """The orientation in the body's frame as a quaternion w x y z, shape (4,)."""
    fovy: float = 45.0
    """The vertical field of view in degrees; the height in metres if orthographic."""
    orthographic: bool = False

    def __str__(self) -> str:
        return self.name

    def look_at(self, target: Vector, up: Vector = (0.0, 0.0, 1.0)) -> None:
        """Turns the camera towards a point; `target` and `up` are in the body's frame.

        Raises RenderingError if the point is at the camera's position, or straight along `up` from
        there.
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
        """Returns the camera's position (3,) and axes as columns (3, 3) in the world frame."""
        axes = np.empty(9)
        mujoco.mju_quat2Mat(axes, np.asarray(self.orientation, float))
        turned = data.xmat[self.body].reshape(3, 3)
        place: Array = data.xpos[self.body] + turned @ np.asarray(self.position, float)
        return place, turned @ axes.reshape(3, 3)

    def intrinsics(self, width: int, height: int) -> Array:
        """Returns the 3x3 matrix K, like the function `intrinsics` for cameras of the model."""
        if self.orthographic:
            return np.zeros((3, 3))
        f = height / 2 / math.tan(math.radians(self.fovy) / 2)
        return np.array([[f, 0, (width - 1) / 2], [0, f, (height - 1) / 2], [0, 0, 1]])

    def place(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Sets the cameras of a scene to this camera. Call this after updating the geoms."""
        extent, planes = model.stat.extent, model.vis.map
        near, far = planes.znear * extent, planes.zfar * extent
        half = self.fovy / 2 if self.orthographic else near * math.tan(math.radians(self.fovy) / 2)
        position, axes = self.pose(data)
        for camera in scene.camera:  # one camera for each eye
            camera.pos, camera.forward, camera.up = position, -axes[:, 2], axes[:, 1]
            camera.orthographic = self.orthographic
            camera.frustum_center, camera.frustum_width = 0.0, 0.0
            camera.frustum_bottom, camera.frustum_top = -half, half
            camera.frustum_near, camera.frustum_far = near, far
        mujoco.mjv_makeLights(model, data, scene)  # the headlight is at the camera
