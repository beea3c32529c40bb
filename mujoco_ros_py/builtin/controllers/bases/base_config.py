"""The configuration that all mobile bases have in common, with the limits of their velocity.

The limits have the names that ros2_controllers has.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from ....config import ranged
from ....errors import ConfigError
from ..drive.drive_config import DriveConfig

_UP: dict[str, Any] = {'default': math.inf, 'minimum': 0.0, 'special': math.inf}
_DOWN: dict[str, Any] = {'default': -math.inf, 'maximum': 0.0, 'special': -math.inf}
_VELOCITY, _ACCELERATION, _JERK = 'm/s or rad/s', 'm/s^2 or rad/s^2', 'm/s^3 or rad/s^3'


@dataclass(frozen=True, kw_only=True, slots=True)
class AxisLimits:
    """The limits of the velocity along or about one axis of the base.

    A limit that is not given is minus its counterpart, which the field names.
    """

    has_velocity_limits: bool = True
    """Keep the velocity within its limits."""
    max_velocity: float = ranged(unit=_VELOCITY, **_UP)
    """The largest velocity."""
    min_velocity: float = ranged(unit=_VELOCITY, **_DOWN)
    """The least velocity; -.inf: the opposite of `max_velocity`."""
    has_acceleration_limits: bool = True
    """Keep the acceleration within its limits."""
    max_acceleration: float = ranged(unit=_ACCELERATION, **_UP)
    """The largest acceleration of a motion forwards."""
    max_deceleration: float = ranged(unit=_ACCELERATION, **_DOWN)
    """The largest deceleration of a motion forwards, below 0; -.inf: the opposite of
    `max_acceleration`."""
    max_acceleration_reverse: float = ranged(unit=_ACCELERATION, **_DOWN)
    """The largest acceleration of a motion backwards, below 0; -.inf: the opposite of
    `max_acceleration`."""
    max_deceleration_reverse: float = ranged(unit=_ACCELERATION, **_UP)
    """The largest deceleration of a motion backwards; .inf: the opposite of `max_deceleration`."""
    has_jerk_limits: bool = True
    """Keep the jerk within its limits."""
    max_jerk: float = ranged(unit=_JERK, **_UP)
    """The largest jerk."""
    min_jerk: float = ranged(unit=_JERK, **_DOWN)
    """The least jerk; -.inf: the opposite of `max_jerk`."""

    def __post_init__(self) -> None:
        row = self.row
        for name in ('max_acceleration', 'max_deceleration', 'max_acceleration_reverse',
                     'max_deceleration_reverse', 'max_jerk', 'min_jerk'):  # fmt: skip
            if row[name] == 0.0:
                raise ConfigError(f'{name} must not be 0: the base could not change its velocity')

    @property
    def row(self) -> dict[str, float]:
        """The effective limits, by the names of the fields of the record."""
        fastest, slowest = _both(self.has_velocity_limits, self.max_velocity, self.min_velocity)
        speeds = self.has_acceleration_limits
        up, brake = _both(speeds, self.max_acceleration, self.max_deceleration)
        _, back = _both(speeds, self.max_acceleration, self.max_acceleration_reverse)
        jerk, least_jerk = _both(self.has_jerk_limits, self.max_jerk, self.min_jerk)
        brake_back = self.max_deceleration_reverse if speeds else math.inf
        return {
            'max_velocity': fastest,
            'min_velocity': slowest,
            'max_acceleration': up,
            'max_deceleration': brake,
            'max_acceleration_reverse': back,
            'max_deceleration_reverse': -brake if math.isinf(brake_back) else brake_back,
            'max_jerk': jerk,
            'min_jerk': least_jerk,
        }


def _both(used: bool, most: float, least: float) -> tuple[float, float]:
    """Returns an upper and a lower limit; a lower one that is not given is minus the upper."""
    if not used:
        return math.inf, -math.inf
    return most, -most if math.isinf(least) else least


@dataclass(frozen=True, kw_only=True, slots=True)
class ForwardLimits:
    """The limits of the linear velocity of a base that cannot move sideways."""

    x: AxisLimits = field(default_factory=AxisLimits)
    """The limits of the velocity ahead and back."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LinearLimits:
    """The limits of the linear velocity of a base that can move sideways."""

    x: AxisLimits = field(default_factory=AxisLimits)
    """The limits of the velocity ahead and back."""
    y: AxisLimits = field(default_factory=AxisLimits)
    """The limits of the velocity to the left and to the right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AngularLimits:
    """The limits of the angular velocity."""

    z: AxisLimits = field(default_factory=AxisLimits)
    """The limits of turns to the left and to the right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseConfig(DriveConfig):
    """The configuration of a mobile base, from which that of each kind of base derives."""

    topic: str = 'cmd_vel'
    """The topic of the velocities (geometry_msgs/TwistStamped or Twist), in the frame of the
    base."""
    use_stamped_vel: bool | Literal['auto'] = ranged('auto', choices=('auto', True, False))
    """The message type of `topic`: TwistStamped if true, Twist if false; auto: the one that others
    publish."""
    cmd_vel_timeout: float = ranged(0.5, minimum=0.0, unit='s', live=True)
    """Simulated seconds without a velocity after which the base brakes, and the age from which a
    stamped velocity is refused; 0: never."""
    angular: AngularLimits = field(default_factory=AngularLimits)
    """The limits of the angular velocity (`z`)."""
    odom_topic: str = 'odom'
    """The topic of the odometry (nav_msgs/Odometry); empty: not published."""
    odom_frame_id: str = 'odom'
    """The frame of the odometry: the pose of the base at the load or reset."""
    base_frame_id: str = 'base_link'
    """The frame of the base."""
    enable_odom_tf: bool = True
    """Publish the transform from `odom_frame_id` to `base_frame_id` on /tf."""
    publish_rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Messages of the odometry and of /tf per second of simulated time."""
    open_loop: bool = False
    """Compute the odometry from the commanded velocity of the base, and not from what the joints
    measure."""
    position_feedback: bool = True
    """Compute the odometry from the positions of the joints, or from their velocities if false."""
    pose_covariance_diagonal: tuple[float, float, float, float, float, float] = ranged(
        (0.0,) * 6, minimum=0.0
    )
    """The variances of the pose in the odometry: x, y and z in m^2, roll, pitch and yaw in
    rad^2."""
    twist_covariance_diagonal: tuple[float, float, float, float, float, float] = ranged(
        (0.0,) * 6, minimum=0.0
    )
    """The variances of the twist in the odometry: linear in (m/s)^2, angular in (rad/s)^2."""

    def __post_init__(self) -> None:
        if self.command_timeout:
            raise ConfigError(
                'command_timeout is for other controllers; that of a base is cmd_vel_timeout'
            )
        if not self.topic:
            raise ConfigError('topic must not be empty')
        if self.odom_frame_id == self.base_frame_id:
            raise ConfigError(
                f'odom_frame_id and base_frame_id must differ, got {self.base_frame_id!r} for both'
            )
