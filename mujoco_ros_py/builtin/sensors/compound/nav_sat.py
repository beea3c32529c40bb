"""mujoco_ros_py/NavSat: publishes a site's position on the earth, like a satellite receiver."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import mujoco
import numpy as np

from ....config import ranged
from ....plugins import State, compiled, ros_type
from ....plugins.compiled_code import inlined
from ...transforms.compiled_poses import set_point
from ..noise import AxisNoise, noisy_vector, sample_index, set_covariance, variance
from ..noise.noise_config import check_covariance, covariance_fields
from ..sensor_frames import SensorFrames, find_site, frame_of_site
from ..sensor_plugin import SensorConfig, SensorPlugin
from ..sensor_topic import Described
from .earth import geodetic, place_at, set_east_north_up
from .part_values import velocity_in_world

TwistStamped = ros_type('geometry_msgs/msg/TwistStamped')
NavSatFix = ros_type('sensor_msgs/msg/NavSatFix')
NavSatStatus = ros_type('sensor_msgs/msg/NavSatStatus')
Header = ros_type('std_msgs/msg/Header')

_UNKNOWN, _DIAGONAL_KNOWN, _KNOWN = (
    int(NavSatFix.COVARIANCE_TYPE_UNKNOWN),
    int(NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN),
    int(NavSatFix.COVARIANCE_TYPE_KNOWN),
)


@inlined
def _move(place: Any, axes: Any, offset: Any) -> None:
    """Adds `axes @ offset` to a position."""
    for row in range(3):
        for k in range(3):
            place[row] += axes[row, k] * offset[k]


@inlined
def _locate(state: State, data: mujoco.MjData, place: Any, values: Any) -> None:
    """Writes the site's ECEF position, and its latitude, longitude and altitude."""
    place[:] = state.origin
    _move(place, state.axes, data.site_xpos[state.site])
    geodetic(place, values)


@inlined
def _covariance_type(state: State) -> Any:
    """Returns the covariance type; unknown if neither noise nor a covariance is configured."""
    if state.given:
        return _KNOWN
    noisy = variance(state.noise[0]) + variance(state.noise[2]) > 0
    return _DIAGONAL_KNOWN if noisy else _UNKNOWN


@dataclass(frozen=True, kw_only=True, slots=True)
class SphericalCoordinates:
    """The WGS 84 position of the world's origin, with the parameter names of SDFormat."""

    latitude_deg: float = ranged(minimum=-90.0, maximum=90.0, unit='deg')
    """The origin's geodetic latitude."""
    longitude_deg: float = ranged(minimum=-180.0, maximum=180.0, unit='deg')
    """The origin's longitude."""
    elevation: float = ranged(0.0, unit='m')
    """The origin's altitude above the ellipsoid."""
    heading_deg: float = ranged(0.0, minimum=-360.0, maximum=360.0, unit='deg')
    """The angle from east to the world's x axis, counterclockwise seen from above."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelNoise:
    """The noise of a vector with different horizontal and vertical accuracy."""

    horizontal: AxisNoise = field(default_factory=AxisNoise)
    """The noise along east and along north, independent of each other."""
    vertical: AxisNoise = field(default_factory=AxisNoise)
    """The vertical noise."""

    @property
    def axes(self) -> tuple[AxisNoise, AxisNoise, AxisNoise]:
        """The noise of each axis: east, north, up."""
        return self.horizontal, self.horizontal, self.vertical


@dataclass(frozen=True, kw_only=True, slots=True)
class NavSatNoise:
    """The noise of a satellite receiver."""

    position: LevelNoise = field(default_factory=LevelNoise)
    """The noise of the position in m."""
    velocity: LevelNoise = field(default_factory=LevelNoise)
    """The noise of the velocity in m/s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NavSatConfig(SensorConfig):
    """The configuration of the NavSat plugin."""

    site: str
    """The site of the antenna."""
    update_rate: float = ranged(10.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages per second of simulated time."""
    spherical_coordinates: SphericalCoordinates
    """The position of the world's origin on the earth; the world's z axis points up."""
    noise: NavSatNoise = ranged(default_factory=NavSatNoise, live=True)
    """The noise of position and velocity, with SDFormat's parameters."""
    static_position_covariance: tuple[float, ...] = ()
    """The nine elements of the position covariance in m^2; if empty, the variances of `noise`."""

    def __post_init__(self) -> None:
        check_covariance('static_position_covariance', self.static_position_covariance)


class NavSat(SensorPlugin[NavSatConfig]):
    """Publishes latitude, longitude and altitude (sensor_msgs/NavSatFix).

    The topic `<topic>/velocity` carries the velocity over ground, like the topics of receiver
    drivers: a geometry_msgs/TwistStamped with the components east (x), north (y) and up (z), and
    the antenna's frame in the header. The world is flat: its plane z = 0 touches the ellipsoid
    only at the origin, and is above it elsewhere. The conversion is exact everywhere.
    """

    options: ClassVar[dict[str, Any]] = {'derived': 'poses'}

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the antenna, and starts publishing both topics."""
        SensorPlugin.load(self, model, data)
        self.velocity = self.new_topic(
            'velocity', type(self).fill_velocity, self._describe_velocity,
            self.config.noise.velocity.axes, **self.options,
        )  # fmt: skip
        """The velocity topic."""

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the antenna's site."""
        self._site = find_site(self, model, self.config.site)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Switches to the new model."""
        # the host reloads a class that defines `load` but not `adapt`, so both are defined here
        SensorPlugin.adapt(self, model, data)

    def configure(self, config: NavSatConfig) -> None:
        """Applies the new noise from the next message on."""
        SensorPlugin.configure(self, config)
        self.velocity.set_noise(config.noise.velocity.axes, config.seed)

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Returns a template for GPS fixes, and the state fields with the world's origin."""
        status = NavSatStatus(status=NavSatStatus.STATUS_FIX, service=NavSatStatus.SERVICE_GPS)
        covariance = covariance_fields(self.config.static_position_covariance)
        message = NavSatFix(header=self._header(frames), status=status)
        return message, {**self._fields(), **covariance}

    def noises(self, config: NavSatConfig) -> Sequence[AxisNoise]:
        """Returns the noise of the position: east, north, up."""
        return config.noise.position.axes

    @staticmethod
    @compiled
    def fill(state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any) -> None:
        """Writes the current position."""
        place, values, axes, offset = np.empty(3), np.empty(3), np.empty((3, 3)), np.zeros(3)
        _locate(state, data, place, values)
        if state.noise[0].on or state.noise[2].on:
            noisy_vector(state.noise, offset, sample_index(model, data), model.opt.timestep)
            set_east_north_up(values[0], values[1], axes)
            _move(place, axes, offset)
            geodetic(place, values)
        message.latitude, message.longitude = math.degrees(values[0]), math.degrees(values[1])
        message.altitude = values[2]
        covariance = message.position_covariance
        set_covariance(covariance, state.given, state.covariance, state.noise)
        message.position_covariance_type = _covariance_type(state)

    @staticmethod
    @compiled
    def fill_velocity(
        state: State, model: mujoco.MjModel, data: mujoco.MjData, message: Any
    ) -> None:
        """Writes the current velocity."""
        place, values, axes = np.empty(3), np.empty(3), np.empty((3, 3))
        velocity, moved, told = np.empty(3), np.zeros(3), np.zeros(3)
        _locate(state, data, place, values)
        set_east_north_up(values[0], values[1], axes)
        velocity_in_world(state.site, model, data, velocity)
        _move(moved, state.axes, velocity)
        _move(told, axes.T, moved)
        noisy_vector(state.noise, told, sample_index(model, data), model.opt.timestep)
        set_point(message.twist.linear, told)

    def _describe_velocity(self, frames: SensorFrames) -> Described:
        return TwistStamped(header=self._header(frames)), self._fields()

    def _header(self, frames: SensorFrames) -> Any:
        return Header(frame_id=frame_of_site(frames, self._site))

    def _fields(self) -> dict[str, Any]:
        """Returns the state fields that both topics share."""
        origin, axes = _origin(self.config.spherical_coordinates)
        return {'site': self._site, 'origin': origin, 'axes': axes}


def _origin(at: SphericalCoordinates) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns the ECEF position of the world's origin, and the world's axes as matrix columns."""
    latitude, longitude = math.radians(at.latitude_deg), math.radians(at.longitude_deg)
    cosine, sine = math.cos(math.radians(at.heading_deg)), math.sin(math.radians(at.heading_deg))
    place, axes = np.empty(3), np.empty((3, 3))
    place_at(latitude, longitude, at.elevation, place)
    set_east_north_up(latitude, longitude, axes)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return place, axes @ turn
