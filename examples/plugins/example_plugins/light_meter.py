import math
from dataclasses import dataclass
from typing import ClassVar

import mujoco
from sensor_msgs.msg import Illuminance

from mujoco_ros_py.builtin.sensors import (
    AxisNoise,
    SensorConfig,
    SensorPlugin,
    noisy,
    sample_index,
    variance,
)
from mujoco_ros_py.plugins import compiled, ranged


@dataclass(frozen=True, kw_only=True, slots=True)
class Config(SensorConfig):
    """The configuration of the light meter."""

    site: str
    """Site of the meter; the meter points along the site's z axis."""
    light: str
    """Light in the model to measure."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """Noise of the illuminance, in lux."""


class LightMeter(SensorPlugin[Config]):
    """Publishes the illuminance of a light at a site (sensor_msgs/Illuminance)."""

    options: ClassVar = {'derived': 'poses'}

    def describe(self, model, frames):
        prefix = self.environment.prefix
        site, light = (prefix + name for name in (self.config.site, self.config.light))
        fields = {'site': model.site(site).id, 'light': model.light(light).id}
        message = Illuminance()
        message.header.frame_id = frames.of(mujoco.mjtObj.mjOBJ_SITE, fields['site'])
        return message, fields

    def noises(self, config):
        return [config.noise]

    @staticmethod
    @compiled
    def fill(state, model, data, message):
        square = ahead = 0.0
        for axis in range(3):
            away = data.light_xpos[state.light, axis] - data.site_xpos[state.site, axis]
            square += away * away
            ahead += away * data.site_xmat[state.site, 3 * axis + 2]
        lux = model.light_intensity[state.light] * max(ahead, 0.0) / (square * math.sqrt(square))
        noise, index = state.noise[0], sample_index(model, data)
        message.illuminance = noisy(noise, 0, lux, index, model.opt.timestep)
        message.variance = variance(noise)
