"""The cameras of a model as computer vision describes them."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ..simulation import name_of

_NEW = hasattr(mujoco.MjModel, 'cam_projection')
_ORTHOGRAPHIC = 'cam_projection' if _NEW else 'cam_orthographic'
"""What is 1 for an orthographic camera, 0 for others; MuJoCo 3 has another name for it."""
Matrix = np.ndarray[Any, np.dtype[np.float64]]


def camera_name(model: mujoco.MjModel, camera: int) -> str:
    """The name in the model, or ``unnamed_cam_<id>``."""
    return name_of(model, mujoco.mjtObj.mjOBJ_CAMERA, camera)


def intrinsics(model: mujoco.MjModel, camera: int, width: int, height: int) -> Matrix:
    """The 3x3 matrix K that projects the optical frame to pixels; (0, 0) is the first's centre.

    From `focal` and `principal` where the camera has a `sensorsize` (MuJoCo scales them to the
    image), else from its vertical field of view. All 0, which is ROS's sign for "not calibrated",
    where the camera is orthographic: it has no such matrix.
    """
    if getattr(model, _ORTHOGRAPHIC)[camera]:
        return np.zeros((3, 3))
    sensor = model.cam_sensorsize[camera]
    if sensor.all():
        f_x, f_y, c_x, c_y = model.cam_intrinsic[camera] / [*sensor, *sensor]
        f_x, f_y, c_x, c_y = f_x * width, f_y * height, c_x * width, c_y * height
    else:
        f_x = f_y = height / 2 / math.tan(math.radians(model.cam_fovy[camera]) / 2)
        c_x = c_y = 0.0
    c_x, c_y = (width - 1) / 2 - c_x, (height - 1) / 2 - c_y
    return np.array([[f_x, 0, c_x], [0, f_y, c_y], [0, 0, 1]])
