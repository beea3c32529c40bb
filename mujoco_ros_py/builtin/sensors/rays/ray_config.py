"""The common configuration of ray sensors."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....config import ranged
from ....errors import ConfigError
from ..noise import AxisNoise
from ..sensor_plugin import SensorConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeLimits:
    """The measurable distances, with SDFormat's names."""

    min: float = ranged(0.0, minimum=0.0, unit='m')
    """The minimum distance; nearer hits are reported as too near."""
    max: float = ranged(10.0, above=0.0, unit='m')
    """The maximum distance; objects farther away are not seen."""
    resolution: float = ranged(0.0, minimum=0.0, unit='m')
    """The rounding step of the distances; 0: no rounding."""

    def __post_init__(self) -> None:
        if self.min >= self.max:
            raise ConfigError(f'min must be less than max, got {self.min:g} and {self.max:g}')


@dataclass(frozen=True, kw_only=True, slots=True)
class AngleRange:
    """Evenly spaced angles, with SDFormat's names."""

    samples: int = ranged(1, minimum=1, maximum=1_000_000)
    """The number of angles."""
    min_angle: float = ranged(0.0, unit='rad')
    """The first angle."""
    max_angle: float = ranged(0.0, unit='rad')
    """The last angle; with one sample, it must equal `min_angle`."""

    def __post_init__(self) -> None:
        if self.max_angle < self.min_angle:
            raise ConfigError(
                f'max_angle must be at least min_angle, '
                f'got {self.max_angle:g} and {self.min_angle:g}'
            )
        if self.samples == 1 and self.max_angle != self.min_angle:
            raise ConfigError(
                f'max_angle must equal min_angle if samples is 1, '
                f'got {self.max_angle:g} and {self.min_angle:g}'
            )

    @property
    def increment(self) -> float:
        """The angle between neighbours in rad; 0 for a single sample."""
        steps = self.samples - 1
        return (self.max_angle - self.min_angle) / steps if steps else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RayConfig(SensorConfig):
    """The configuration of a sensor with rays."""

    site: str
    """The site at the origin of the rays, which rotate about the site's z axis, starting at its x
    axis."""
    update_rate: float = ranged(10.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Measurements (revolutions of a spinning sensor) per second of simulated time."""
    range: RangeLimits = field(default_factory=RangeLimits)
    """The measurable distances."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """The noise of the distances in m; each ray has its own white noise, and all rays share the
    bias."""
    spin_steps: int = ranged(1, minimum=1, maximum=10_000)
    """The number of parts into which a revolution is divided: 1 measures all rays at once; with
    more parts, each part is measured from the sensor's pose at that time."""
    exclude_robot: bool = True
    """Let rays pass through the robot that the site belongs to: all bodies of its kinematic
    tree."""
    exclude: tuple[str, ...] = ()
    """Bodies that rays also pass through, each with its subtree."""
    geom_groups: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """The geom groups that rays hit."""

    def __post_init__(self) -> None:
        for group in self.geom_groups:
            if not 0 <= group <= 5:
                raise ConfigError(f'geom_groups must be from 0 to 5, got {group}')
