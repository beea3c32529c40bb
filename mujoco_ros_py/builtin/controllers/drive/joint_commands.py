"""Compiled: sets, refuses, withdraws and times out the commands of driven joints."""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from .drive_record import NEVER, POSITION, STARTS, VELOCITY
from .reference_motion import stopping_distance


@inlined
def take_commands(state: State, data: mujoco.MjData, values: Any) -> Any:
    """Sets the commands of all joints, or refuses the array as a whole.

    Returns whether the commands were set. Refuses an array with a wrong length or with values that
    are not finite, and drops any array during an emergency stop.
    """
    count = len(state.drive)
    if not are_finite(values, count):
        state.drive_refused_length = len(values)
        state.drive_refusals += 1
        return False
    if state.stopped:
        return False
    for k in range(count):
        set_command(state, k, values[k])
    note_command(state, data)
    return True


@inlined
def are_finite(values: Any, count: int) -> Any:
    """Returns whether the array has `count` values and all are finite."""
    finite = len(values) == count
    if finite:
        for k in range(count):
            finite = finite and math.isfinite(values[k])
    return finite


@inlined
def set_command(state: State, k: int, value: float) -> None:
    """Sets the command of joint number k, of the kind that the joint's interface determines."""
    set_command_of(state, state.drive[k].interface, k, value)


@inlined
def set_command_of(state: State, kind: int, k: int, value: float) -> None:
    """Sets the position, velocity or effort command of joint number k."""
    if kind == POSITION:
        state.position_command[k] = value
    elif kind == VELOCITY:
        state.velocity_command[k] = value
    else:
        state.effort_command[k] = value


@inlined
def note_command(state: State, data: mujoco.MjData) -> None:
    """Restarts the countdown of `command_timeout`; call this when a command has arrived."""
    state.drive_command_time = data.time
    state.drive_timed_out = False


@inlined
def withdraw_commands(state: State) -> None:
    """Discards all commands: in the next step, each joint begins to hold its position."""
    for k in range(len(state.drive)):
        withdraw_command(state, k)


@inlined
def withdraw_command(state: State, k: int) -> None:
    """Discards the commands of joint number k; the joint then begins to hold its position."""
    state.position_command[k] = math.nan
    state.velocity_command[k] = math.nan
    state.effort_command[k] = math.nan


@inlined
def forget_commands(state: State, data: mujoco.MjData) -> None:
    """Discards all commands and the state of the PIDs, for example at a reset.

    The joints then hold their positions.
    """
    for k in range(len(state.drive)):
        withdraw_command(state, k)
        joint = state.drive[k]
        position = data.qpos[joint.qpos]
        state.position_reference[k], state.velocity_reference[k] = position, 0.0
        joint.position_reference, joint.velocity_reference = position, 0.0
        joint.next_position, joint.next_velocity = position, 0.0
        joint.held = STARTS
        joint.integral, joint.excess, joint.clamped = 0.0, 0.0, math.nan
    state.drive_time, state.drive_command_time = data.time, NEVER
    state.drive_timed_out = False


@inlined
def end_late_commands(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Ends the commands if the last command is older than `command_timeout`.

    Joints with position commands brake within their acceleration limits; all other commands become
    0.
    """
    waited = data.time - state.drive_command_time
    never = state.drive_command_time == NEVER
    if state.drive_timed_out or never or waited <= state.drive_timeout:
        return
    state.drive_timed_out = True
    state.drive_timeouts += 1
    for k in range(len(state.drive)):
        joint, last = state.drive[k], 0.0
        if joint.interface == POSITION:
            speed = joint.velocity_reference
            last = stopping_distance(speed, joint.max_acceleration, timestep)
            last += joint.position_reference
        withdraw_command(state, k)
        set_command(state, k, last)
