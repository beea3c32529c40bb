"""The gains of a joint's PID: those that are configured, or those that fit the joint's inertia."""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....errors import ConfigError
from .actuator_choice import DrivenJoint
from .drive_config import Gains

_PER_STEP = 0.15
"""The largest bandwidth in rad per timestep, far within the stability of a discrete PD."""
_LAG = 2.0 * math.pi
"""The lag in rad or m up to which the integral of a PI with default gains grows."""
_WHOLE, _HALF = 1.0, 0.5
"""The share of a reference velocity that the proportional part uses. With one half, a PI with
p = 2 w M and i = w^2 M responds as a first-order lag w / (s + w), without overshoot."""

_SLOWER = 4.0
"""The ratio of the bandwidth of a joint to the rate (1/s) at which its velocity decreases before
the end of its range. With this ratio the joint comes to rest there without overshoot."""


def gains_of(
    model: mujoco.MjModel, joint: DrivenJoint, gains: Gains, bandwidth: float
) -> dict[str, Any]:
    """Returns the fields of the gains by which the PID of a joint follows commands, and holds.

    Raises ConfigError for a gain that has no meaning for the interface of the joint.
    """
    w = min(bandwidth, _PER_STEP / model.opt.timestep)
    inertia = float(model.dof_M0[model.jnt_dofadr[joint.id]])
    stiff, damped = w * w * inertia, 2.0 * w * inertia
    by_velocity = joint.interface == 'velocity'
    if by_velocity and gains.d:
        raise ConfigError(
            f'gains.{joint.name}.d must be 0 for a joint that is commanded by velocity,'
            f' got {gains.d:g}'
        )
    usual = (damped, stiff, 0.0) if by_velocity else (stiff, 0.0, damped)
    p, i, d = (gains.p, gains.i, gains.d) if gains.given else usual
    hold_p, hold_i, hold_d = (stiff, 0.0, damped) if by_velocity else (p, i, d)
    lag = math.inf if gains.given or i == 0.0 else i * _LAG
    return {
        'p': p,
        'i': i,
        'd': d,
        'hold_p': hold_p,
        'hold_i': hold_i,
        'hold_d': hold_d,
        'weight': _WHOLE if gains.given else _HALF,
        'ff': gains.ff_velocity_scale,
        'inertia': inertia,
        'approach': w / _SLOWER,
        'tracking': gains.tracking_time_constant or _tracking(p, i, d),
        'deadband': gains.error_deadband,
        'integral_low': max(-gains.i_clamp, gains.i_clamp_min, -lag),
        'integral_high': min(gains.i_clamp, gains.i_clamp_max, lag),
    }


def _tracking(p: float, i: float, d: float) -> float:
    """Returns the default time constant of back calculation in s; 1 without an integral."""
    if i == 0.0:
        return 1.0
    return (math.sqrt(d / i) if d else p / i) or 1.0
