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
    """The joints of the wheels on the left side."""
    right_wheel_names: tuple[str, ...]
    """The joints of the wheels on the right side, as many as on the left."""
    wheel_separation: float = ranged(above=0.0, unit='m')
    """The distance between the wheels of the two sides."""
    wheel_radius: float = ranged(above=0.0, unit='m')
    """The radius of the wheels."""
    wheel_separation_multiplier: float = ranged(1.0, above=0.0)
    """What `wheel_separation` is multiplied by, as skid steering needs for its slip."""
    left_wheel_radius_multiplier: float = ranged(1.0, above=0.0)
    """What `wheel_radius` is multiplied by for the wheels on the left."""
    right_wheel_radius_multiplier: float = ranged(1.0, above=0.0)
    """What `wheel_radius` is multiplied by for the wheels on the right."""
    linear: ForwardLimits = field(default_factory=ForwardLimits)
    """The limits of the linear velocity (`x`)."""

    def __post_init__(self) -> None:
        BaseConfig.__post_init__(self)
        left, right = len(self.left_wheel_names), len(self.right_wheel_names)
        if left != right or not left:
            raise ConfigError(
                'left_wheel_names and right_wheel_names must name equally many wheels, and at'
                f' least one, got {left} and {right}'
            )


class DiffDriveController(WheeledController[DiffDriveControllerConfig]):
    """Drives a base forwards and turns it, by wheels on its left and on its right.

    Lateral velocities are ignored.
    """

    def turns(self) -> Matrix:
        """Returns the matrix from the velocity of the base to those of the wheels."""
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
