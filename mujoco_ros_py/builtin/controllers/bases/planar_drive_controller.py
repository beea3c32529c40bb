"""mujoco_ros_py/PlanarDriveController: drives a base on two slides and a hinge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....errors import PluginError
from ....plugins import State, compiled
from .base_config import AxisLimits, BaseConfig, LinearLimits
from .base_controller import BaseController
from .base_motion import (
    advance_planar_joints,
    drive_planar_joints,
    forget_planar_joints,
)
from .wheel_checks import check_kind

_HINGE, _SLIDE = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
_NEAR = 1e-3
_STEEP = 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanarDriveControllerConfig(BaseConfig):
    """The configuration of the PlanarDriveController plugin."""

    x_joint: str
    """Slide joint along the x axis."""
    y_joint: str
    """Slide joint along the y axis."""
    yaw_joint: str
    """Hinge joint about the z axis; it must come after the slides in the model."""
    linear: LinearLimits = field(default_factory=LinearLimits)
    """Limits of the linear velocity (`x` and `y`)."""


class PlanarDriveController(BaseController[PlanarDriveControllerConfig]):
    """Moves and turns a base without wheels, using two slide joints and a hinge joint.

    Velocities are in the base frame, which turns with the hinge.
    """

    _turned = 0.0
    """The angle in rad from the axis of `x_joint` to the base's x axis when the hinge is at 0."""

    def _check(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        config, prefix = self.config, self.environment.prefix
        x = check_kind(model, 'x_joint', config.x_joint, _SLIDE, prefix)
        y = check_kind(model, 'y_joint', config.y_joint, _SLIDE, prefix)
        yaw = check_kind(model, 'yaw_joint', config.yaw_joint, _HINGE, prefix)
        if yaw < max(x, y):
            raise PluginError(
                f'yaw_joint: {config.yaw_joint} must come after {config.x_joint} and'
                f' {config.y_joint} in the model: otherwise the slides turn with it'
            )
        along = data.xaxis[x], data.xaxis[y], data.xaxis[yaw]
        if not np.allclose(np.cross(along[0], along[1]), along[2], atol=_NEAR):
            told = ', '.join(np.array2string(axis, precision=3) for axis in along)
            raise PluginError(
                'the axes of x_joint, y_joint and yaw_joint must form a right-handed frame, for'
                f' example 1 0 0, 0 1 0 and 0 0 1; in the world they are {told}'
            )
        ahead = data.xmat[model.jnt_bodyid[yaw]].reshape(3, 3)[:, 0]
        if abs(ahead @ along[2]) > _STEEP:
            raise PluginError(
                f'yaw_joint: {config.yaw_joint} must not turn about the x axis of its body: this'
                ' axis is the forward direction of the base'
            )
        now = math.atan2(ahead @ along[1], ahead @ along[0])
        self._turned = now - float(data.qpos[model.jnt_qposadr[yaw]])

    def _joints(self) -> Sequence[str]:
        return self.config.x_joint, self.config.y_joint, self.config.yaw_joint

    def _axes(self) -> Sequence[AxisLimits | None]:
        return self.config.linear.x, self.config.linear.y, self.config.angular.z

    def _fields(self) -> dict[str, Any]:
        return {'start': np.zeros(3), 'last': np.zeros(3), 'turned': self._turned}

    def _forget(self, data: mujoco.MjData) -> None:
        forget_planar_joints(self.state, data)

    @staticmethod
    @compiled
    def control_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Drives the two slides and the hinge."""
        drive_planar_joints(state, model, data)

    @staticmethod
    @compiled
    def last_stage_callback(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advances the velocity by one step, and updates the odometry."""
        advance_planar_joints(state, model, data)
