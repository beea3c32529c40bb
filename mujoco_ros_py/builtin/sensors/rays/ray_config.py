"""The configuration that all sensors with rays have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....config import ranged
from ....errors import ConfigError
from ..noise import AxisNoise
from ..sensor_plugin import SensorConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeLimits:
    """The distances that a sensor measures, with the names of SDFormat."""

    min: float = ranged(0.0, minimum=0.0, unit='m')
    """The shortest distance; what is nearer is too near."""
    max: float = ranged(10.0, above=0.0, unit='m')
    """The longest distance; what is farther away is not seen."""
    resolution: float = ranged(0.0, minimum=0.0, unit='m')
    """The step of the distances; 0: they are not rounded."""

    def __post_init__(self) -> None:
        if self.min >= self.max:
            raise ConfigError(f'min must be less than max, got {self.min:g} and {self.max:g}')


@dataclass(frozen=True, kw_only=True, slots=True)
class AngleRange:
    """Angles that are evenly spaced from the first to the last, with the names of SDFormat."""

    samples: int = ranged(1, minimum=1, maximum=1_000_000)
    """The number of angles."""
    min_angle: float = ranged(0.0, unit='rad')
    """The first angle."""
    max_angle: float = ranged(0.0, unit='rad')
    """The last angle; it must be that of `min_angle` where there is one sample."""

    def __post_init__(self) -> None:
        if self.max_angle < self.min_angle:
            raise ConfigError(
                f'max_angle must be at least min_angle, '
                f'got {self.max_angle:g} and {self.min_angle:g}'
            )
        if self.samples == 1 and self.max_angle != self.min_angle:
            raise ConfigError(
                f'max_angle must be min_angle where samples is 1, '
                f'got {self.max_angle:g} and {self.min_angle:g}'
            )

    @property
    def increment(self) -> float:
        """The angle between two neighbours in rad; 0 for a single one."""
        steps = self.samples - 1
        return (self.max_angle - self.min_angle) / steps if steps else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RayConfig(SensorConfig):
    """The configuration of a sensor with rays."""

    site: str
    """The site from which the rays come; they turn about its z axis, and begin at its x axis."""
    update_rate: float = ranged(10.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Measurements (revolutions of a sensor that spins) per second of simulated time."""
    range: RangeLimits = field(default_factory=RangeLimits)
    """The distances that are measured."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """The noise of the distances in m: each ray has white noise of its own, and all have the same
    bias."""
    spin_steps: int = ranged(1, minimum=1, maximum=10_000)
    """The number of moments of a revolution: 1 measures all rays at once; with more, each part of
    the rays is measured from where the sensor is by then."""
    exclude_robot: bool = True
    """Whether rays pass through the robot that has the site: all bodies of its tree."""
    exclude: tuple[str, ...] = ()
    """The names of bodies that rays pass through too, each with all that is below it."""
    geom_groups: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """The groups of geoms that rays hit."""

    def __post_init__(self) -> None:
        for group in self.geom_groups:
            if not 0 <= group <= 5:
                raise ConfigError(f'geom_groups must be from 0 to 5, got {group}')
