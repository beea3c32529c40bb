"""Compiled functions that compute relative poses and write poses into messages."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ...plugins.compiled_code import inlined


@inlined
def relative_pose(
    position: Any, quat: Any, parent_position: Any, parent_quat: Any, child: Any, child_quat: Any
) -> None:
    """Writes the pose of a child relative to its parent to `position` and `quat` (w first).

    The poses of both are given in the world, in m and as unit quaternions.
    """
    inverse, offset = np.empty(4), np.empty(3)
    mujoco.mju_negQuat(inverse, parent_quat)
    mujoco.mju_sub3(offset, child, parent_position)
    mujoco.mju_rotVecQuat(position, offset, inverse)
    mujoco.mju_mulQuat(quat, inverse, child_quat)


@inlined
def set_point(point: Any, values: Any) -> None:
    """Writes three numbers into a geometry_msgs/Point or Vector3."""
    point.x, point.y, point.z = values[0], values[1], values[2]


@inlined
def set_rotation(quaternion: Any, wxyz: Any) -> None:
    """Writes a quaternion (w first) into a geometry_msgs/Quaternion."""
    quaternion.w = wxyz[0]
    quaternion.x, quaternion.y, quaternion.z = wxyz[1], wxyz[2], wxyz[3]
