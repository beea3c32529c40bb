"""mujoco_ros_py/Range: publishes the distance to the nearest object in a cone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, pi
from typing import Any, Literal

import mujoco
import numpy as np

from ....config import ranged, unknown
from ....errors import ConfigError, PluginError
from ....plugins import ModelChange, State, compiled, ros_type
from ....plugins.compiled_code import inlined, numbers_at, set_stamp
from ....simulation import names_of
from ..named.sensor_kinds import measured
from ..noise import AxisNoise, noisy, sample_index, variance
from ..sensor_frames import SensorFrames, sites_of
from ..sensor_plugin import SensorPlugin
from ..sensor_topic import Described
from .ray_casting import measure
from .ray_config import RayConfig
from .ray_sensor import RaySensor

Message = ros_type('sensor_msgs/msg/Range')
Header = ros_type('std_msgs/msg/Header')

_RADIATION = {'ultrasound': Message.ULTRASOUND, 'infrared': Message.INFRARED}
_RANGEFINDER = int(mujoco.mjtSensor.mjSENS_RANGEFINDER)
_OF_RAYS, _OF_RANGE = 0, 1
"""Indices into `state.noise`: the rays (noise-free) and the published distance."""


@inlined
def _told(state: State, model: mujoco.MjModel, data: mujoco.MjData, distance: float) -> Any:
    """Returns the reported distance: inf beyond the maximum range, -inf below the minimum."""
    if distance == np.inf:
        return distance
    index, timestep = sample_index(model, data), model.opt.timestep
    distance = noisy(state.noise[_OF_RANGE], 0, distance, index, timestep)
    if state.step > 0:
        distance = round(distance / state.step) * state.step
    if distance > state.most:
        return np.inf
    return -np.inf if distance < state.least else distance


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeConfig(RayConfig):
    """The configuration of the Range plugin."""

    site: str = ''
    """The site at the origin of the rays, which spread about its x axis; empty if `rangefinder` is
    given."""
    rangefinder: str = ''
    """A rangefinder sensor of the model that measures instead of the plugin's own rays; it looks
    along its site's z axis."""
    field_of_view: float = ranged(0.52, minimum=0.0, maximum=pi, unit='rad')
    """The full opening angle of the measured cone."""
    samples: int = ranged(37, minimum=1, maximum=100_000)
    """The number of rays, on rings around the cone's axis."""
    radiation_type: Literal['ultrasound', 'infrared'] = 'ultrasound'
    """The radiation type to report in the messages."""
    noise: AxisNoise = ranged(default_factory=AxisNoise, live=True)
    """The noise of the distance in m, with SDFormat's parameters."""

    def __post_init__(self) -> None:
        RayConfig.__post_init__(self)
        if self.site and self.rangefinder:
            raise ConfigError(
                'only one of site and rangefinder can be given, got site'
                f' {self.site} and rangefinder {self.rangefinder}'
            )


class RangeSensor(RaySensor[RangeConfig]):
    """Publishes the distance to the nearest object in a cone (sensor_msgs/Range).

    The distance is inf if nothing is within the maximum range, and -inf below the minimum
    (REP-117). By convention, the cone is about the x axis of the message's frame. A rangefinder
    looks along its site's z axis, so `frame_id` should then name a frame that is rotated
    accordingly.
    """

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site and the visible geoms, unless a rangefinder measures."""
        if self.config.rangefinder:
            return
        if not self.config.site:
            sites, finders = sites_of(self, model), self._rangefinders(model)
            raise PluginError(
                f'site or rangefinder must be given; known sites: {_named(sites)}; '
                f'known rangefinders of one ray: {_named(finders)}'
            )
        RaySensor.find(self, model)

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Updates the geoms' bounds for the rays, unless a rangefinder measures."""
        if not self.config.rangefinder:
            RaySensor.model_changed(self, model, data, change)

    def measure(self) -> Any:
        """Returns the current distance as a message."""
        return self.topic.read() if self.config.rangefinder else RaySensor.measure(self)

    def source(self) -> tuple[Any, Mapping[str, Any]]:
        """Returns the function that reads the rangefinder or the function that casts rays."""
        if self.config.rangefinder:
            return type(self).fill_from_rangefinder, SensorPlugin.options
        return type(self).fill, self.options

    def rate_hz(self, config: RangeConfig) -> float:
        """Returns the rate of `fill` in calls per second."""
        return config.update_rate if config.rangefinder else RaySensor.rate_hz(self, config)

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Computes the directions of the rays, or finds the rangefinder."""
        config = self.config
        if config.rangefinder:
            header, fields = self._rangefinder(model, frames)
        else:
            header = self.header(frames)
            fields = self.world.fields(cone(config.field_of_view, config.samples))
            fields |= {'nearest': 0.0, 'resolution': 0.0}
        message = Message(
            header=header,
            radiation_type=_RADIATION[config.radiation_type],
            field_of_view=config.field_of_view,
            min_range=config.range.min,
            max_range=min(config.range.max, fields.get('cutoff', inf)),
        )
        limits = {'least': config.range.min, 'most': config.range.max}
        return message, {**fields, **limits, 'step': config.range.resolution}

    def noises(self, config: RangeConfig) -> Sequence[AxisNoise]:
        """Returns no noise for the rays, and the configured noise for the nearest distance."""
        return AxisNoise(), config.noise

    @staticmethod
    @compiled
    def fill(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> Any:
        """Writes the distance once all rays are measured."""
        if not measure(state, model, data):
            return False
        ranges, least = numbers_at(state.ranges, state.rays), inf
        for k in range(state.rays):
            if ranges[k] < least:
                least = ranges[k]
        message.range = _told(state, model, data, least)
        message.variance = variance(state.noise[_OF_RANGE])
        set_stamp(message.header.stamp, ros_time - data.time + state.begin)
        return True

    @staticmethod
    @compiled
    def fill_from_rangefinder(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any
    ) -> None:
        """Writes the distance of a rangefinder, which reports a miss as -1 or its cutoff."""
        distance = data.sensordata[state.address]
        hits = 0.0 <= distance < state.cutoff
        message.range = _told(state, model, data, distance if hits else inf)
        message.variance = variance(state.noise[_OF_RANGE])

    def _rangefinder(
        self, model: mujoco.MjModel, frames: SensorFrames
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the message header, and the state fields that locate the rangefinder's value."""
        known = self._rangefinders(model)
        name = self.config.rangefinder
        if name not in known:
            raise PluginError(f'rangefinder: {unknown("rangefinder of one ray", name, known)}')
        what = measured(model, known[name], frames)
        fields = {'address': what.address, 'cutoff': what.cutoff or inf}
        return Header(frame_id=what.frame_id), fields

    def _rangefinders(self, model: mujoco.MjModel) -> dict[str, int]:
        """Returns the ids of the robot's rangefinders with a single distance, by name."""
        sensors = names_of(model, mujoco.mjtObj.mjOBJ_SENSOR, self.environment.prefix)
        return {name: sensor for name, sensor in sensors.items() if _tells_range(model, sensor)}


def _named(known: Mapping[str, int]) -> str:
    return ', '.join(sorted(known)) or 'none'


def _tells_range(model: mujoco.MjModel, sensor: int) -> bool:
    """Returns whether a sensor is a rangefinder with a single distance and no other values."""
    alone = int(model.sensor_dim[sensor]) == 1 and int(model.sensor_intprm[sensor][0]) in (0, 1)
    return int(model.sensor_type[sensor]) == _RANGEFINDER and alone


def cone(opening: float, samples: int) -> np.ndarray[Any, Any]:
    """Returns unit vectors about the x axis, shape (samples, 3), evenly spread over a cone.

    `opening` is the full angle of the cone in rad. The first vector is the axis. The others are on
    rings, the outermost on the cone's surface; the first ring has about six vectors, and each
    further ring about six more.
    """
    rays = [np.array([[1.0, 0.0, 0.0]])]
    rings = _rings(samples - 1)
    for number, count in enumerate(rings, 1):
        away, about = opening / 2 * number / len(rings), 2 * np.pi * np.arange(count) / count
        ahead = np.full(count, np.cos(away))
        rays.append(
            np.stack([ahead, np.sin(away) * np.cos(about), np.sin(away) * np.sin(about)], axis=1)
        )
    return np.concatenate(rays)


def _rings(others: int) -> list[int]:
    """Returns the number of vectors on each ring, increasing by about six per ring."""
    count = 1
    while 3 * count * (count + 1) < others:
        count += 1
    ends = [round(others * n * (n + 1) / (count * (count + 1))) for n in range(count + 1)]
    return [after - before for before, after in pairwise(ends)]
