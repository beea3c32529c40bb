"""mujoco_ros_py/Pose: publishes the pose of a site, like a tracking system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ...transforms.compiled_poses import set_point, set_rotation
from ..noise import AxisNoise, VectorNoise, noisy_rotation, noisy_vector, sample_index
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import orientation, position
from .parts import Wanted, find_parts

PoseStamped = ros_type('geometry_msgs/msg/PoseStamped')
Header = ros_type('std_msgs/msg/Header')


@dataclass(frozen=True, kw_only=True, slots=True)
class PoseNoise:
    """The noise of a pose."""

    position: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the position in m, along the axes of the message's frame."""
    orientation: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the orientation: small rotations about the axes of the measured frame, in
    rad."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PoseConfig(SensorConfig):
    """The configuration of the Pose plugin."""

    site: str = ''
    """The site whose pose in the world is measured; if empty, the named sensors are used."""
    position: str = ''
    """The framepos sensor of the model; if empty, the site's position in the world."""
    orientation: str = ''
    """The framequat sensor of the model; if empty, the site's orientation in the world."""
    noise: PoseNoise = ranged(default_factory=PoseNoise, live=True)
    """The noise of each part, with SDFormat's parameters."""


class PoseSensor(SensorPlugin[PoseConfig]):
    """Publishes a pose (geometry_msgs/PoseStamped).

    The pose is in the world frame, or in the frame that both named sensors refer to.
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the sources of the position and the orientation."""
        config = self.config
        wanted = {
            'position': Wanted(config.position, ('framepos',), in_world=True),
            'orientation': Wanted(config.orientation, ('framequat',), in_world=True),
        }
        frame, parts = find_parts(self, model, frames, config.site, wanted)
        return PoseStamped(header=Header(frame_id=frame)), parts

    def noises(self, config: PoseConfig) -> Sequence[AxisNoise]:
        """Returns the noise of all axes: of the position, then of the orientation."""
        return [*config.noise.position.axes, *config.noise.orientation.axes]

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        values, quat, told = np.empty(3), np.empty(4), message.pose
        position(state.position[0], model, data, values)
        noisy_vector(state.noise[0:3], values, index, timestep)
        set_point(told.position, values)
        orientation(state.orientation[0], model, data, quat)
        noisy_rotation(state.noise[3:6], quat, index, timestep)
        set_rotation(told.orientation, quat)
