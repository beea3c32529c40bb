"""mujoco_ros_py/Imu: publishes the measurements of an inertial measurement unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import inlined
from ...transforms.compiled_poses import set_point, set_rotation
from ..noise import (
    AxisNoise,
    VectorNoise,
    noisy_rotation,
    noisy_vector,
    sample_index,
    set_covariance,
)
from ..noise.noise_config import check_covariance
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import angular_velocity, linear_acceleration, orientation
from .parts import Wanted, find_parts

Message = ros_type('sensor_msgs/msg/Imu')
Header = ros_type('std_msgs/msg/Header')

_UNKNOWN = -1.0
"""The first element of the covariance of an unmeasured quantity (sensor_msgs/Imu)."""


@inlined
def _set_covariance(state: State, part: int, covariance: Any) -> None:
    """Writes the configured covariance of a part, or the covariance of its noise."""
    noises = state.noise[3 * part : 3 * part + 3]
    set_covariance(covariance, state.given[part], state.covariances[part], noises)


@dataclass(frozen=True, kw_only=True, slots=True)
class ImuNoise:
    """The noise of an inertial measurement unit."""

    angular_velocity: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the angular velocity in rad/s."""
    linear_acceleration: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the linear acceleration in m/s^2."""
    orientation: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the orientation: small rotations about the sensor's axes, in rad."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ImuConfig(SensorConfig):
    """The configuration of the Imu plugin."""

    site: str = ''
    """The site at which the unit is mounted; if empty, the site of the named sensors."""
    angular_velocity: str = ''
    """The gyro of the model; if empty, the angular velocity at the site."""
    linear_acceleration: str = ''
    """The accelerometer of the model; if empty, the acceleration at the site."""
    orientation: str = ''
    """The framequat sensor of the model; if empty, the site's orientation in the world."""
    enable_orientation: bool = True
    """Publish the orientation."""
    noise: ImuNoise = ranged(default_factory=ImuNoise, live=True)
    """The noise of each part, with SDFormat's parameters."""
    static_covariance_orientation: tuple[float, ...] = ()
    """The nine elements of the orientation's covariance; if empty, the variances of `noise`."""
    static_covariance_angular_velocity: tuple[float, ...] = ()
    """The nine elements of the angular velocity's covariance; if empty, the variances of
    `noise`."""
    static_covariance_linear_acceleration: tuple[float, ...] = ()
    """The nine elements of the linear acceleration's covariance; if empty, the variances of
    `noise`."""

    def __post_init__(self) -> None:
        for key in ('orientation', 'angular_velocity', 'linear_acceleration'):
            name = f'static_covariance_{key}'
            check_covariance(name, getattr(self, name))


class Imu(SensorPlugin[ImuConfig]):
    """Publishes orientation, angular velocity and linear acceleration (sensor_msgs/Imu).

    Velocity and acceleration are in the site's frame; a unit at rest measures an upward
    acceleration equal to gravity. The orientation is the site's orientation in the world
    (REP-145).
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the sources of angular velocity, acceleration and orientation."""
        config = self.config
        wanted = {
            'angular_velocity': Wanted(config.angular_velocity, ('gyro',)),
            'linear_acceleration': Wanted(config.linear_acceleration, ('accelerometer',)),
        }
        if config.enable_orientation:
            wanted['orientation'] = Wanted(config.orientation, ('framequat',), own_frame=False)
        frame, parts = find_parts(self, model, frames, config.site, wanted)
        message = Message(header=Header(frame_id=frame))
        if not config.enable_orientation:
            message.orientation_covariance[0] = _UNKNOWN
            parts['orientation'] = parts['angular_velocity']
        return message, {
            'angular': parts['angular_velocity'],
            'linear': parts['linear_acceleration'],
            'rotation': parts['orientation'],
            'oriented': config.enable_orientation,
            'given': np.array([bool(each) for each in self._covariances()]),
            'covariances': np.array([each or (0.0,) * 9 for each in self._covariances()]),
        }

    def noises(self, config: ImuConfig) -> Sequence[AxisNoise]:
        """Returns the noise of each axis of angular velocity, acceleration and orientation."""
        noise = config.noise
        parts = noise.angular_velocity, noise.linear_acceleration, noise.orientation
        return [axis for part in parts for axis in part.axes]

    def _covariances(self) -> tuple[tuple[float, ...], ...]:
        config = self.config
        return (
            config.static_covariance_angular_velocity,
            config.static_covariance_linear_acceleration,
            config.static_covariance_orientation,
        )

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        values, quat = np.empty(3), np.empty(4)
        angular_velocity(state.angular[0], model, data, values)
        noisy_vector(state.noise[0:3], values, index, timestep)
        set_point(message.angular_velocity, values)
        linear_acceleration(state.linear[0], model, data, values)
        noisy_vector(state.noise[3:6], values, index, timestep)
        set_point(message.linear_acceleration, values)
        _set_covariance(state, 0, message.angular_velocity_covariance)
        _set_covariance(state, 1, message.linear_acceleration_covariance)
        if state.oriented:
            orientation(state.rotation[0], model, data, quat)
            noisy_rotation(state.noise[6:9], quat, index, timestep)
            set_rotation(message.orientation, quat)
            _set_covariance(state, 2, message.orientation_covariance)
