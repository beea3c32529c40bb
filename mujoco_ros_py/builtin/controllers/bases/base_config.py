"""The common configuration of all mobile bases, with their velocity limits.

The limits are named as in ros2_controllers.
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
    """Limits of the velocity along or about one axis of the base.

    A limit that is not set is the negative of its counterpart, as documented for each field.
    """

    has_velocity_limits: bool = True
    """Keep the velocity within its limits."""
    max_velocity: float = ranged(unit=_VELOCITY, **_UP)
    """Upper limit of the velocity."""
    min_velocity: float = ranged(unit=_VELOCITY, **_DOWN)
    """Lower limit of the velocity; -.inf: the negative of `max_velocity`."""
    has_acceleration_limits: bool = True
    """Keep the acceleration within its limits."""
    max_acceleration: float = ranged(unit=_ACCELERATION, **_UP)
    """Largest acceleration when driving forwards."""
    max_deceleration: float = ranged(unit=_ACCELERATION, **_DOWN)
    """Largest deceleration when driving forwards, as a negative number; -.inf: the negative of
    `max_acceleration`."""
    max_acceleration_reverse: float = ranged(unit=_ACCELERATION, **_DOWN)
    """Largest acceleration when driving backwards, as a negative number; -.inf: the negative of
    `max_acceleration`."""
    max_deceleration_reverse: float = ranged(unit=_ACCELERATION, **_UP)
    """Largest deceleration when driving backwards; .inf: the negative of `max_deceleration`."""
    has_jerk_limits: bool = True
    """Keep the jerk within its limits."""
    max_jerk: float = ranged(unit=_JERK, **_UP)
    """Upper limit of the jerk."""
    min_jerk: float = ranged(unit=_JERK, **_DOWN)
    """Lower limit of the jerk; -.inf: the negative of `max_jerk`."""

    def __post_init__(self) -> None:
        row = self.row
        for name in ('max_acceleration', 'max_deceleration', 'max_acceleration_reverse',
                     'max_deceleration_reverse', 'max_jerk', 'min_jerk'):  # fmt: skip
            if row[name] == 0.0:
                raise ConfigError(f'{name} must not be 0: the base could not change its velocity')

    @property
    def row(self) -> dict[str, float]:
        """The effective limits, by the names of their fields in the record of the axis."""
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
    """Returns an upper and a lower limit; a missing lower limit is the negative of the upper."""
    if not used:
        return math.inf, -math.inf
    return most, -most if math.isinf(least) else least


@dataclass(frozen=True, kw_only=True, slots=True)
class ForwardLimits:
    """Limits of the linear velocity of a base that cannot move sideways."""

    x: AxisLimits = field(default_factory=AxisLimits)
    """Limits of the velocity forwards and backwards."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LinearLimits:
    """Limits of the linear velocity of a base that can move sideways."""

    x: AxisLimits = field(default_factory=AxisLimits)
    """Limits of the velocity forwards and backwards."""
    y: AxisLimits = field(default_factory=AxisLimits)
    """Limits of the velocity to the left and to the right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AngularLimits:
    """Limits of the angular velocity."""

    z: AxisLimits = field(default_factory=AxisLimits)
    """Limits of the velocity of turns to the left and to the right."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BaseConfig(DriveConfig):
    """The configuration of a mobile base; each kind of base derives its own configuration."""

    topic: str = 'cmd_vel'
    """Topic of the velocity commands (geometry_msgs/TwistStamped or Twist), in the base frame."""
    use_stamped_vel: bool | Literal['auto'] = ranged('auto', choices=('auto', True, False))
    """Message type of `topic`: TwistStamped if true, Twist if false; auto: the type that is
    published."""
    cmd_vel_timeout: float = ranged(0.5, minimum=0.0, unit='s', live=True)
    """Simulated time without a command after which the base brakes, and the age beyond which a
    stamped command is refused; 0: never."""
    angular: AngularLimits = field(default_factory=AngularLimits)
    """Limits of the angular velocity (`z`)."""
    odom_topic: str = 'odom'
    """Topic of the odometry (nav_msgs/Odometry); if empty, the odometry is not published."""
    odom_frame_id: str = 'odom'
    """Frame of the odometry: the pose of the base after loading or a reset."""
    base_frame_id: str = 'base_link'
    """Frame of the base."""
    enable_odom_tf: bool = True
    """Publish the transform from `odom_frame_id` to `base_frame_id` on /tf."""
    publish_rate: float = ranged(50.0, above=0.0, maximum=10_000.0, unit='Hz')
    """Rate of the odometry and /tf messages, in simulated time."""
    open_loop: bool = False
    """Compute the odometry from the commanded velocity of the base, not from measured joint
    motion."""
    position_feedback: bool = True
    """Compute the odometry from joint positions; false: from joint velocities."""
    pose_covariance_diagonal: tuple[float, float, float, float, float, float] = ranged(
        (0.0,) * 6, minimum=0.0
    )
    """Variances of the pose in the odometry: x, y and z in m^2, roll, pitch and yaw in rad^2."""
    twist_covariance_diagonal: tuple[float, float, float, float, float, float] = ranged(
        (0.0,) * 6, minimum=0.0
    )
    """Variances of the twist in the odometry: linear in (m/s)^2, angular in (rad/s)^2."""

    def __post_init__(self) -> None:
        if self.command_timeout:
            raise ConfigError(
                'command_timeout does not apply to a base: use cmd_vel_timeout instead'
            )
        if not self.topic:
            raise ConfigError('topic must not be empty')
        if self.odom_frame_id == self.base_frame_id:
            raise ConfigError(
                f'odom_frame_id and base_frame_id must differ, got {self.base_frame_id!r} for both'
            )
