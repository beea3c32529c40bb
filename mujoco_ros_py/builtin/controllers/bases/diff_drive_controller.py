"""mujoco_ros_py/DiffDriveController: drives a base with wheels on two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import mujoco

from ....config import ranged
from ....errors import ConfigError
from .base_config import AxisLimits, BaseConfig, ForwardLimits
from .wheel_checks import check_hinges, check_same_direction
from .wheel_kinematics import Matrix, sides
from .wheeled_controller import WheeledController


@dataclass(frozen=True, kw_only=True, slots=True)
class DiffDriveControllerConfig(BaseConfig):
    """The configuration of the DiffDriveController plugin."""

    left_wheel_names: tuple[str, ...]
    """Joints of the wheels on the left side."""
    right_wheel_names: tuple[str, ...]
    """Joints of the wheels on the right side, as many as on the left."""
    wheel_separation: float = ranged(above=0.0, unit='m')
    """Distance between the left and the right wheels."""
    wheel_radius: float = ranged(above=0.0, unit='m')
    """Radius of the wheels."""
    wheel_separation_multiplier: float = ranged(1.0, above=0.0)
    """Factor for `wheel_separation`, to account for slip in skid steering."""
    left_wheel_radius_multiplier: float = ranged(1.0, above=0.0)
    """Factor for `wheel_radius` of the wheels on the left."""
    right_wheel_radius_multiplier: float = ranged(1.0, above=0.0)
    """Factor for `wheel_radius` of the wheels on the right."""
    linear: ForwardLimits = field(default_factory=ForwardLimits)
    """Limits of the linear velocity (`x`)."""

    def __post_init__(self) -> None:
        BaseConfig.__post_init__(self)
        left, right = len(self.left_wheel_names), len(self.right_wheel_names)
        if left != right or not left:
            raise ConfigError(
                'left_wheel_names and right_wheel_names must name the same number of wheels, at'
                f' least one, got {left} and {right}'
            )


class DiffDriveController(WheeledController[DiffDriveControllerConfig]):
    """Drives a base forwards and turns it, with wheels on its left and right.

    Ignores lateral velocities.
    """

    def turns(self) -> Matrix:
        """Returns the matrix from the base velocity to the wheel velocities."""
        config = self.config
        return sides(
            len(config.left_wheel_names),
            len(config.right_wheel_names),
            config.wheel_separation * config.wheel_separation_multiplier,
            config.wheel_radius * config.left_wheel_radius_multiplier,
            config.wheel_radius * config.right_wheel_radius_multiplier,
        )

    def _check(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        prefix = self.environment.prefix
        check_hinges(model, 'left_wheel_names', self.config.left_wheel_names, prefix)
        check_hinges(model, 'right_wheel_names', self.config.right_wheel_names, prefix)
        check_same_direction(model, data, self._joints(), prefix)

    def _joints(self) -> Sequence[str]:
        return self.config.left_wheel_names + self.config.right_wheel_names

    def _axes(self) -> Sequence[AxisLimits | None]:
        return self.config.linear.x, None, self.config.angular.z
