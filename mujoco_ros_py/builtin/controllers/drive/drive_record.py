"""The record that the compiled part of a drive works on: its fields and their initial values.

PID gains come from the configuration, or are computed from the joint's inertia.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import mujoco
import numpy as np

from ....errors import ConfigError
from ....plugins import State
from .actuator_choice import DrivenJoint
from .actuator_laws import ActuatorLaw, Law
from .drive_config import AntiWindup, DriveConfig, Gains, Interface, JointLimits
from .joint_ranges import configured_efforts, effort_range, position_range

POSITION, VELOCITY, EFFORT = range(3)
"""The kinds of commands, in the order of `Interface`."""
NO_GUARD, BACK_CALCULATION, CONDITIONAL_INTEGRATION = range(3)
"""The anti-windup strategies, in the order of `AntiWindup`."""
FOLLOWS, STARTS, HOLDS, HOLDS_ANEW = range(4)
"""The states of a joint: it follows its command; it has had no command since the start; it holds
its position; it was holding when an emergency stop began, and if the stop finds it moving, it gets
a new position to hold."""
NEVER = -1.0
"""The time of the last command as long as no command has arrived."""

Fields = dict[str, Any]
"""Maps the names of the record's fields to their values."""
_COMMANDS = ('position_command', 'velocity_command', 'effort_command')
_REFERENCES = ('position_reference', 'velocity_reference')
_CHANGING = {
    'position_reference': 0.0,
    'velocity_reference': 0.0,
    'next_position': 0.0,
    'next_velocity': 0.0,
    'hold': 0.0,
    'load': 0.0,
    'held': STARTS,
    'clamped': math.nan,
    'clamps': 0,
    'error': 0.0,
    'center': 0.0,
    'excess': 0.0,
    'integral': 0.0,
    'integrating': 0.0,
}
"""The fields of a joint that compiled code changes, with their initial values.

`*_reference` belong to the last step, and `next_*` to this step. `hold` is the position to hold,
and `load` the effort that this takes in addition to the joint's own weight. `clamped` is the last
command beyond a limit, and `clamps` counts these commands. The last five are the PID's state.
"""
_COUNTED = {
    'drive_refusals': 0,
    'drive_refused_length': 0,
    'drive_timeouts': 0,
}
"""The counters that compiled code increments; Python logs their changes."""
_NO_ACTUATOR = ActuatorLaw(name='', law=Law.DIRECT, gear=1.0, control=0)


_PER_STEP = 0.15
"""The largest bandwidth in rad per timestep, far below the stability limit of a discrete PD."""
_LAG = 2.0 * math.pi
"""A PI with computed gains limits its integral to the effort for this position lag (rad or m)."""
_WHOLE, _HALF = 1.0, 0.5
"""The share of a reference velocity that the proportional term uses. With one half, a PI with the
gains p = 2 w M and i = w^2 M responds like a first-order lag w / (s + w), without overshoot."""
_SLOWER = 4.0
"""Near the end of its range, a joint's velocity is at most the distance to the end times the
bandwidth divided by this number. The joint then stops at the end without overshoot."""


def record_fields(
    model: mujoco.MjModel, joints: Sequence[DrivenJoint], config: DriveConfig
) -> Fields:
    """Returns all fields of the record.

    Raises ConfigError if gains or limits do not fit the joints.
    """
    drive = record_rows([_joint(model, joint, config) for joint in joints])
    others = [_actuator(model, joint.id, other) for joint in joints for other in joint.others]
    spare = [] if others else [_actuator(model, 0, _NO_ACTUATOR)]
    return {
        **{name: np.full(len(joints), math.nan) for name in _COMMANDS},
        **{name: np.zeros(len(joints)) for name in _REFERENCES},
        'qpos_address': drive['qpos'],
        'dof_address': drive['dof'],
        'stopped': False,
        'drive': drive,
        'drive_other': record_rows(others or spare),
        'drive_others': len(others),
        **live_fields(config),
        **_COUNTED,
        'drive_time': 0.0,
        'drive_command_time': NEVER,
        'drive_timeout': config.command_timeout,
        'drive_timed_out': False,
    }


def tune_rows(
    rows: np.ndarray[Any, Any],
    model: mujoco.MjModel,
    joints: Sequence[DrivenJoint],
    config: DriveConfig,
) -> None:
    """Writes new gains into the joints' rows; keeps references and integrals.

    Raises ConfigError, and writes nothing, if a gain does not fit its joint.
    """
    tuned = [_tuned(model, joint, config) for joint in joints]
    for row, values in zip(rows, tuned, strict=True):
        for name, value in values.items():
            row[name] = value


PLACES = 'qpos', 'dof', 'law', 'control', 'activation'
"""The fields of a joint and its actuator that hold array indices or select code."""


def renew_record(state: State, fields: Fields) -> None:
    """Updates the record for another model; keeps commands and the fields in `_CHANGING`."""
    renew_rows(state.drive, fields['drive'])
    for name in ('qpos_address', 'dof_address', 'drive_other', 'drive_others'):
        setattr(state, name, fields[name])


def renew_rows(rows: np.ndarray[Any, Any], new: np.ndarray[Any, Any]) -> None:
    """Updates the joints' rows for another model; keeps the fields in `_CHANGING`."""
    for name in new.dtype.names or ():
        if name not in _CHANGING:
            rows[name] = new[name]


def live_fields(config: DriveConfig) -> Fields:
    """Returns the fields that live parameters can change."""
    return {
        'drive_compensates': float(config.gravity_compensation),
        'drive_adds_gravity': config.add_gravity_to_effort,
    }


def _joint(model: mujoco.MjModel, joint: DrivenJoint, config: DriveConfig) -> Fields:
    return {**_tuned(model, joint, config), **_CHANGING}


def _tuned(model: mujoco.MjModel, joint: DrivenJoint, config: DriveConfig) -> Fields:
    """Returns the fields of a joint that compiled code does not change."""
    gains = config.gains.get(joint.name, Gains())
    limits = config.joint_limits.get(joint.name, JointLimits())
    actuator = joint.actuator or _NO_ACTUATOR
    servo = config.use_servos or actuator.law not in (Law.AFFINE, Law.DIRECT)
    position_low, position_high = position_range(model, joint, limits, gains, servo=servo)
    effort_low, effort_high = effort_range(model, joint, limits, gains)
    velocity = limits.max_velocity if limits.has_velocity_limits else math.inf
    acceleration = limits.max_acceleration if limits.has_acceleration_limits else math.inf
    return {
        **_actuator(model, joint.id, actuator),
        'interface': get_args(Interface).index(joint.interface),
        'servoes_position': servo and actuator.servoes_position,
        'compliance': actuator.compliance,
        'servoes_velocity': servo and actuator.servoes_velocity,
        'position_low': position_low,
        'position_high': position_high,
        'effort_low': effort_low,
        'effort_high': effort_high,
        'limits_servo': configured_efforts(limits, gains) != (-math.inf, math.inf),
        'max_velocity': velocity,
        'max_acceleration': acceleration,
        'ramps': min(velocity, acceleration) < math.inf,
        'feeds': acceleration < math.inf and not gains.given,
        **_gains(model, joint, gains, config.bandwidth),
        'wraps': gains.angle_wraparound,
        'windup': get_args(AntiWindup).index(gains.antiwindup_strategy),
    }


def _actuator(model: mujoco.MjModel, joint: int, actuator: ActuatorLaw) -> Fields:
    """Returns the fields of an actuator; gain and bias are 0 if the actuator cannot be driven."""
    affine = actuator.law is not Law.NO_EFFECT
    return {
        'qpos': int(model.jnt_qposadr[joint]),
        'dof': int(model.jnt_dofadr[joint]),
        'law': int(actuator.law),
        'control': actuator.control,
        'activation': actuator.activation,
        'gear': actuator.gear,
        'gain': actuator.gain if affine else (0.0, 0.0, 0.0),
        'bias': actuator.bias if affine else (0.0, 0.0, 0.0),
        'control_low': actuator.control_range[0],
        'control_high': actuator.control_range[1],
    }


def record_rows(rows: Sequence[Mapping[str, Any]]) -> np.ndarray[Any, Any]:
    """Returns an array with one record per row; all rows must have the same fields."""
    fields = [(name, _type(value), np.shape(value)) for name, value in rows[0].items()]
    values = [tuple(row[name] for name, *_ in fields) for row in rows]
    return np.array(values, np.dtype(fields, align=True))


def _type(value: Any) -> type:
    return np.uint8 if isinstance(value, bool) else np.asarray(value).dtype.type


def _gains(
    model: mujoco.MjModel, joint: DrivenJoint, gains: Gains, bandwidth: float
) -> dict[str, Any]:
    """Returns the gains that a joint's PID uses to follow commands and to hold a position.

    Raises ConfigError if the joint's interface does not use a configured gain.
    """
    w = min(bandwidth, _PER_STEP / model.opt.timestep)
    inertia = float(model.dof_M0[model.jnt_dofadr[joint.id]])
    stiff, damped = w * w * inertia, 2.0 * w * inertia
    by_velocity = joint.interface == 'velocity'
    if by_velocity and gains.d:
        raise ConfigError(
            f'gains.{joint.name}.d must be 0 for a joint with velocity commands, got {gains.d:g}'
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
    """Returns the default time constant of back calculation in s; 1 if i is 0."""
    if i == 0.0:
        return 1.0
    return (math.sqrt(d / i) if d else p / i) or 1.0
