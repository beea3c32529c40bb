"""mujoco_ros_py/Altimeter: publishes the height and the vertical velocity of a site."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import Savable, State, compiled, ros_type
from ..noise import AxisNoise, noisy, sample_index
from ..sensor_frames import SensorFrames, find_site, frame_of_site
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import velocity_in_world

Header = ros_type('std_msgs/msg/Header')
Message = ros_type('ros_gz_interfaces/msg/Altimeter')


@dataclass(frozen=True, kw_only=True, slots=True)
class AltimeterNoise:
    """The noise of an altimeter."""

    vertical_position: AxisNoise = field(default_factory=AxisNoise)
    """The noise of the height in m."""
    vertical_velocity: AxisNoise = field(default_factory=AxisNoise)
    """The noise of the vertical velocity in m/s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AltimeterConfig(SensorConfig):
    """The configuration of the Altimeter plugin."""

    site: str
    """The site of the sensor."""
    noise: AltimeterNoise = ranged(default_factory=AltimeterNoise, live=True)
    """The noise of each value, with SDFormat's parameters."""


class Altimeter(SensorPlugin[AltimeterConfig], Savable):
    """Publishes the height and vertical velocity of a site (ros_gz_interfaces/Altimeter).

    The height is relative to `vertical_reference`, which is the site's height in the world when
    the model was loaded or reset. Restoring a saved state also restores the reference.
    """

    options: ClassVar[dict[str, Any]] = {'derived': 'poses'}

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Measures the reference height, and starts publishing."""
        SensorPlugin.load(self, model, data)
        self.reset(model, data)

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site."""
        self._site = find_site(self, model, self.config.site)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the new model."""
        # the host reloads a class that defines `load` but not `adapt`, so both are defined here
        SensorPlugin.adapt(self, model, data)

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Returns a message in the frame of the site."""
        header = Header(frame_id=frame_of_site(frames, self._site))
        return Message(header=header), {'site': self._site, 'reference': 0.0}

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Measures the reference height again, because the initial joint states may differ."""
        self.restore(_height(model, data, self._site))

    def save(self) -> float:
        """Returns the reference height."""
        return float(self.topic.state.reference)

    def restore(self, saved: float) -> None:
        """Sets the reference height."""
        for state in self.topic.states:
            state.reference = saved

    def noises(self, config: AltimeterConfig) -> Sequence[AxisNoise]:
        """Returns the noise of the height and the velocity."""
        return config.noise.vertical_position, config.noise.vertical_velocity

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        velocity = np.empty(3)
        velocity_in_world(state.site, model, data, velocity)
        height = data.site_xpos[state.site, 2] - state.reference
        message.vertical_reference = state.reference
        message.vertical_position = noisy(state.noise[0], 0, height, index, timestep)
        message.vertical_velocity = noisy(state.noise[1], 0, velocity[2], index, timestep)


def _height(model: mujoco.MjModel, data: mujoco.MjData, site: int) -> float:
    """Computes the height of a site from `qpos`: the poses in `data` may be out of date."""
    now = mujoco.MjData(model)
    now.qpos, now.mocap_pos, now.mocap_quat = data.qpos, data.mocap_pos, data.mocap_quat
    mujoco.mj_kinematics(model, now)
    return float(now.site_xpos[site, 2])
