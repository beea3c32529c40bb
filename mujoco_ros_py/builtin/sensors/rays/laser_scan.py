"""mujoco_ros_py/LaserScan: publishes distances in a plane around a site."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import numbers_at, set_stamp
from ..sensor_frames import SensorFrames
from ..sensor_topic import Described
from .ray_casting import measure
from .ray_config import AngleRange, RayConfig
from .ray_sensor import RaySensor

Message = ros_type('sensor_msgs/msg/LaserScan')


@dataclass(frozen=True, kw_only=True, slots=True)
class LaserScanConfig(RayConfig):
    """The configuration of the LaserScan plugin."""

    samples: int = ranged(360, minimum=1, maximum=1_000_000)
    """The number of rays, evenly spaced from the first angle to the last."""
    min_angle: float = ranged(-pi, minimum=-2 * pi, maximum=2 * pi, unit='rad')
    """The angle of the first ray about the site's z axis; 0 is the site's x axis."""
    max_angle: float = ranged(pi, minimum=-2 * pi, maximum=2 * pi, unit='rad')
    """The angle of the last ray; with one sample, it must equal `min_angle`."""

    def __post_init__(self) -> None:
        RayConfig.__post_init__(self)
        _ = self.angles

    @property
    def angles(self) -> AngleRange:
        """The rays' angles."""
        return AngleRange(samples=self.samples, min_angle=self.min_angle, max_angle=self.max_angle)


class LaserScan(RaySensor[LaserScanConfig]):
    """Publishes a counterclockwise scan in the xy plane of a site (sensor_msgs/LaserScan).

    A distance is inf if the ray hits nothing within the range, and -inf if the hit is too near
    (REP-117). Intensities are the brightness of the hit geoms, from 0 to 255.
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Computes the directions of the rays."""
        config, angles = self.config, self.config.angles
        about = angles.min_angle + angles.increment * np.arange(angles.samples)
        directions = np.stack([np.cos(about), np.sin(about), np.zeros_like(about)], axis=1)
        period = 1.0 / config.update_rate
        nothing = [0.0] * angles.samples
        message = Message(
            header=self.header(frames),
            angle_min=angles.min_angle,
            angle_max=angles.max_angle,
            angle_increment=angles.increment,
            time_increment=period / angles.samples if config.spin_steps > 1 else 0.0,
            scan_time=period,
            range_min=config.range.min,
            range_max=config.range.max,
            ranges=nothing,
            intensities=nothing,
        )
        return message, self.world.fields(directions)

    @staticmethod
    @compiled
    def fill(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> Any:
        """Writes a scan once all rays are measured, stamped with the time of the first ray."""
        if not measure(state, model, data):
            return False
        ranges = numbers_at(state.ranges, state.rays)
        intensities = numbers_at(state.intensities, state.rays)
        for k in range(state.rays):
            message.ranges[k] = ranges[k]
            message.intensities[k] = intensities[k]
        set_stamp(message.header.stamp, ros_time - data.time + state.begin)
        return True
