"""mujoco_ros_py/Twist: publishes the velocity of a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ...transforms.compiled_poses import set_point
from ..noise import AxisNoise, VectorNoise, noisy_vector, sample_index
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import angular_velocity, linear_velocity
from .parts import Wanted, find_parts

TwistStamped = ros_type('geometry_msgs/msg/TwistStamped')
Header = ros_type('std_msgs/msg/Header')


@dataclass(frozen=True, kw_only=True, slots=True)
class TwistNoise:
    """The noise of a twist."""

    linear: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the linear velocity in m/s."""
    angular: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the angular velocity in rad/s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TwistConfig(SensorConfig):
    """The configuration of the Twist plugin."""

    site: str = ''
    """The site whose velocity is measured, in the site's frame; if empty, the named sensors are
    used."""
    linear: str = ''
    """The velocimeter or framelinvel sensor of the model; if empty, the site's linear velocity."""
    angular: str = ''
    """The gyro or frameangvel sensor of the model; if empty, the site's angular velocity."""
    noise: TwistNoise = ranged(default_factory=TwistNoise, live=True)
    """The noise of each part, with SDFormat's parameters."""


class TwistSensor(SensorPlugin[TwistConfig]):
    """Publishes linear and angular velocity (geometry_msgs/TwistStamped).

    The velocities are in the site's frame, or in the frame of the named sensors. The frame of a
    framelinvel or frameangvel sensor is the frame that it refers to, or the world.
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the sources of the velocities."""
        config = self.config
        wanted = {
            'linear': Wanted(config.linear, ('velocimeter', 'framelinvel')),
            'angular': Wanted(config.angular, ('gyro', 'frameangvel')),
        }
        frame, parts = find_parts(self, model, frames, config.site, wanted)
        return TwistStamped(header=Header(frame_id=frame)), parts

    def noises(self, config: TwistConfig) -> Sequence[AxisNoise]:
        """Returns the noise of all axes: of the linear velocity, then of the angular velocity."""
        return [*config.noise.linear.axes, *config.noise.angular.axes]

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        values, told = np.empty(3), message.twist
        linear_velocity(state.linear[0], model, data, values)
        noisy_vector(state.noise[0:3], values, index, timestep)
        set_point(told.linear, values)
        angular_velocity(state.angular[0], model, data, values)
        noisy_vector(state.noise[3:6], values, index, timestep)
        set_point(told.angular, values)
