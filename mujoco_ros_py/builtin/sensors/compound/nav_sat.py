"""mujoco_ros_py/NavSat: publishes where on the earth a site is, as a satellite receiver does."""

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
    """Moves a place by an offset along axes, each a column of a matrix."""
    for row in range(3):
        for k in range(3):
            place[row] += axes[row, k] * offset[k]


@inlined
def _locate(state: State, data: mujoco.MjData, place: Any, values: Any) -> None:
    """Writes the place of the site on the earth, and its latitude, longitude and altitude."""
    place[:] = state.origin
    _move(place, state.axes, data.site_xpos[state.site])
    geodetic(place, values)


@inlined
def _covariance_type(state: State) -> Any:
    """Returns the type of the covariance; that of a receiver without noise is not known."""
    if state.given:
        return _KNOWN
    noisy = variance(state.noise[0]) + variance(state.noise[2]) > 0
    return _DIAGONAL_KNOWN if noisy else _UNKNOWN


@dataclass(frozen=True, kw_only=True, slots=True)
class SphericalCoordinates:
    """Where on the earth the origin of the world is, with the names of SDFormat (WGS 84)."""

    latitude_deg: float = ranged(minimum=-90.0, maximum=90.0, unit='deg')
    """The geodetic latitude of the origin."""
    longitude_deg: float = ranged(minimum=-180.0, maximum=180.0, unit='deg')
    """The longitude of the origin."""
    elevation: float = ranged(0.0, unit='m')
    """The altitude of the origin above the ellipsoid."""
    heading_deg: float = ranged(0.0, minimum=-360.0, maximum=360.0, unit='deg')
    """The angle from east to the x axis of the world, counterclockwise as seen from above."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LevelNoise:
    """The noise of a vector that is measured with another accuracy vertically."""

    horizontal: AxisNoise = field(default_factory=AxisNoise)
    """The noise towards east and towards north, which are independent of each other."""
    vertical: AxisNoise = field(default_factory=AxisNoise)
    """The noise upwards."""

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
    """Where on the earth the origin of the world is; its z axis points up."""
    noise: NavSatNoise = ranged(default_factory=NavSatNoise, live=True)
    """The noise of position and velocity, as SDFormat has it."""
    static_position_covariance: tuple[float, ...] = ()
    """The nine numbers of the covariance of the position in m^2; empty: the variances of
    `noise`."""

    def __post_init__(self) -> None:
        check_covariance('static_position_covariance', self.static_position_covariance)


class NavSat(SensorPlugin[NavSatConfig]):
    """Publishes latitude, longitude and altitude (sensor_msgs/NavSatFix).

    The topic `<topic>/velocity` has the velocity over ground towards east (x), north (y) and up
    (z), as drivers of receivers publish it: a geometry_msgs/TwistStamped with the frame of the
    antenna in its header. The world is flat, so that its plane z = 0 touches the ellipsoid at the
    origin and leaves it farther away; the conversion is exact there too.
    """

    options: ClassVar[dict[str, Any]] = {'derived': 'poses'}

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the antenna, and begins to publish both topics."""
        SensorPlugin.load(self, model, data)
        self.velocity = self.new_topic(
            'velocity', type(self).fill_velocity, self._describe_velocity,
            self.config.noise.velocity.axes, **self.options,
        )  # fmt: skip
        """What publishes the velocities."""

    def find(self, model: mujoco.MjModel) -> None:
        """Finds the site of the antenna."""
        self._site = find_site(self, model, self.config.site)

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Goes on with another model."""
        # a class with a `load` of its own and no `adapt` is loaded anew: the host looks for both
        SensorPlugin.adapt(self, model, data)

    def configure(self, config: NavSatConfig) -> None:
        """Uses other noise from the next message on."""
        SensorPlugin.configure(self, config)
        self.velocity.set_noise(config.noise.velocity.axes, config.seed)

    def describe(self, model: mujoco.MjModel, frames: SensorFrames) -> Described:
        """Returns a fix by GPS alone, and where the origin of the world is."""
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
        """Writes the position in one moment."""
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
        """Writes the velocity in one moment."""
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
        """Returns the fields of the state of both topics."""
        origin, axes = _origin(self.config.spherical_coordinates)
        return {'site': self._site, 'origin': origin, 'axes': axes}


def _origin(at: SphericalCoordinates) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Returns the place of the world's origin, and the world's axes as columns of a matrix."""
    latitude, longitude = math.radians(at.latitude_deg), math.radians(at.longitude_deg)
    cosine, sine = math.cos(math.radians(at.heading_deg)), math.sin(math.radians(at.heading_deg))
    place, axes = np.empty(3), np.empty((3, 3))
    place_at(latitude, longitude, at.elevation, place)
    set_east_north_up(latitude, longitude, axes)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return place, axes @ turn
