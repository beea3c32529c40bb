"""Compiled: joints follow their commands by whatever actuators they have, or hold still."""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined
from .drive_commands import end_late_commands, forget_commands, withdraw_commands, within
from .drive_efforts import (
    VELOCITY_SERVO,
    apply_effort,
    compensation,
    integrate,
    position_effort,
    servo,
    silence,
    velocity_effort,
    wrapped,
)
from .drive_record import POSITION, VELOCITY
from .motion_limits import approaching_velocity, limited_velocity


@inlined
def drive_joints(state: Any, model: Any, data: Any) -> None:
    """Sets the controls of all joints by their commands; call it at the end of `control_callback`.

    It may be called any number of times in a step, as in the stages of RK4 and in a pause: only
    `advance_joints` goes on to the next step. `state` is the record of `JointDrive.new_state`.
    """
    if data.time < state.drive_time:
        forget_commands(state, data)
    if state.stopped:
        withdraw_commands(state)
    for k in range(len(state.drive)):
        kind = state.drive[k].interface
        if kind == POSITION and math.isfinite(state.position_command[k]):
            _follow_position(state, model, data, k)
        elif kind == VELOCITY and math.isfinite(state.velocity_command[k]):
            _follow_velocity(state, model, data, k)
        elif kind > VELOCITY and math.isfinite(state.effort_command[k]):
            _follow_effort(state, data, k)
        else:
            _hold(state, model, data, k)
    for k in range(state.drive_others):
        silence(state.drive_other[k], data)


@inlined
def advance_joints(state: Any, model: Any, data: Any) -> None:
    """Advances references and integrals by a step; call it in `last_stage_callback`."""
    timestep = model.opt.timestep
    for k in range(len(state.drive)):
        joint = state.drive[k]
        state.position_reference[k] = joint.next_position
        state.velocity_reference[k] = joint.next_velocity
        integrate(joint, timestep)
    if state.drive_timeout > 0.0:
        end_late_commands(state, data, timestep)
    state.drive_time = data.time


@inlined
def _hold(state: Any, model: Any, data: Any, k: int) -> None:
    """Holds the joint at the position in which it was found without a command."""
    joint = state.drive[k]
    if not joint.held:
        joint.held, joint.hold = 1, data.qpos[joint.qpos]
    position = joint.hold
    joint.next_position, joint.next_velocity = position, 0.0
    if joint.servoes_position or joint.law == VELOCITY_SERVO:
        servo(joint, model, data, position, 0.0, 0.0, False)
    else:
        joint.integrating = joint.hold_i
        effort = position_effort(joint, data, position, 0.0, joint.hold_p, joint.hold_d)
        apply_effort(joint, data, effort + state.drive_compensates * compensation(data, joint.dof))


@inlined
def _follow_position(state: Any, model: Any, data: Any, k: int) -> None:
    """Moves the joint to its position command, with the velocity and the effort that go along."""
    joint = state.drive[k]
    joint.held = 0
    before, position = state.position_reference[k], state.position_command[k]
    if joint.wraps:
        position = before + wrapped(position - before)
    position = within(state, k, position, joint.position_low, joint.position_high)
    velocity = _or_zero(state.velocity_command[k])
    if joint.ramps:
        velocity = _ramped(state, k, position, velocity, model.opt.timestep)
        position = before + velocity * model.opt.timestep
        position = min(max(joint.position_high, before), position)  # rounding aside
        position = max(min(joint.position_low, before), position)
    joint.next_position, joint.next_velocity = position, velocity
    effort = _or_zero(state.effort_command[k])
    if joint.servoes_position:
        servo(joint, model, data, position, velocity, effort, False)
    else:
        joint.integrating = joint.i
        effort += position_effort(joint, data, position, velocity, joint.p, joint.d)
        effort += state.drive_compensates * compensation(data, joint.dof)
        apply_effort(joint, data, effort + joint.ff * velocity)


@inlined
def _follow_velocity(state: Any, model: Any, data: Any, k: int) -> None:
    """Moves the joint with its velocity command, and stops it before the end of its range."""
    joint = state.drive[k]
    joint.held = 0
    largest = joint.max_velocity
    velocity = within(state, k, state.velocity_command[k], -largest, largest)
    position = data.qpos[joint.qpos]
    velocity = _before_the_end(state, k, position, velocity, model.opt.timestep)
    joint.next_position, joint.next_velocity = position, velocity
    effort = _or_zero(state.effort_command[k])
    if joint.servoes_velocity:
        servo(joint, model, data, position, velocity, effort, True)
    else:
        joint.integrating = joint.i
        effort += velocity_effort(joint, data, velocity)
        effort += state.drive_compensates * compensation(data, joint.dof)
        apply_effort(joint, data, effort + joint.ff * velocity)


@inlined
def _follow_effort(state: Any, data: Any, k: int) -> None:
    """Applies the effort command to the joint."""
    joint = state.drive[k]
    joint.held, joint.integrating = 0, 0.0
    joint.next_position, joint.next_velocity = data.qpos[joint.qpos], data.qvel[joint.dof]
    effort = within(state, k, state.effort_command[k], joint.effort_low, joint.effort_high)
    if state.drive_adds_gravity or (state.drive_timed_out and state.drive_compensates != 0.0):
        effort += compensation(data, joint.dof)
    apply_effort(joint, data, effort)


@inlined
def _ramped(state: Any, k: int, position: float, velocity: float, timestep: float) -> Any:
    """Returns the velocity within the limits that brings the reference to a position."""
    joint, before = state.drive[k], state.position_reference[k]
    largest, acceleration = joint.max_velocity, joint.max_acceleration
    velocity = max(-largest, min(largest, velocity))
    wanted = approaching_velocity(position - before, velocity, acceleration, timestep)
    above, below = joint.position_high - before, before - joint.position_low
    return limited_velocity(
        wanted, state.velocity_reference[k], above, below, largest, acceleration, timestep
    )


@inlined
def _before_the_end(state: Any, k: int, position: float, velocity: float, timestep: float) -> Any:
    """Returns the velocity within the limits that lets the joint come to rest in its range."""
    joint = state.drive[k]
    above = max(joint.position_high - position, 0.0)
    below = max(position - joint.position_low, 0.0)
    velocity = max(-joint.approach * below, min(joint.approach * above, velocity))
    if math.isinf(joint.max_acceleration):
        return velocity
    before, acceleration = state.velocity_reference[k], joint.max_acceleration
    return limited_velocity(velocity, before, above, below, math.inf, acceleration, timestep)


@inlined
def _or_zero(value: float) -> Any:
    """Returns 0 in place of what is not finite: a command that does not go along."""
    return value if math.isfinite(value) else 0.0
