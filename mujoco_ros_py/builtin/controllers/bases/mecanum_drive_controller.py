"""mujoco_ros_py/MecanumDriveController: drives a base with four mecanum wheels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco

from ....config import ranged
from .base_config import AxisLimits, BaseConfig, LinearLimits
from .wheel_checks import check_hinges, check_same_direction
from .wheel_kinematics import Matrix, mecanum, moved_to
from .wheeled_controller import WheeledController


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseFrameOffset:
    """Pose of the base frame relative to the centre of the wheels."""

    x: float = ranged(0.0, unit='m')
    """Position of the base frame along x, forwards from the centre of the wheels."""
    y: float = ranged(0.0, unit='m')
    """Position of the base frame along y, to the left of the centre of the wheels."""
    theta: float = ranged(0.0, unit='rad')
    """Rotation of the base frame about z, to the left."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MecanumKinematics:
    """Geometry of a base with mecanum wheels."""

    wheels_radius: float = ranged(above=0.0, unit='m')
    """Radius of the wheels."""
    sum_of_robot_center_projection_on_X_Y_axis: float = ranged(above=0.0, unit='m')  # noqa: N815
    """Distance from the centre to a wheel along x, plus the distance along y."""
    base_frame_offset: BaseFrameOffset = field(default_factory=BaseFrameOffset)
    """Pose of the base frame relative to the centre of the wheels."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MecanumDriveControllerConfig(BaseConfig):
    """The configuration of the MecanumDriveController plugin."""

    front_left_wheel_command_joint_name: str
    """Joint of the front left wheel."""
    front_right_wheel_command_joint_name: str
    """Joint of the front right wheel."""
    rear_right_wheel_command_joint_name: str
    """Joint of the rear right wheel."""
    rear_left_wheel_command_joint_name: str
    """Joint of the rear left wheel."""
    kinematics: MecanumKinematics
    """Geometry of the base."""
    linear: LinearLimits = field(default_factory=LinearLimits)
    """Limits of the linear velocity (`x` and `y`)."""


class MecanumDriveController(WheeledController[MecanumDriveControllerConfig]):
    """Moves a base in any direction, and turns it, using four mecanum wheels."""

    def turns(self) -> Matrix:
        """Returns the matrix from the base velocity to the wheel velocities."""
        geometry = self.config.kinematics
        offset = geometry.base_frame_offset
        centre = mecanum(
            geometry.wheels_radius, geometry.sum_of_robot_center_projection_on_X_Y_axis
        )
        made: Matrix = centre @ moved_to((offset.x, offset.y, offset.theta))
        return made

    def _check(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        prefix = self.environment.prefix
        for name, joint in zip(_PARAMETERS, self._joints(), strict=True):
            check_hinges(model, name, [joint], prefix)
        check_same_direction(model, data, self._joints(), prefix)

    def _joints(self) -> Sequence[str]:
        return [getattr(self.config, name) for name in _PARAMETERS]

    def _axes(self) -> Sequence[AxisLimits | None]:
        return self.config.linear.x, self.config.linear.y, self.config.angular.z


_PARAMETERS = [
    f'{place}_wheel_command_joint_name'
    for place in ('front_left', 'front_right', 'rear_right', 'rear_left')
]
