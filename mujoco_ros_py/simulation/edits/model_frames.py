"""The frames of a model that messages can refer to, and transformations to the world."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mujoco
import numpy as np

from ...config.wording import unknown
from ...errors import ConfigError
from ..models.object_names import given_name
from .given_numbers import Array, finite, unit_quat

BODY, SITE = range(2)
"""The kinds of frames."""
WORLD = 'world'


def model_frames(
    model: mujoco.MjModel, body_frame: Callable[[str], str]
) -> dict[str, tuple[int, int]]:
    """Returns the kind and id of each frame by name: the world, named bodies, named sites.

    The names are TF frame names: `body_frame` returns the frame name for an element's full name in
    the model. The empty name and `world` refer to the world frame. If a body and a site have the
    same name, the name refers to the body.
    """
    frames: dict[str, tuple[int, int]] = {'': (BODY, 0), WORLD: (BODY, 0)}
    for kind, count, what in (
        (BODY, model.nbody, mujoco.mjtObj.mjOBJ_BODY),
        (SITE, model.nsite, mujoco.mjtObj.mjOBJ_SITE),
    ):
        for number in range(count):
            if name := given_name(model, what, number):
                frames.setdefault(body_frame(name), (kind, number))
    return frames


def pose_in_world(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    frame: str,
    position: Sequence[float],
    quat: Sequence[float],
    body_frame: Callable[[str], str] = str,
) -> tuple[Array, Array]:
    """Transforms a pose in a frame of the model to the world; returns position and quaternion.

    Quaternions are (w, x, y, z). Updates the kinematics of `data` to get the current pose of the
    frame. Raises ConfigError for an unknown frame, for numbers that are not finite, and for a zero
    quaternion.
    """
    place, turn = finite('position', position), unit_quat('orientation', quat)
    if frame in ('', WORLD):
        return place, turn
    frames = model_frames(model, body_frame)
    if frame not in frames:
        raise ConfigError(unknown('frame', frame, filter(None, frames)))
    kind, number = frames[frame]
    mujoco.mj_kinematics(model, data)  # after a step, poses are out of date
    origin, matrix = (
        (data.site_xpos[number], data.site_xmat[number])
        if kind == SITE
        else (data.xpos[number], data.xmat[number])
    )
    own, turned = np.empty(4), np.empty(4)
    mujoco.mju_mat2Quat(own, matrix)
    mujoco.mju_mulQuat(turned, own, turn)
    return np.asarray(origin + matrix.reshape(3, 3) @ place), turned


def twist_in_world(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    frame: str,
    linear: Sequence[float],
    angular: Sequence[float],
    body_frame: Callable[[str], str] = str,
) -> tuple[Array, Array]:
    """Rotates linear and angular velocities from the axes of a frame to those of the world.

    The velocities are relative to the world: the motion of the frame does not matter. Raises
    ConfigError for an unknown frame and for numbers that are not finite.
    """
    given = finite('linear velocity', linear), finite('angular velocity', angular)
    _, quat = pose_in_world(model, data, frame, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), body_frame)
    turned = np.empty((2, 3))
    for row, vector in zip(turned, given, strict=True):
        mujoco.mju_rotVecQuat(row, vector, quat)
    return turned[0], turned[1]
