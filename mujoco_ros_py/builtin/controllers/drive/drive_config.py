"""The configuration of a joint drive: gains, limits, and the choice of actuators."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ....config import ranged
from ....errors import ConfigError

Interface = Literal['position', 'velocity', 'effort']
"""The kind of a joint's commands: position (rad or m), velocity (rad/s or m/s) or effort (N m or
N)."""
AntiWindup = Literal['none', 'back_calculation', 'conditional_integration']
"""How a PID keeps its integral from growing while its output is clamped."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gains:
    """The PID gains of a joint, named as in ros2_controllers.

    The output is the joint's effort in N m or N. The error is the position error in rad or m, or
    the velocity error in rad/s or m/s for a joint with velocity commands.
    """

    p: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per error (proportional gain)."""
    i: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per error and second (integral gain)."""
    d: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per velocity error (derivative gain); must be 0 for a joint with velocity
    commands."""
    ff_velocity_scale: float = ranged(0.0, minimum=0.0, live=True)
    """Effort per reference velocity, added to the output of the PID."""
    u_clamp_max: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """Upper limit of the effort."""
    u_clamp_min: float = ranged(-math.inf, maximum=0.0, special=-math.inf, live=True)
    """Lower limit of the effort."""
    i_clamp: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """Limit of the effort from the integral, in either direction."""
    i_clamp_max: float = ranged(math.inf, minimum=0.0, special=math.inf, live=True)
    """Upper limit of the effort from the integral."""
    i_clamp_min: float = ranged(-math.inf, maximum=0.0, special=-math.inf, live=True)
    """Lower limit of the effort from the integral."""
    antiwindup_strategy: AntiWindup = ranged('conditional_integration', live=True)
    """How the integral is kept from growing while the effort is clamped."""
    tracking_time_constant: float = ranged(0.0, minimum=0.0, unit='s', live=True)
    """Time constant of back_calculation; 0: sqrt(d / i), or p / i if d is 0."""
    error_deadband: float = ranged(0.0, minimum=0.0, live=True)
    """Errors up to this size are not integrated."""
    angle_wraparound: bool = ranged(False, live=True)
    """Turn the shorter way round; only for joints without position limits."""

    @property
    def given(self) -> bool:
        """Whether p, i or d is set; otherwise the gains are computed from the inertia."""
        return any((self.p, self.i, self.d))


@dataclass(frozen=True, kw_only=True, slots=True)
class JointLimits:
    """The limits of a joint, named as in ros2_control and MoveIt.

    These limits apply on top of the model's limits: the narrower limit wins. A limit whose `has_`
    field is false does not apply.
    """

    has_position_limits: bool = True
    """Keep the position from `min_position` to `max_position`."""
    min_position: float = ranged(-math.inf, special=-math.inf, unit='rad or m')
    """Lower limit of the commanded position."""
    max_position: float = ranged(math.inf, special=math.inf, unit='rad or m')
    """Upper limit of the commanded position."""
    has_velocity_limits: bool = True
    """Keep the velocity within `max_velocity`."""
    max_velocity: float = ranged(math.inf, minimum=0.0, special=math.inf, unit='rad/s or m/s')
    """Limit of the commanded velocity, in either direction. Effort commands do not accelerate the
    joint beyond it."""
    has_acceleration_limits: bool = True
    """Keep the acceleration within `max_acceleration`."""
    max_acceleration: float = ranged(
        math.inf, minimum=0.0, special=math.inf, unit='rad/s^2 or m/s^2'
    )
    """Limit of the commanded acceleration, in either direction."""
    has_effort_limits: bool = True
    """Keep the effort within `max_effort`."""
    max_effort: float = ranged(math.inf, minimum=0.0, special=math.inf, unit='N m or N')
    """Limit of the effort on the joint, in either direction."""

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
    """The configuration of a joint drive; the configurations of controllers derive from it."""

    gains: Mapping[str, Gains] = ranged(default_factory=dict, live=True)
    """PID gains by joint, for joints that are not driven by a servo of the model. Joints without
    an entry get gains computed from their inertia and `bandwidth`."""
    joint_limits: Mapping[str, JointLimits] = field(default_factory=dict)
    """Limits by joint name, in addition to the limits in the model."""
    bandwidth: float = ranged(30.0, above=0.0, unit='rad/s', live=True)
    """Bandwidth w for joints without configured gains: p = w^2 M and d = 2 w M, with the joint's
    inertia M; at most 0.15 rad per timestep."""
    gravity_compensation: bool = ranged(True, live=True)
    """Add the effort against gravity, Coriolis and centrifugal forces to the output of the PID."""
    add_gravity_to_effort: bool = ranged(False, live=True)
    """Add the effort against gravity, Coriolis and centrifugal forces to effort commands."""
    use_servos: bool = True
    """Drive position and velocity actuators by their own control law; false: drive them with the
    PID, like motors."""
    direct_effort: bool = True
    """Apply efforts directly to joints without an actuator (qfrc_applied); false: refuse joints
    without an actuator."""
    command_timeout: float = ranged(0.0, minimum=0.0, unit='s')
    """Simulated time without a command after which joints with position commands hold their
    positions, and velocity and effort commands become 0 (joints with effort commands then get
    gravity compensation, if it is enabled); 0: never."""
