"""mujoco_ros_py/Magnetometer: publishes the model's magnetic field in a site's frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ...transforms.compiled_poses import set_point
from ..noise import AxisNoise, VectorNoise, noisy_vector, sample_index, set_covariance
from ..noise.noise_config import check_covariance, covariance_fields
from ..sensor_frames import SensorFrames
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .part_values import magnetic_flux
from .parts import Wanted, find_parts

MagneticField = ros_type('sensor_msgs/msg/MagneticField')
Header = ros_type('std_msgs/msg/Header')


@dataclass(frozen=True, kw_only=True, slots=True)
class MagnetometerConfig(SensorConfig):
    """The configuration of the Magnetometer plugin."""

    site: str = ''
    """The site of the sensor; if empty, the site of the named sensor."""
    magnetic_field: str = ''
    """The magnetometer of the model; if empty, the field at the site."""
    noise: VectorNoise = ranged(default_factory=VectorNoise, live=True)
    """The noise of the field in T, with SDFormat's parameters."""
    static_covariance: tuple[float, ...] = ()
    """The nine elements of the covariance in T^2; if empty, the variances of `noise`."""

    def __post_init__(self) -> None:
        check_covariance('static_covariance', self.static_covariance)


class Magnetometer(SensorPlugin[MagnetometerConfig]):
    """Publishes the magnetic field in a site's frame (sensor_msgs/MagneticField).

    The field is the attribute `magnetic` of `option` in the model. MuJoCo does not define its
    unit; this plugin assumes T. MuJoCo's default of 0.5 towards -y is about ten thousand times the
    earth's field; for a field like the earth's, set `magnetic="0 2e-5 -4e-5"`, for example.
    """

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Finds the source of the field."""
        config = self.config
        wanted = {'magnetic_field': Wanted(config.magnetic_field, ('magnetometer',))}
        frame, parts = find_parts(self, model, frames, config.site, wanted)
        fields = covariance_fields(config.static_covariance)
        return MagneticField(header=Header(frame_id=frame)), {**parts, **fields}

    def noises(self, config: MagnetometerConfig) -> Sequence[AxisNoise]:
        """Returns the noise of each axis."""
        return config.noise.axes

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current measurement."""
        values = np.empty(3)
        magnetic_flux(state.magnetic_field[0], model, data, values)
        noisy_vector(state.noise, values, sample_index(model, data), model.opt.timestep)
        set_point(message.magnetic_field, values)
        covariance = message.magnetic_field_covariance
        set_covariance(covariance, state.given, state.covariance, state.noise)
