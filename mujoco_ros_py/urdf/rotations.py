"""Converts rotations between the conventions of URDF and MJCF."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
_LOCKED = 1e-8
"""If the cosine of the pitch is below this, rounding makes roll and yaw indistinguishable."""


def quaternion(rpy: tuple[float, ...]) -> Array:
    """Returns the quaternion (w, x, y, z) of roll, pitch and yaw about fixed axes, in radians."""
    quat = np.empty(4)
    mujoco.mju_euler2Quat(quat, np.asarray(rpy, float), 'XYZ')
    return quat


def matrix(quat: Array) -> Array:
    """Returns the rotation matrix of a quaternion."""
    flat = np.empty(9)
    mujoco.mju_quat2Mat(flat, np.asarray(quat, float))
    return flat.reshape(3, 3)


def quaternion_of(rotation: Array) -> Array:
    """Returns the quaternion of a rotation matrix."""
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(rotation, float).ravel())
    return quat


def frame_of(axis: tuple[float, ...]) -> Array:
    """Returns the rotation matrix of the smallest rotation that turns the z axis onto an axis.

    The third column is the axis; for the z axis the result is the identity.
    """
    quat = np.empty(4)
    mujoco.mju_quatZ2Vec(quat, np.asarray(axis, float))
    return matrix(quat)


def roll_pitch_yaw(rotation: Array) -> tuple[float, float, float]:
    """Returns roll, pitch and yaw about fixed axes of a rotation matrix, in radians."""
    pitch = np.arctan2(-rotation[2, 0], np.hypot(rotation[0, 0], rotation[1, 0]))
    if np.hypot(rotation[0, 0], rotation[1, 0]) > _LOCKED:
        roll = np.arctan2(rotation[2, 1], rotation[2, 2])
        yaw = np.arctan2(rotation[1, 0], rotation[0, 0])
    else:  # gimbal lock: roll and yaw turn about the same axis
        roll = np.arctan2(-rotation[1, 2], rotation[1, 1])
        yaw = 0.0
    return float(roll), float(pitch), float(yaw)
