"""mujoco_ros_py/ForceTorque: publishes the wrench between a body and its parent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ...transforms.compiled_poses import set_point
from ..noise import AxisNoise, VectorNoise, noisy_vector, sample_index
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import force, torque
from .parts import Wanted, find_parts

WrenchStamped = ros_type('geometry_msgs/msg/WrenchStamped')
Header = ros_type('std_msgs/msg/Header')

_SIGNS = {'child_to_parent': -1.0, 'parent_to_child': 1.0}
"""The factor for MuJoCo's wrench, which the parent exerts on the child."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WrenchNoise:
    """The noise of a force-torque sensor."""

    force: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the force in N."""
    torque: VectorNoise = field(default_factory=VectorNoise)
    """The noise of the torque in N m."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ForceTorqueConfig(SensorConfig):
    """The configuration of the ForceTorque plugin."""

    site: str = ''
    """The site at which the wrench between its body and the body's parent is measured; if empty,
    the site of the named sensors."""
    force: str = ''
    """The force sensor of the model; if empty, the force at the site."""
    torque: str = ''
    """The torque sensor of the model; if empty, the torque at the site."""
    measure_direction: Literal['child_to_parent', 'parent_to_child'] = 'child_to_parent'
    """`child_to_parent`: the wrench of the body on its parent (SDFormat's default);
    `parent_to_child`: the wrench of the parent on the body (as MuJoCo's sensors measure it)."""
    noise: WrenchNoise = ranged(default_factory=WrenchNoise, live=True)
    """The noise of each part, with SDFormat's parameters."""


class ForceTorque(SensorPlugin[ForceTorqueConfig]):
    """Publishes force and torque about a site, in its frame (geometry_msgs/WrenchStamped)."""

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the sources of the force and the torque."""
        config = self.config
        wanted = {
            'force': Wanted(config.force, ('force',)),
            'torque': Wanted(config.torque, ('torque',)),
        }
        frame, parts = find_parts(self, model, frames, config.site, wanted)
        sign = _SIGNS[config.measure_direction]
        return WrenchStamped(header=Header(frame_id=frame)), {**parts, 'sign': sign}

    def noises(self, config: ForceTorqueConfig) -> Sequence[AxisNoise]:
        """Returns the noise of all axes: of the force, then of the torque."""
        return [*config.noise.force.axes, *config.noise.torque.axes]

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        index, timestep = sample_index(model, data), model.opt.timestep
        values, told = np.empty(3), message.wrench
        force(state.force[0], model, data, values)
        for k in range(3):
            values[k] *= state.sign
        noisy_vector(state.noise[0:3], values, index, timestep)
        set_point(told.force, values)
        torque(state.torque[0], model, data, values)
        for k in range(3):
            values[k] *= state.sign
        noisy_vector(state.noise[3:6], values, index, timestep)
        set_point(told.torque, values)
