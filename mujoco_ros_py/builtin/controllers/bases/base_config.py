"""The configuration that all mobile bases have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from ....config import ranged
from ....errors import ConfigError
from ..drive.drive_config import DriveConfig
from .axis_limits import AngularLimits


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
