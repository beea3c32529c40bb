"""mujoco_ros_py/AirPressure: publishes the air pressure at a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import mujoco

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ..noise import AxisNoise, noisy, sample_index, variance
from ..sensor_frames import SensorFrames, find_site, frame_of_site
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .earth import standard_pressure

FluidPressure = ros_type('sensor_msgs/msg/FluidPressure')
Header = ros_type('std_msgs/msg/Header')


@dataclass(frozen=True, kw_only=True, slots=True)
class AirPressureConfig(SensorConfig):
    """The configuration of the AirPressure plugin."""

    site: str
    """The site of the sensor."""
    reference_altitude: float = ranged(0.0, unit='m')
    """The altitude of the world's origin above sea level."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """The noise of the pressure in Pa, with SDFormat's parameters."""


class AirPressure(SensorPlugin[AirPressureConfig]):
    """Publishes the pressure of the International Standard Atmosphere (sensor_msgs/FluidPressure).

    The pressure is computed from the site's altitude. The standard covers -5 km to 86 km.
    """

    options: ClassVar[dict[str, Any]] = {'derived': 'poses'}

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the site."""
        site = find_site(self, model, self.config.site)
        message = FluidPressure(header=Header(frame_id=frame_of_site(frames, site)))
        return message, {'site': site, 'altitude': self.config.reference_altitude}

    def noises(self, config: AirPressureConfig) -> Sequence[AxisNoise]:
        """Returns the noise of the pressure."""
        return (config.noise,)

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        pressure = standard_pressure(state.altitude + data.site_xpos[state.site, 2])
        message.fluid_pressure = noisy(state.noise[0], 0, pressure, index, timestep)
        message.variance = variance(state.noise[0])
