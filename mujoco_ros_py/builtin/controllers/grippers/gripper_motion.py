"""Compiled: decides whether a gripper has reached its goal, and moves grippers by position servos.

`state` is a record with the fields of `motion_fields`. The functions that move a gripper take the
record of ActuatorGripperController. In this record, the control for a position p is `start + slope
* p`, and the force of the actuator is `gain * ctrl + bias[0] + bias[1] * length + bias[2] *
velocity`.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.command_following import ROUNDING
from ..drive.holding import rests
from ..goals.goal_record import FIRST_OF_PLUGIN, SUCCEEDED, end_goal, pursues_goal

STALLED, FORGOTTEN = FIRST_OF_PLUGIN, FIRST_OF_PLUGIN + 1
"""The reasons for failed goals of a gripper, as values of `goal_end`."""


@inlined
def judge_goal(state: State, time: float, position: float, velocity: float, effort: float) -> None:
    """Ends the goal if the gripper has reached it or has stalled; call this after each step.

    Stores time (s), position (rad or m), velocity and effort for the result.
    """
    if not pursues_goal(state):
        return
    state.time, state.position = time, position
    state.velocity, state.effort = velocity, effort
    if abs(state.target - position) < state.goal_tolerance:
        state.reached = True
        end_goal(state, SUCCEEDED)
    elif abs(velocity) > state.stall_velocity:
        state.moved_at = time
    elif time - state.moved_at > state.stall_timeout:
        state.stalled = True
        end_goal(state, SUCCEEDED if state.allow_stalling else STALLED)


@inlined
def forget_goal(state: State) -> None:
    """Ends a goal whose command was discarded because time jumped back."""
    end_goal(state, FORGOTTEN)


@inlined
def gripper_position(state: State, data: mujoco.MjData) -> Any:
    """Returns the position of the gripper, computed from the length of its actuator."""
    control = -(state.bias[0] + state.bias[1] * data.actuator_length[state.output]) / state.gain
    return (control - state.start) / state.slope


@inlined
def gripper_velocity(state: State, data: mujoco.MjData) -> Any:
    """Returns the velocity of the gripper."""
    return data.actuator_velocity[state.output] / state.length_per_position


@inlined
def gripper_effort(state: State, data: mujoco.MjData) -> Any:
    """Returns the effort of the actuator in the direction of the gripper's position."""
    return data.actuator_force[state.output] * state.length_per_position


@inlined
def drive_gripper(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Sets the control for the command; without a command, the gripper holds its position.

    Can be called several times per step. A gripper at rest keeps its force when it starts to hold,
    so it does not drop an object. A jump back in time, as in a reset, discards the command.
    """
    if data.time < state.drive_time or state.stopped:
        forget_command(state)
    if math.isnan(state.command):
        if not state.held:
            state.held = True
            state.reference = gripper_position(state, data) + _pressed(state, data, timestep)
        state.next = state.reference
    else:
        state.held = False
        far = state.max_velocity * timestep
        state.next = state.reference + max(-far, min(far, state.command - state.reference))
        if math.isinf(far):
            state.next = state.command
    control = state.start + state.slope * state.next
    inside = max(state.low, min(state.high, control))
    if abs(control - inside) > ROUNDING and state.clamped != state.command and not state.held:
        state.clamped = state.command
        state.clamps += 1
    data.ctrl[state.control] = _within_effort(state, data, inside)


@inlined
def advance_gripper(state: State, data: mujoco.MjData) -> None:
    """Advances the reference of the gripper by one step."""
    state.reference, state.drive_time = state.next, data.time
    state.speed = data.actuator_velocity[state.output]


@inlined
def forget_command(state: State) -> None:
    """Discards the command: in the next step, the gripper begins to hold its position."""
    if not math.isnan(state.command):
        state.command, state.held = math.nan, False


@inlined
def _pressed(state: State, data: mujoco.MjData, timestep: float) -> Any:
    """Returns how far the servo's target is beyond the current position of the gripper.

    Holding with this offset keeps the force of the grip. Returns 0 if the gripper is moving.
    """
    velocity = data.actuator_velocity[state.output]
    if state.bears and rests(velocity, (velocity - state.speed) / timestep):
        return data.actuator_force[state.output] / (state.gain * state.slope)
    return 0.0


@inlined
def _within_effort(state: State, data: mujoco.MjData, control: float) -> Any:
    """Returns the nearest control that keeps the actuator's effort within its limit."""
    if math.isinf(state.max_effort) or not state.limits_effort:
        return control
    length, velocity = data.actuator_length[state.output], data.actuator_velocity[state.output]
    bias = state.bias[0] + state.bias[1] * length + state.bias[2] * velocity
    largest = abs(state.max_effort / state.length_per_position)
    one, other = (-largest - bias) / state.gain, (largest - bias) / state.gain
    limited = max(min(one, other), min(max(one, other), control))
    return max(state.low, min(state.high, limited))
