"""Compiled: converts joint references to actuator controls, or to efforts on the joints.

`joint` is a row of the record's field `drive` (see `drive_record`).
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ....plugins.compiled_code import inlined
from .actuator_laws import Law
from .drive_record import BACK_CALCULATION, CONDITIONAL_INTEGRATION

DIRECT, AFFINE, INTEGRATOR = int(Law.DIRECT), int(Law.AFFINE), int(Law.INTEGRATOR)
POSITION_SERVO, VELOCITY_SERVO = int(Law.POSITION_SERVO), int(Law.VELOCITY_SERVO)
_LEAST_GAIN = 1e-9


@inlined
def servo(
    joint: np.record,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    position: float,
    velocity: float,
    effort: float,
    by_velocity: bool,
) -> None:
    """Makes the joint's own servo follow a position or a velocity, with an added effort.

    An affine servo gets the control with which it exerts `effort` when the joint is exactly at the
    reference.
    """
    joint.integrating = 0.0
    gear, law = joint.gear, joint.law
    rest = joint.bias[0] + gear * joint.bias[1] * position
    moving = gear * joint.bias[2] * velocity
    if law == AFFINE:
        control = (effort / gear - rest - moving) / joint.gain[0]
        if joint.limits_servo:
            wanted = gear * (joint.gain[0] * control + _terms(joint, joint.bias, data))
            if wanted < joint.effort_low or wanted > joint.effort_high:
                apply_effort(joint, data, wanted)
                return
    elif law == INTEGRATOR and by_velocity:
        control = -gear * joint.bias[1] * velocity / joint.gain[0]
    elif law == INTEGRATOR:
        target = -rest / joint.gain[0]
        control = (target - data.act[joint.activation]) / model.opt.timestep
    else:
        control = -(rest + moving if law == VELOCITY_SERVO else rest) / joint.gain[0]
    _set_control(joint, data, control)


@inlined
def position_effort(
    joint: np.record, data: mujoco.MjData, position: float, velocity: float, p: float, d: float
) -> Any:
    """Returns the PID's effort for a reference position and velocity, in N m or N."""
    error = position - data.qpos[joint.qpos]
    if joint.wraps:
        error = wrapped(error)
    joint.error, joint.center = error, 0.0
    return p * error + d * (velocity - data.qvel[joint.dof]) + joint.integral


@inlined
def velocity_effort(joint: np.record, data: mujoco.MjData, velocity: float) -> Any:
    """Returns the PI's effort for a reference velocity, in N m or N.

    The proportional term uses `weight` times the reference; the integral supplies the rest.
    """
    error = velocity - data.qvel[joint.dof]
    joint.error, joint.center = error, joint.p * (1.0 - joint.weight) * velocity
    return joint.p * error - joint.center + joint.integral


@inlined
def compensation(data: mujoco.MjData, dof: int) -> Any:
    """Returns the effort against gravity, Coriolis and centrifugal forces on a joint.

    Excludes the share that MuJoCo compensates itself (gravcomp).
    """
    return data.qfrc_bias[dof] - data.qfrc_gravcomp[dof]


@inlined
def apply_effort(joint: np.record, data: mujoco.MjData, effort: float) -> None:
    """Clamps an effort to its limits, and applies it with the joint's actuator or directly."""
    limited = max(joint.effort_low, min(joint.effort_high, effort))
    if joint.law == DIRECT:
        data.qfrc_applied[joint.dof] = limited
    else:
        bias, gain = _terms(joint, joint.bias, data), _terms(joint, joint.gain, data)
        usable = abs(gain) > _LEAST_GAIN
        control = (limited / joint.gear - bias) / gain if usable else 0.0
        inside = _set_control(joint, data, control)
        if inside != control or not usable:  # else rounding would look like clamping
            limited = joint.gear * (gain * inside + bias)
    joint.excess = limited - effort


@inlined
def integrate(joint: np.record, timestep: float) -> None:
    """Advances the integral of the joint's PID by one step, or clears it if its gain is 0."""
    if joint.integrating == 0.0:
        joint.integral = 0.0
        return
    change = joint.integrating * joint.error if abs(joint.error) > joint.deadband else 0.0
    if joint.windup == CONDITIONAL_INTEGRATION and joint.excess * change < 0.0:
        return
    if joint.windup == BACK_CALCULATION:
        change += joint.excess / joint.tracking
    low = joint.integral_low + joint.center
    high = joint.integral_high + joint.center
    joint.integral = max(low, min(high, joint.integral + change * timestep))


@inlined
def silence(other: np.record, data: mujoco.MjData) -> None:
    """Sets the control that makes an actuator exert no force, as far as its range allows."""
    bias, gain = _terms(other, other.bias, data), _terms(other, other.gain, data)
    control = -bias / gain if abs(gain) > _LEAST_GAIN else 0.0
    _set_control(other, data, control)


@inlined
def wrapped(angle: float) -> Any:
    """Returns the same angle in the range from -pi to pi."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inlined
def _terms(joint: np.record, terms: Any, data: mujoco.MjData) -> Any:
    """Returns the value of a gain or a bias at the actuator's current length and velocity."""
    length, velocity = data.qpos[joint.qpos], data.qvel[joint.dof]
    return terms[0] + joint.gear * (terms[1] * length + terms[2] * velocity)


@inlined
def _set_control(joint: np.record, data: mujoco.MjData, control: float) -> Any:
    """Clamps a control to its range, sets it, and returns the clamped value."""
    inside = max(joint.control_low, min(joint.control_high, control))
    data.ctrl[joint.control] = inside
    return inside
