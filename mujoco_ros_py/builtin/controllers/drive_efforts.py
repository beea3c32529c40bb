"""Compiled: what joints are asked for becomes controls of actuators, or efforts on the joints."""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined
from .actuator_laws import Law

DIRECT, AFFINE, POSITION_SERVO = int(Law.DIRECT), int(Law.AFFINE), int(Law.POSITION_SERVO)
VELOCITY_SERVO, INTEGRATOR = int(Law.VELOCITY_SERVO), int(Law.INTEGRATOR)
NO_WINDUP_GUARD, BACK_CALCULATION, CONDITIONAL_INTEGRATION = 0, 1, 2
"""The strategies against the windup of integrals."""
_LEAST_GAIN = 1e-9


@inlined
def servo_position(
    state: Any, model: Any, data: Any, joint: int, position: float, velocity: float, effort: float
) -> None:
    """Has the joint's own servo move it to a position, with a velocity and an added effort."""
    state.drive_integrating[joint] = 0.0
    law, gear, gain = state.drive_law[joint], state.drive_gear[joint], state.drive_gain[joint, 0]
    bias, stiffness = state.drive_bias[joint, 0], -state.drive_bias[joint, 1]
    target = (stiffness * gear * position - bias) / gain
    if law == AFFINE:
        damping = -state.drive_bias[joint, 2]
        target += (damping * gear * velocity + effort / gear) / gain
        _servo(state, data, joint, target)
    elif law == INTEGRATOR:
        activation = data.act[state.drive_activation[joint]]
        _set_control(state, data, joint, (target - activation) / model.opt.timestep)
    else:
        _set_control(state, data, joint, target)


@inlined
def servo_velocity(state: Any, data: Any, joint: int, velocity: float, effort: float) -> None:
    """Has the joint's own servo move it with a velocity and an added effort."""
    state.drive_integrating[joint] = 0.0
    law, gear, gain = state.drive_law[joint], state.drive_gear[joint], state.drive_gain[joint, 0]
    bias, damping = state.drive_bias[joint, 0], -state.drive_bias[joint, 2]
    if law == AFFINE:
        _servo(state, data, joint, (damping * gear * velocity + effort / gear - bias) / gain)
    elif law == INTEGRATOR:  # a step of the activation moves the servo by gain / stiffness
        _set_control(state, data, joint, -state.drive_bias[joint, 1] * gear * velocity / gain)
    else:
        _set_control(state, data, joint, (damping * gear * velocity - bias) / gain)


@inlined
def position_effort(
    state: Any, data: Any, joint: int, position: float, velocity: float, p: float, d: float
) -> Any:
    """Returns the effort of a PID that moves the joint to a position with a velocity."""
    dof = state.dof_address[joint]
    error = position - data.qpos[state.qpos_address[joint]]
    if state.drive_wraps[joint]:
        error = wrapped(error)
    state.drive_error[joint], state.drive_center[joint] = error, 0.0
    effort = p * error + d * (velocity - data.qvel[dof]) + state.drive_integral[joint]
    return effort + state.drive_compensates * compensation(data, dof)


@inlined
def velocity_effort(state: Any, data: Any, joint: int, velocity: float, p: float) -> Any:
    """Returns the effort of a PI controller that moves the joint with a velocity.

    The share of the velocity that the proportional part leaves out is that of the integral.
    """
    dof = state.dof_address[joint]
    error = velocity - data.qvel[dof]
    center = p * (1.0 - state.drive_weight[joint]) * velocity
    state.drive_error[joint], state.drive_center[joint] = error, center
    effort = p * error - center + state.drive_integral[joint]
    return effort + state.drive_compensates * compensation(data, dof)


@inlined
def compensation(data: Any, dof: int) -> Any:
    """Returns the effort that keeps gravity and inertial forces from accelerating a joint.

    Without what MuJoCo compensates by itself, which it does after `qfrc_bias`.
    """
    return data.qfrc_bias[dof] - data.qfrc_gravcomp[dof]


@inlined
def apply_effort(state: Any, data: Any, joint: int, effort: float) -> None:
    """Applies an effort within its limits, by the joint's actuator or directly."""
    limited = max(state.drive_effort_low[joint], min(state.drive_effort_high[joint], effort))
    if state.drive_law[joint] == DIRECT:
        data.qfrc_applied[state.dof_address[joint]] = limited
    else:
        gear = state.drive_gear[joint]
        bias, gain = _bias(state, data, joint), _gain(state, data, joint)
        if abs(gain) < _LEAST_GAIN:
            control = _set_control(state, data, joint, 0.0)
        else:
            control = _set_control(state, data, joint, (limited / gear - bias) / gain)
        limited = gear * (gain * control + bias)
    state.drive_excess[joint] = limited - effort


@inlined
def integrate(state: Any, joint: int, timestep: float) -> None:
    """Advances the integral of the joint's PID by a step; without such a gain it is 0."""
    gain = state.drive_integrating[joint]
    if gain == 0.0:
        state.drive_integral[joint] = 0.0
        return
    error, excess = state.drive_error[joint], state.drive_excess[joint]
    change = gain * error if abs(error) > state.drive_deadband[joint] else 0.0
    strategy = state.drive_windup[joint]
    if strategy == CONDITIONAL_INTEGRATION and excess * change < 0.0:
        return
    if strategy == BACK_CALCULATION:
        change += excess / state.drive_tracking[joint]
    integral = state.drive_integral[joint] + change * timestep
    low = state.drive_integral_range[joint, 0] + state.drive_center[joint]
    high = state.drive_integral_range[joint, 1] + state.drive_center[joint]
    state.drive_integral[joint] = max(low, min(high, integral))


@inlined
def silence(state: Any, data: Any) -> None:
    """Keeps the joints' other actuators from having an effect, as far as their ranges permit."""
    for other in range(state.drive_others):
        position = data.qpos[state.drive_other_qpos[other]]
        velocity = data.qvel[state.drive_other_dof[other]]
        gear, terms = state.drive_other_gear[other], state.drive_other_terms
        bias = terms[other, 0] + gear * (terms[other, 1] * position + terms[other, 2] * velocity)
        gain = terms[other, 3] + gear * (terms[other, 4] * position + terms[other, 5] * velocity)
        control = -bias / gain if abs(gain) > _LEAST_GAIN else 0.0
        low, high = state.drive_other_range[other, 0], state.drive_other_range[other, 1]
        data.ctrl[state.drive_other_control[other]] = max(low, min(high, control))


@inlined
def wrapped(angle: float) -> Any:
    """Returns the angle between -pi and pi that points the same way."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inlined
def _servo(state: Any, data: Any, joint: int, control: float) -> None:
    """Sets the control of an affine servo, unless its effort would exceed a configured limit."""
    if state.drive_limits_servo[joint]:
        gear, bias = state.drive_gear[joint], _bias(state, data, joint)
        effort = gear * (state.drive_gain[joint, 0] * control + bias)
        if not state.drive_effort_low[joint] <= effort <= state.drive_effort_high[joint]:
            apply_effort(state, data, joint, effort)
            return
    _set_control(state, data, joint, control)


@inlined
def _set_control(state: Any, data: Any, joint: int, control: float) -> Any:
    """Sets a control within its range, and returns what it is."""
    low, high = state.drive_control_range[joint, 0], state.drive_control_range[joint, 1]
    inside = max(low, min(high, control))
    data.ctrl[state.drive_control[joint]] = inside
    return inside


@inlined
def _gain(state: Any, data: Any, joint: int) -> Any:
    gain = state.drive_gain
    position, velocity = _moved(state, data, joint)
    return gain[joint, 0] + gain[joint, 1] * position + gain[joint, 2] * velocity


@inlined
def _bias(state: Any, data: Any, joint: int) -> Any:
    bias = state.drive_bias
    position, velocity = _moved(state, data, joint)
    return bias[joint, 0] + bias[joint, 1] * position + bias[joint, 2] * velocity


@inlined
def _moved(state: Any, data: Any, joint: int) -> Any:
    """Returns the length and the velocity of the joint's actuator."""
    gear = state.drive_gear[joint]
    position = gear * data.qpos[state.qpos_address[joint]]
    return position, gear * data.qvel[state.dof_address[joint]]
