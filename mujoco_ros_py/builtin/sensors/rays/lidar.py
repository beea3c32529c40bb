"""mujoco_ros_py/Lidar: publishes the points hit by rays in all directions."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

import mujoco
import numpy as np

from ....errors import ConfigError
from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import inlined, numbers_at, set_length, set_stamp
from ..sensor_frames import SensorFrames
from ..sensor_topic import Described
from .ray_casting import measure
from .ray_config import AngleRange, RayConfig
from .ray_sensor import RaySensor

PointCloud2 = ros_type('sensor_msgs/msg/PointCloud2')
PointField = ros_type('sensor_msgs/msg/PointField')

_FIELDS = (
    ('x', 0, PointField.FLOAT32),
    ('y', 4, PointField.FLOAT32),
    ('z', 8, PointField.FLOAT32),
    ('intensity', 12, PointField.FLOAT32),
    ('ring', 16, PointField.UINT16),
    ('time', 20, PointField.FLOAT32),
)
"""The fields of a point: name, offset in bytes, data type."""
_STEP = 24
"""The size of a point in bytes."""


def _around() -> AngleRange:
    return AngleRange(samples=360, min_angle=-pi, max_angle=pi * (1 - 2 / 360))


@inlined
def _write_points(state: State, message: Any) -> Any:
    """Writes the points of all rays (if organized) or of the hits only; returns their number."""
    ranges, intensities = (
        numbers_at(state.ranges, state.rays),
        numbers_at(state.intensities, state.rays),
    )
    directions = numbers_at(state.directions, 3 * state.rays)
    numbers, words = message.data.view(np.float32), message.data.view(np.uint16)
    columns, count, ray = state.rays // state.rings, 0, 0
    for column in range(columns):
        time_s = column * state.column_s
        for ring in range(state.rings):
            distance, point = ranges[ray], count
            hit = abs(distance) < np.inf
            if state.organized:
                point = ring * columns + column
                distance = distance if hit else np.nan
            if hit or state.organized:
                place = 6 * point
                numbers[place] = distance * directions[3 * ray]
                numbers[place + 1] = distance * directions[3 * ray + 1]
                numbers[place + 2] = distance * directions[3 * ray + 2]
                numbers[place + 3] = intensities[ray]
                words[2 * place + 8] = ring
                numbers[place + 5] = time_s
                count += 1
            ray += 1
    return count


@dataclass(frozen=True, kw_only=True, slots=True)
class LidarConfig(RayConfig):
    """The configuration of the Lidar plugin."""

    horizontal: AngleRange = field(default_factory=_around)
    """The angles about the site's z axis; 0 is the site's x axis."""
    vertical: AngleRange = field(default_factory=AngleRange)
    """The angles above the site's xy plane; each angle is a ring."""
    vertical_angles: tuple[float, ...] = ()
    """The angles of unevenly spaced rings in rad, instead of `vertical`."""
    directions: tuple[tuple[float, float, float], ...] = ()
    """The directions of the rays in the site's frame, in measuring order; they replace all angles,
    and form one ring."""
    organized: bool = False
    """Publish a point for every ray, in a row per ring and a column per horizontal angle, with NaN
    for rays that hit nothing; false: publish a point for each hit only."""

    def __post_init__(self) -> None:
        RayConfig.__post_init__(self)
        for number, direction in enumerate(self.directions):
            if not np.linalg.norm(direction) > 0:
                raise ConfigError(
                    f'directions[{number}] must have a nonzero length, got {direction}'
                )


class Lidar(RaySensor[LidarConfig]):
    """Publishes the points that rays from a site hit (sensor_msgs/PointCloud2).

    A point consists of x, y and z in m, in the site's frame at the time of measurement, and of
    `intensity`, `ring` and `time`. The `intensity` is the brightness of the hit geom, from 0 to
    255. The `ring` is the number of the vertical angle, from 0. The `time` is in s since the
    message's stamp, which is the time of the first ray.
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Computes the directions of the rays."""
        config = self.config
        directions, rings = ray_directions(config)
        columns = len(directions) // rings
        message = PointCloud2(
            header=self.header(frames),
            height=rings if config.organized else 1,
            width=columns if config.organized else len(directions),
            fields=[
                PointField(name=name, offset=offset, datatype=type_, count=1)
                for name, offset, type_ in _FIELDS
            ],
            point_step=_STEP,
            row_step=_STEP * (columns if config.organized else len(directions)),
            is_dense=not config.organized,
            data=bytes(_STEP * len(directions)),
        )
        column_s = 1.0 / config.update_rate / columns if config.spin_steps > 1 else 0.0
        return message, {
            **self.world.fields(directions),
            'rings': rings,
            'organized': config.organized,
            'column_s': column_s,
        }

    @staticmethod
    @compiled
    def fill(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any, ros_time: float
    ) -> Any:
        """Writes the points once all rays are measured."""
        if not measure(state, model, data):
            return False
        set_length(message, 'data', state.rays * _STEP)
        count = _write_points(state, message)
        if not state.organized:
            message.width, message.row_step = count, count * _STEP
            set_length(message, 'data', count * _STEP)
        set_stamp(message.header.stamp, ros_time - data.time + state.begin)
        return True


def ray_directions(config: LidarConfig) -> tuple[np.ndarray[Any, Any], int]:
    """Returns the rays' unit vectors in measuring order, and the number of rings.

    The rays of all rings at one horizontal angle are measured together.
    """
    if config.directions:
        given = np.array(config.directions)
        return given / np.linalg.norm(given, axis=1, keepdims=True), 1
    wide, high = config.horizontal, config.vertical
    about = wide.min_angle + wide.increment * np.arange(wide.samples)
    rings = config.vertical_angles or high.min_angle + high.increment * np.arange(high.samples)
    rays = [(cos(up) * cos(turn), cos(up) * sin(turn), sin(up)) for turn in about for up in rings]
    return np.array(rays), len(rings)
