"""mujoco_ros_py/OmniWheelDriveController: drives a base with omnidirectional wheels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco

from ....config import ranged
from ....errors import ConfigError
from .base_config import AxisLimits, BaseConfig, LinearLimits
from .wheel_checks import check_around, check_hinges
from .wheel_kinematics import Matrix, omni
from .wheeled_controller import WheeledController

_LEAST = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class OmniWheelDriveControllerConfig(BaseConfig):
    """The configuration of the OmniWheelDriveController plugin."""

    wheel_names: tuple[str, ...]
    """Joints of the wheels, three or more, in anticlockwise order."""
    wheel_offset: float = ranged(0.0, unit='rad')
    """Angle of the first wheel from the x axis of the base."""
    robot_radius: float = ranged(above=0.0, unit='m')
    """Distance from the centre to the wheels."""
    wheel_radius: float = ranged(above=0.0, unit='m')
    """Radius of the wheels."""
    linear: LinearLimits = field(default_factory=LinearLimits)
    """Limits of the linear velocity (`x` and `y`)."""

    def __post_init__(self) -> None:
        BaseConfig.__post_init__(self)
        if len(self.wheel_names) < _LEAST:
            raise ConfigError(
                f'wheel_names must name at least {_LEAST} wheels, got {len(self.wheel_names)}'
            )


class OmniWheelDriveController(WheeledController[OmniWheelDriveControllerConfig]):
    """Moves a base in any direction, and turns it, using omnidirectional wheels."""

    def turns(self) -> Matrix:
        """Returns the matrix from the base velocity to the wheel velocities."""
        config = self.config
        count = len(config.wheel_names)
        return omni(count, config.wheel_radius, config.robot_radius, config.wheel_offset)

    def _check(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        prefix = self.environment.prefix
        check_hinges(model, 'wheel_names', self.config.wheel_names, prefix)
        check_around(model, data, self.config.wheel_names, prefix)

    def _joints(self) -> Sequence[str]:
        return self.config.wheel_names

    def _axes(self) -> Sequence[AxisLimits | None]:
        return self.config.linear.x, self.config.linear.y, self.config.angular.z
