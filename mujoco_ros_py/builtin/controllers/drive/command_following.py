"""Compiled: makes joints follow their commands with any kind of actuator, or hold still.

The functions that handle one joint do not depend on the plugin or on its number of joints, and are
compiled only once. `joint` is a row of the record's field `drive` (see `drive_record`).
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ....plugins import State
from ....plugins.compiled_code import inlined, separate
from .drive_record import FOLLOWS, POSITION, VELOCITY
from .efforts import (
    apply_effort,
    compensation,
    integrate,
    position_effort,
    servo,
    silence,
    velocity_effort,
    wrapped,
)
from .holding import hold, leave
from .joint_commands import end_late_commands, forget_commands, withdraw_commands
from .reference_motion import approaching_velocity, limited_velocity

ROUNDING = 1e-9
"""A command at most this far beyond a limit counts as inside: the excess can be rounding."""


@inlined
def drive_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Computes and sets the controls of all joints; call this at the end of `control_callback`.

    This can run several times per step, for example for each stage of RK4, and also during a
    pause. Therefore only `advance_joints` changes references and integrals. `state` is the record
    that `JointDrive.new_state` created.
    """
    if data.time < state.drive_time:
        forget_commands(state, data)
    if state.stopped:
        withdraw_commands(state)
    compensates = state.drive_compensates
    to_efforts = compensates if state.drive_timed_out else 0.0
    if state.drive_adds_gravity:
        to_efforts = 1.0
    for k in range(len(state.drive)):
        position, velocity = state.position_command[k], state.velocity_command[k]
        effort = state.effort_command[k]
        drive_joint(
            state.drive[k], model, data, position, velocity, effort, compensates, to_efforts
        )
    for k in range(state.drive_others):
        silence(state.drive_other[k], data)


@inlined
def advance_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Advances references and integrals by one step; call this in `last_stage_callback`."""
    timestep = model.opt.timestep
    for k in range(len(state.drive)):
        joint = state.drive[k]
        advance_joint(joint, timestep)
        state.position_reference[k] = joint.position_reference
        state.velocity_reference[k] = joint.velocity_reference
    if state.drive_timeout > 0.0:
        end_late_commands(state, data, timestep)
    state.drive_time = data.time


@inlined
def leave_joints(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Stops driving the joints: removes applied efforts; position servos hold their joints."""
    for k in range(len(state.drive)):
        leave(state.drive[k], model, data, state.drive_compensates)


@separate
def drive_joint(
    joint: np.record,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    position: float,
    velocity: float,
    effort: float,
    compensates: float,
    to_efforts: float,
) -> None:
    """Computes and sets the control of one joint from its commands; NaN means no command.

    `compensates` is the share (0 to 1) of gravity and inertial forces that is added to the output
    of the PID; `to_efforts` is the share that is added to effort commands.
    """
    if joint.interface == POSITION and math.isfinite(position):
        velocity, effort = _or_zero(velocity), _or_zero(effort)
        _follow_position(joint, model, data, position, velocity, effort, compensates)
    elif joint.interface == VELOCITY and math.isfinite(velocity):
        _follow_velocity(joint, model, data, velocity, _or_zero(effort), compensates)
    elif joint.interface > VELOCITY and math.isfinite(effort):
        _follow_effort(joint, data, effort, to_efforts)
    else:
        hold(joint, model, data, compensates)


@separate
def advance_joint(joint: np.record, timestep: float) -> None:
    """Advances the reference and the integral of one joint by one step."""
    joint.position_reference = joint.next_position
    joint.velocity_reference = joint.next_velocity
    integrate(joint, timestep)


@inlined
def _follow_position(
    joint: np.record,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    position: float,
    velocity: float,
    effort: float,
    compensates: float,
) -> None:
    """Moves the joint to a position, with a velocity and an effort as feedforward."""
    joint.held = FOLLOWS
    before = joint.position_reference
    if joint.wraps:
        position = before + wrapped(position - before)
    inside = _within(joint, position, joint.position_low, joint.position_high)
    if (position - inside) * velocity > 0.0:
        velocity = effort = 0.0  # the joint stops at the limit
    position = inside
    if joint.ramps:
        velocity = _ramped(joint, position, velocity, model.opt.timestep)
        position = before + velocity * model.opt.timestep
        position = min(max(joint.position_high, before), position)  # rounding can exceed limits
        position = max(min(joint.position_low, before), position)
    joint.next_position, joint.next_velocity = position, velocity
    # not needed with `feeds`: the PID then tracks the last reference, and no joint leads it
    if joint.servoes_position or not joint.feeds:
        velocity = _in_range(joint, position, velocity, model.opt.timestep)
        if not joint.ramps:
            joint.next_velocity = velocity
    if joint.servoes_position:
        servo(joint, model, data, position, velocity, effort, False)
    else:
        joint.integrating = joint.i
        effort += _fed_forward(joint, velocity, model.opt.timestep)
        if joint.feeds:  # the feedforward alone moves the joint to the next reference
            position, velocity = before, joint.velocity_reference
        effort += position_effort(joint, data, position, velocity, joint.p, joint.d)
        apply_effort(joint, data, effort + compensates * compensation(data, joint.dof))


@inlined
def _follow_velocity(
    joint: np.record,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    velocity: float,
    effort: float,
    compensates: float,
) -> None:
    """Moves the joint at a velocity, and stops it at the end of its range."""
    joint.held = FOLLOWS
    position = data.qpos[joint.qpos]
    velocity = _within(joint, velocity, -joint.max_velocity, joint.max_velocity)
    velocity = _before_the_end(joint, position, velocity, model.opt.timestep)
    joint.next_position, joint.next_velocity = position, velocity
    if joint.servoes_velocity:
        servo(joint, model, data, position, velocity, effort, True)
    else:
        joint.integrating = joint.i
        effort += _fed_forward(joint, velocity, model.opt.timestep)
        if joint.feeds:
            velocity = joint.velocity_reference
        effort += velocity_effort(joint, data, velocity)
        apply_effort(joint, data, effort + compensates * compensation(data, joint.dof))


@inlined
def _follow_effort(
    joint: np.record, data: mujoco.MjData, effort: float, compensates: float
) -> None:
    """Applies an effort, unless the effort accelerates the joint beyond `max_velocity`."""
    joint.held, joint.integrating = FOLLOWS, 0.0
    velocity = data.qvel[joint.dof]
    joint.next_position, joint.next_velocity = data.qpos[joint.qpos], velocity
    effort = _within(joint, effort, joint.effort_low, joint.effort_high)
    if abs(velocity) > joint.max_velocity and effort * velocity > 0.0:
        effort = 0.0
    apply_effort(joint, data, effort + compensates * compensation(data, joint.dof))


@inlined
def _fed_forward(joint: np.record, velocity: float, timestep: float) -> Any:
    """Returns the feedforward effort for a velocity and for the acceleration to that velocity."""
    effort = joint.ff * velocity
    if joint.feeds:
        change = joint.next_velocity - joint.velocity_reference
        effort += joint.inertia * change / timestep
    return effort


@inlined
def _ramped(joint: np.record, position: float, velocity: float, timestep: float) -> Any:
    """Returns the velocity, within the limits, that brings the reference to a position.

    `velocity` is the velocity of the commanded motion at this position.
    """
    before, largest = joint.position_reference, joint.max_velocity
    velocity = max(-largest, min(largest, velocity))
    wanted = approaching_velocity(position - before, velocity, joint.max_acceleration, timestep)
    return limited_velocity(
        wanted,
        joint.velocity_reference,
        joint.position_high - before,
        before - joint.position_low,
        largest,
        joint.max_acceleration,
        timestep,
    )


@inlined
def _in_range(joint: np.record, position: float, velocity: float, timestep: float) -> Any:
    """Returns a reference velocity that decreases to 0 as the position approaches a limit.

    Stiffness and damping pull a joint to a point that leads the reference position by the velocity
    times damping / stiffness. The returned velocity keeps this point within the range. A joint
    that does not overshoot then stays within the range too, even if the reference position does
    not move.
    """
    stiffness, damping = joint.p, joint.d + joint.ff
    if joint.servoes_position:
        stiffness, damping = -joint.bias[1], -joint.bias[2]
    lead = damping / stiffness if stiffness != 0.0 else 1.0 / joint.approach
    lead = max(lead, timestep)
    above = max(joint.position_high - position, 0.0)
    below = max(position - joint.position_low, 0.0)
    return max(-below / lead, min(above / lead, velocity))


@inlined
def _before_the_end(joint: np.record, position: float, velocity: float, timestep: float) -> Any:
    """Returns the velocity nearest to `velocity` at which the joint can stop in its range."""
    above = max(joint.position_high - position, 0.0)
    below = max(position - joint.position_low, 0.0)
    velocity = max(-joint.approach * below, min(joint.approach * above, velocity))
    if math.isinf(joint.max_acceleration):
        return velocity
    return limited_velocity(
        velocity,
        joint.velocity_reference,
        above,
        below,
        math.inf,
        joint.max_acceleration,
        timestep,
    )


@inlined
def _within(joint: np.record, value: float, low: float, high: float) -> Any:
    """Clamps a value to a range, and counts each new command outside the range."""
    inside = max(low, min(high, value))
    if abs(value - inside) > ROUNDING and joint.clamped != value:
        joint.clamped = value
        joint.clamps += 1
    return inside


@inlined
def _or_zero(value: float) -> Any:
    """Returns the value, or 0 if it is not finite (no feedforward command)."""
    return value if math.isfinite(value) else 0.0
