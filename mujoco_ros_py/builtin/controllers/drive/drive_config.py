"""The configuration of a joint drive: gains, limits, and the use of actuators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ....config import ranged
from ....errors import ConfigError

Interface = Literal['position', 'velocity', 'effort']
"""The kind of a joint's commands: rad or m, rad/s or m/s, N m or N."""
AntiWindup = Literal['none', 'back_calculation', 'conditional_integration']
"""The ways to keep the integral of a PID from growing while its output is limited."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gains:
    """The PID gains of a joint, by the names that ros2_controllers has for them.

    The output is the joint's effort in N m or N. The error is that of the position in rad or m,
    or of the velocity in rad/s or m/s for a joint that is commanded by velocity.
    """

    p: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per error."""
    i: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per error and second."""
    d: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per error of the velocity; 0 for a joint that is commanded by velocity."""
    ff_velocity_scale: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per velocity that is asked for, which is added to that of the PID."""
    u_clamp_max: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """The largest effort."""
    u_clamp_min: float = ranged(-math.inf, maximum=0.0, special=-math.inf, live=True)
    """The least effort."""
    i_clamp: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """The largest effort of the integral in either direction."""
    i_clamp_max: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """The largest effort of the integral."""
    i_clamp_min: float = ranged(-math.inf, maximum=0.0, special=-math.inf, live=True)
    """The least effort of the integral."""
    antiwindup_strategy: AntiWindup = ranged('conditional_integration', live=True)
    """What keeps the integral from growing while the effort is at a limit."""
    tracking_time_constant: float = ranged(0.0, minimum=0.0, unit='s', live=True)
    """The time constant of back_calculation; 0: sqrt(d / i), or p / i without a d."""
    error_deadband: float = ranged(0.0, minimum=0.0, live=True)
    """Errors up to this one are not integrated."""
    angle_wraparound: bool = ranged(False, live=True)
    """Turn the shorter way round; for a joint without position limits."""

    @property
    def given(self) -> bool:
        """Whether there is a gain of the PID; otherwise gains are made from the inertia."""
        return any((self.p, self.i, self.d))


@dataclass(frozen=True, kw_only=True, slots=True)
class JointLimits:
    """The limits of a joint, by the names that ros2_control and MoveIt have for them.

    They apply on top of the limits of the model: the narrower limit holds. A limit whose `has_`
    field is false does not apply.
    """

    has_position_limits: bool = True
    """Keep the position from `min_position` to `max_position`."""
    min_position: float = ranged(-math.inf, special=-math.inf, unit='rad or m')
    """The least position that is asked for."""
    max_position: float = ranged(math.inf, special=math.inf, unit='rad or m')
    """The largest position that is asked for."""
    has_velocity_limits: bool = True
    """Keep the velocity within `max_velocity`."""
    max_velocity: float = ranged(math.inf, minimum=0.0, special=math.inf, unit='rad/s or m/s')
    """The largest velocity that is asked for, in either direction; no effort goes beyond it."""
    has_acceleration_limits: bool = True
    """Keep the acceleration within `max_acceleration`."""
    max_acceleration: float = ranged(
        math.inf, minimum=0.0, special=math.inf, unit='rad/s^2 or m/s^2'
    )
    """The largest acceleration that is asked for, in either direction."""
    has_effort_limits: bool = True
    """Keep the effort within `max_effort`."""
    max_effort: float = ranged(math.inf, minimum=0.0, special=math.inf, unit='N m or N')
    """The largest effort on the joint, in either direction."""

    def __post_init__(self) -> None:
        if self.has_position_limits and self.min_position > self.max_position:
            raise ConfigError(
                f'min_position must be at most max_position ({self.max_position:g}),'
                f' got {self.min_position:g}'
            )
        for name, used in (
            ('max_velocity', self.has_velocity_limits),
            ('max_acceleration', self.has_acceleration_limits),
        ):
            if used and getattr(self, name) == 0.0:
                raise ConfigError(f'{name} must be greater than 0, got 0: the joint cannot move')


@dataclass(frozen=True, kw_only=True, slots=True)
class DriveConfig:
    """The configuration of a joint drive, from which those of controllers derive."""

    gains: Mapping[str, Gains] = ranged(default_factory=dict, live=True)
    """The PID gains by joint, for joints that the model's actuators do not servo; a joint that is
    not named has gains made from its inertia and `bandwidth`."""
    joint_limits: Mapping[str, JointLimits] = field(default_factory=dict)
    """The limits by joint, on top of the model's own."""
    bandwidth: float = ranged(30.0, above=0.0, unit='rad/s', live=True)
    """The bandwidth w of joints without gains: p = w^2 M and d = 2 w M with the joint's inertia M;
    at most 0.15 per timestep."""
    gravity_compensation: bool = ranged(True, live=True)
    """Add the effort against gravity, Coriolis and centrifugal forces where the PID drives."""
    add_gravity_to_effort: bool = ranged(False, live=True)
    """Add the effort against gravity, Coriolis and centrifugal forces to effort commands."""
    use_servos: bool = True
    """Have position and velocity actuators follow by their own law; false: the PID drives them,
    too."""
    direct_effort: bool = True
    """Apply the effort of joints without an actuator to them directly (qfrc_applied); false:
    refuse such joints."""
    command_timeout: float = ranged(0.0, minimum=0.0, unit='s')
    """Simulated seconds without a command after which positions stay, velocities become 0 and
    efforts 0 with gravity compensation; 0: never."""
