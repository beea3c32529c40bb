"""Returns the names, image sizes and intrinsics of a model's cameras."""

from __future__ import annotations

import math

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..models.object_names import name_of

_NEW = hasattr(mujoco.MjModel, 'cam_projection')
_ORTHOGRAPHIC = 'cam_projection' if _NEW else 'cam_orthographic'
"""The field that is 1 for an orthographic camera; MuJoCo 3 has another name for it."""
_NO_RESOLUTION = [1, 1]
"""The value of `resolution` if a camera does not set it, in MuJoCo and here."""
Matrix = NDArray[np.float64]


def camera_name(model: mujoco.MjModel, camera: int) -> str:
    """Returns the name of a camera in the model, or ``unnamed_cam_<id>``."""
    return name_of(model, mujoco.mjtObj.mjOBJ_CAMERA, camera)


def image_size(
    model: mujoco.MjModel,
    camera: int,
    width: int,
    height: int,
    *,
    usual: tuple[int, int],
) -> tuple[int, int]:
    """Returns the width and height of a camera's images.

    A size of 0 selects the camera's `resolution`, or the `usual` size if it is not set.
    """
    resolution = model.cam_resolution[camera].tolist()
    known_width, known_height = usual if resolution == _NO_RESOLUTION else resolution
    return width or known_width, height or known_height


def intrinsics(model: mujoco.MjModel, camera: int, width: int, height: int) -> Matrix:
    """Returns the 3x3 matrix K, which projects the optical frame to pixels.

    Pixel (0, 0) is the centre of the first pixel. If the camera has a `sensorsize`, K follows from
    `focal` and `principal` (MuJoCo scales them to the image), otherwise from the vertical field of
    view. An orthographic camera has no such matrix; its K is 0, which means "not calibrated" in
    ROS.
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
