"""The fields of the record that the compiled part of a drive works on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, get_args

import mujoco
import numpy as np

from ...errors import ConfigError
from .actuator_laws import ActuatorLaw, Law
from .drive_commands import NEVER
from .drive_config import AntiWindup, DriveConfig, Gains, Interface, JointLimits
from .driven_joint import DrivenJoint, effort_range, position_range

_INTERFACES: tuple[str, ...] = get_args(Interface)
_STRATEGIES: tuple[str, ...] = get_args(AntiWindup)
_PER_STEP = 0.15
"""The largest bandwidth in rad per timestep; a PD is stable by far with it."""
_TURN = 2.0 * math.pi
_NO_ACTUATOR = ActuatorLaw(name='', law=Law.DIRECT, gear=1.0, control=0)

Fields = dict[str, Any]
"""Values of the record by the names of its fields."""


def record_fields(
    model: mujoco.MjModel, joints: Sequence[DrivenJoint], config: DriveConfig
) -> Fields:
    """Returns all fields of the drive. Raises ConfigError for gains and limits that do not fit."""
    rows = [_joint(model, joint, config) for joint in joints]
    count = len(rows)
    empty = ('told', 'error', 'center', 'excess', 'integral', 'integrating', 'hold')
    return {
        **{name: np.full(count, math.nan) for name in _COMMANDS},
        **{name: np.array([row.pop(name) for row in rows]) for name in ('qpos_address', 'dof_address')},
        **{name: np.zeros(count) for name in ('position_reference', 'velocity_reference')},
        'stopped': False,
        **{f'drive_{name}': np.array([row[name] for row in rows]) for name in rows[0]},
        **{f'drive_{name}': np.zeros(count) for name in empty},
        **{f'drive_next_{name}': np.zeros(count) for name in ('position', 'velocity')},
        'drive_held': np.zeros(count, bool),
        **_others(model, joints),
        **live_fields(config),
        **_COUNTS,
        'drive_time': 0.0,
        'drive_command_time': NEVER,
        'drive_timeout': config.command_timeout,
        'drive_timed_out': False,
    }


_COMMANDS = ('position_command', 'velocity_command', 'effort_command')
_COUNTS = {
    'drive_refusals': 0,
    'drive_refused_length': 0,
    'drive_clamps': 0,
    'drive_clamped_joint': 0,
    'drive_clamped_value': 0.0,
    'drive_timeouts': 0,
}
"""What compiled code counts, and Python says."""


def live_fields(config: DriveConfig) -> Fields:
    """Returns the fields that may change while the plugin runs."""
    return {
        'drive_compensates': float(config.gravity_compensation),
        'drive_adds_gravity': config.add_gravity_to_effort,
    }


def _joint(model: mujoco.MjModel, joint: DrivenJoint, config: DriveConfig) -> Fields:
    gains = config.gains.get(joint.name, Gains())
    limits = config.joint_limits.get(joint.name, JointLimits())
    law = joint.actuator or _NO_ACTUATOR
    servo = config.use_servos or law.law not in (Law.AFFINE, Law.DIRECT)
    return {
        'qpos_address': model.jnt_qposadr[joint.id],
        'dof_address': model.jnt_dofadr[joint.id],
        'interface': _INTERFACES.index(joint.interface),
        'law': int(law.law),
        'servoes_position': servo and law.servoes_position,
        'servoes_velocity': servo and law.servoes_velocity,
        'control': law.control,
        'activation': law.activation,
        'gear': law.gear,
        'gain': law.gain,
        'bias': law.bias,
        'control_range': law.control_range,
        **_gains(model, joint, gains, config.bandwidth),
        **_limits(model, joint, limits, gains, servo),
    }


def _limits(
    model: mujoco.MjModel, joint: DrivenJoint, limits: JointLimits, gains: Gains, servo: bool
) -> Fields:
    velocity = limits.max_velocity if limits.has_velocity_limits else math.inf
    acceleration = limits.max_acceleration if limits.has_acceleration_limits else math.inf
    low, high = effort_range(model, joint, limits, gains)
    range_ = position_range(model, joint, limits, servo)
    if gains.angle_wraparound and not all(map(math.isinf, range_)):
        raise ConfigError(
            f'gains.{joint.name}.angle_wraparound needs a joint without position limits, and it'
            f' has {range_[0]:g} to {range_[1]:g}'
        )
    return {
        'position_range': range_,
        'max_velocity': velocity,
        'max_acceleration': acceleration,
        'ramps': min(velocity, acceleration) < math.inf,
        'effort_low': low,
        'effort_high': high,
        'limits_servo': limits.has_effort_limits and limits.max_effort < math.inf,
    }


def _gains(
    model: mujoco.MjModel, joint: DrivenJoint, gains: Gains, bandwidth: float
) -> Fields:
    """Returns the gains for commands of the joint's interface, and those for holding."""
    w = min(bandwidth, _PER_STEP / model.opt.timestep)
    inertia = float(model.dof_M0[model.jnt_dofadr[joint.id]])
    given = any((gains.p, gains.i, gains.d))
    velocity = joint.interface == 'velocity'
    if velocity and gains.d:
        raise ConfigError(
            f'gains.{joint.name}.d must be 0 for a joint that is commanded by velocity,'
            f' got {gains.d:g}'
        )
    p, i, d = gains.p, gains.i, gains.d
    if not given:
        p, i, d = w * w * inertia, 0.0, 2.0 * w * inertia
        if velocity:
            p, i, d = d, p, 0.0
    held = (w * w * inertia, 0.0, 2.0 * w * inertia) if velocity else (p, i, d)
    return {
        'p': p,
        'i': i,
        'd': d,
        'weight': 1.0 if given else 0.5,
        'ff': gains.ff_velocity_scale,
        'hold_p': held[0],
        'hold_i': held[1],
        'hold_d': held[2],
        'approach': min(w, 1.0 / model.opt.timestep),
        'wraps': gains.angle_wraparound,
        'windup': _STRATEGIES.index(gains.antiwindup_strategy),
        'tracking': gains.tracking_time_constant or _tracking(p, i, d),
        'deadband': gains.error_deadband,
        'integral_range': _integral_range(gains, math.inf if given else i * _TURN),
    }


def _tracking(p: float, i: float, d: float) -> float:
    """Returns the usual time constant of back calculation, in s; 1 where nothing is integrated."""
    if i == 0.0:
        return 1.0
    return (math.sqrt(d / i) if d else p / i) or 1.0


def _integral_range(gains: Gains, default: float) -> tuple[float, float]:
    high = min(gains.i_clamp, gains.i_clamp_max)
    low = max(-gains.i_clamp, gains.i_clamp_min)
    limit = default or math.inf
    return max(low, -limit), min(high, limit)


def _others(model: mujoco.MjModel, joints: Sequence[DrivenJoint]) -> Fields:
    """Returns the fields for actuators that are to have no effect; at least one row is there."""
    pairs = [(joint.id, other) for joint in joints for other in joint.others]
    rows = pairs or [(0, _NO_ACTUATOR)]
    joint_ids = [joint for joint, _ in rows]
    return {
        'drive_others': len(pairs),
        'drive_other_qpos': model.jnt_qposadr[joint_ids],
        'drive_other_dof': model.jnt_dofadr[joint_ids],
        'drive_other_gear': np.array([other.gear for _, other in rows]),
        'drive_other_terms': np.array([_terms(other) for _, other in rows]),
        'drive_other_control': np.array([other.control for _, other in rows]),
        'drive_other_range': np.array([other.control_range for _, other in rows]),
    }


def _terms(other: ActuatorLaw) -> tuple[float, ...]:
    """Returns bias and gain; zeros for an actuator that has no effect while its control is 0."""
    return (*other.bias, *other.gain) if other.law is Law.AFFINE else (0.0,) * 6
