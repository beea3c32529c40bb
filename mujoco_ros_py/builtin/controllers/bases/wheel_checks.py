"""Checks the wheels of a base in the model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import mujoco
import numpy as np

from ....errors import PluginError
from ..drive.model_joints import joint_id

_HINGE = int(mujoco.mjtJoint.mjJNT_HINGE)
_TOLERANCE_RAD = math.radians(15.0)


def check_kind(
    model: mujoco.MjModel, where: str, name: str, kind: mujoco.mjtJoint, prefix: str
) -> int:
    """Returns the id of a joint; `prefix` is the name prefix of the plugin's group.

    Raises PluginError if the joint does not exist or is of another kind; the error names the
    parameter, `where`.
    """
    try:
        joint = joint_id(model, f'{prefix}{name}')
    except PluginError as error:
        raise PluginError(f'{where}: {error}') from None
    if model.jnt_type[joint] != int(kind):
        wanted, came = ('hinge', 'slide') if int(kind) == _HINGE else ('slide', 'hinge')
        raise PluginError(f'{where}: joint {name} must be a {wanted} joint, but is a {came} joint')
    return joint


def check_hinges(model: mujoco.MjModel, where: str, wheels: Sequence[str], prefix: str) -> None:
    """Raises PluginError if a wheel does not turn on a hinge."""
    for name in wheels:
        check_kind(model, where, name, mujoco.mjtJoint.mjJNT_HINGE, prefix)


def check_same_direction(
    model: mujoco.MjModel, data: mujoco.MjData, wheels: Sequence[str], prefix: str
) -> None:
    """Raises PluginError if two wheels would turn in opposite directions when driving forwards."""
    axes = _axes(model, data, wheels, prefix)
    for name, axis in zip(wheels, axes, strict=True):
        if axis @ axes[0] < 0.0:
            raise PluginError(
                f'the axes of {wheels[0]} and {name} must point to the same side, but are'
                f' opposite: reverse one of them in the model (axis="0 1 0" drives forwards)'
            )


def check_around(
    model: mujoco.MjModel, data: mujoco.MjData, wheels: Sequence[str], prefix: str
) -> None:
    """Raises PluginError unless the wheels' axes are evenly spaced around the base."""
    wanted = 2.0 * math.pi / len(wheels)
    axes = _axes(model, data, [*wheels, wheels[0]], prefix)
    for (name, axis), (other, next_axis) in pairwise(zip([*wheels, wheels[0]], axes, strict=True)):
        angle = math.acos(max(-1.0, min(1.0, float(axis @ next_axis))))
        if abs(angle - wanted) > _TOLERANCE_RAD:
            raise PluginError(
                f'wheel_names must be in anticlockwise order, with axes that point outwards'
                f' {math.degrees(wanted):.0f} degrees apart: the axes of {name} and {other} are'
                f' {math.degrees(angle):.0f} degrees apart'
            )


def _axes(
    model: mujoco.MjModel, data: mujoco.MjData, joints: Sequence[str], prefix: str
) -> list[np.ndarray]:
    """Returns the joints' axes in the world, as unit vectors."""
    return [data.xaxis[joint_id(model, f'{prefix}{name}')] for name in joints]
