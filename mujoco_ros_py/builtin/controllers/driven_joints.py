"""Compiled: joints follow their commands by whatever actuators they have, or hold still.

All functions work on the record that `JointDrive.new_state` makes.
"""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined
from .drive_commands import (
    EFFORT,
    POSITION,
    VELOCITY,
    end_late_commands,
    forget_commands,
    withdraw_commands,
    within,
)
from .drive_efforts import (
    VELOCITY_SERVO,
    apply_effort,
    compensation,
    integrate,
    position_effort,
    servo_position,
    servo_velocity,
    silence,
    velocity_effort,
    wrapped,
)
from .motion_limits import approaching_velocity, limited_velocity


@inlined
def drive_joints(state: Any, model: Any, data: Any) -> None:
    """Sets the controls of all joints by their commands; call it at the end of `control_callback`.

    It may be called any number of times in a step, as in the stages of RK4 and in a pause: only
    `advance_joints` goes on to the next step.
    """
    if data.time < state.drive_time:
        forget_commands(state, data)
    if state.stopped:
        withdraw_commands(state)
    for joint in range(len(state.position_command)):
        kind = state.drive_interface[joint]
        if kind == POSITION and math.isfinite(state.position_command[joint]):
            _follow_position(state, model, data, joint)
        elif kind == VELOCITY and math.isfinite(state.velocity_command[joint]):
            _follow_velocity(state, model, data, joint)
        elif kind == EFFORT and math.isfinite(state.effort_command[joint]):
            _follow_effort(state, data, joint)
        else:
            _hold(state, model, data, joint)
    silence(state, data)


@inlined
def advance_joints(state: Any, model: Any, data: Any) -> None:
    """Advances references and integrals by a step; call it in `last_stage_callback`."""
    timestep = model.opt.timestep
    for joint in range(len(state.position_command)):
        state.position_reference[joint] = state.drive_next_position[joint]
        state.velocity_reference[joint] = state.drive_next_velocity[joint]
        integrate(state, joint, timestep)
    if state.drive_timeout > 0.0:
        end_late_commands(state, data, timestep)
    state.drive_time = data.time


@inlined
def _hold(state: Any, model: Any, data: Any, joint: int) -> None:
    """Holds the joint at the position in which it was found without a command."""
    if not state.drive_held[joint]:
        state.drive_held[joint] = 1
        state.drive_hold[joint] = data.qpos[state.qpos_address[joint]]
    position = state.drive_hold[joint]
    _go_to(state, joint, position, 0.0)
    if state.drive_servoes_position[joint]:
        servo_position(state, model, data, joint, position, 0.0, 0.0)
    elif state.drive_law[joint] == VELOCITY_SERVO:
        servo_velocity(state, data, joint, 0.0, 0.0)
    else:
        p, d = state.drive_hold_p[joint], state.drive_hold_d[joint]
        state.drive_integrating[joint] = state.drive_hold_i[joint]
        effort = position_effort(state, data, joint, position, 0.0, p, d)
        apply_effort(state, data, joint, effort)


@inlined
def _follow_position(state: Any, model: Any, data: Any, joint: int) -> None:
    """Moves the joint to its position command, with the velocity and the effort that go along."""
    state.drive_held[joint] = 0
    before, position = state.position_reference[joint], state.position_command[joint]
    if state.drive_wraps[joint]:
        position = before + wrapped(position - before)
    low, high = state.drive_position_range[joint, 0], state.drive_position_range[joint, 1]
    position = within(state, joint, position, low, high)
    velocity = _or_zero(state.velocity_command[joint])
    if state.drive_ramps[joint]:
        velocity = _ramped(state, joint, position, velocity, model.opt.timestep)
        moved = before + velocity * model.opt.timestep
        position = max(min(low, before), min(max(high, before), moved))  # rounding aside
    _go_to(state, joint, position, velocity)
    effort = _or_zero(state.effort_command[joint])
    if state.drive_servoes_position[joint]:
        servo_position(state, model, data, joint, position, velocity, effort)
    else:
        p, d = state.drive_p[joint], state.drive_d[joint]
        state.drive_integrating[joint] = state.drive_i[joint]
        effort += position_effort(state, data, joint, position, velocity, p, d)
        apply_effort(state, data, joint, effort + state.drive_ff[joint] * velocity)


@inlined
def _follow_velocity(state: Any, model: Any, data: Any, joint: int) -> None:
    """Moves the joint with its velocity command, and stops it before the end of its range."""
    state.drive_held[joint] = 0
    largest = state.drive_max_velocity[joint]
    velocity = within(state, joint, state.velocity_command[joint], -largest, largest)
    position = data.qpos[state.qpos_address[joint]]
    velocity = _before_the_end(state, joint, position, velocity, model.opt.timestep)
    _go_to(state, joint, position, velocity)
    effort = _or_zero(state.effort_command[joint])
    if state.drive_servoes_velocity[joint]:
        servo_velocity(state, data, joint, velocity, effort)
    else:
        state.drive_integrating[joint] = state.drive_i[joint]
        effort += velocity_effort(state, data, joint, velocity, state.drive_p[joint])
        apply_effort(state, data, joint, effort + state.drive_ff[joint] * velocity)


@inlined
def _follow_effort(state: Any, data: Any, joint: int) -> None:
    """Applies the effort command to the joint."""
    state.drive_held[joint] = 0
    dof = state.dof_address[joint]
    _go_to(state, joint, data.qpos[state.qpos_address[joint]], data.qvel[dof])
    low, high = state.drive_effort_low[joint], state.drive_effort_high[joint]
    effort = within(state, joint, state.effort_command[joint], low, high)
    if state.drive_adds_gravity or (state.drive_timed_out and state.drive_compensates != 0.0):
        effort += compensation(data, dof)
    state.drive_integrating[joint] = 0.0
    apply_effort(state, data, joint, effort)


@inlined
def _go_to(state: Any, joint: int, position: float, velocity: float) -> None:
    """Sets the reference that counts from the end of this step on."""
    state.drive_next_position[joint] = position
    state.drive_next_velocity[joint] = velocity


@inlined
def _ramped(
    state: Any, joint: int, position: float, velocity: float, timestep: float
) -> Any:
    """Returns the velocity within the limits that brings the reference to a position."""
    before, largest = state.position_reference[joint], state.drive_max_velocity[joint]
    acceleration = state.drive_max_acceleration[joint]
    velocity = max(-largest, min(largest, velocity))
    wanted = approaching_velocity(position - before, velocity, acceleration, timestep)
    return limited_velocity(
        wanted,
        state.velocity_reference[joint],
        state.drive_position_range[joint, 1] - before,
        before - state.drive_position_range[joint, 0],
        largest,
        acceleration,
        timestep,
    )


@inlined
def _before_the_end(
    state: Any, joint: int, position: float, velocity: float, timestep: float
) -> Any:
    """Returns the velocity within the limits that lets the joint come to rest in its range."""
    above = max(state.drive_position_range[joint, 1] - position, 0.0)
    below = max(position - state.drive_position_range[joint, 0], 0.0)
    rate, acceleration = state.drive_approach[joint], state.drive_max_acceleration[joint]
    velocity = max(-rate * below, min(rate * above, velocity))
    if math.isinf(acceleration):
        return velocity
    return limited_velocity(
        velocity, state.velocity_reference[joint], above, below, math.inf, acceleration, timestep
    )


@inlined
def _or_zero(value: float) -> Any:
    """Returns 0 in place of what is not finite: a command that does not go along."""
    return value if math.isfinite(value) else 0.0
