"""Compiled: the commands of driven joints, as they come, are refused, and are forgotten."""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined
from .motion_limits import stopping_distance

POSITION, VELOCITY, EFFORT = 0, 1, 2
"""The kinds of commands, as they are in the record."""
NEVER = -1.0
"""The time of the last command before there is one."""


@inlined
def take_commands(state: Any, data: Any, values: Any) -> Any:
    """Takes an array with a command for each joint, or refuses it as a whole.

    Returns whether it was taken: the values must be finite, and as many as there are joints. While
    an emergency stop holds the joints, it is dropped.
    """
    count = len(state.position_command)
    finite = len(values) == count
    for joint in range(count):
        finite = finite and math.isfinite(values[joint])
    if not finite:
        state.drive_refused_length = len(values)
        state.drive_refusals += 1
        return False
    if state.stopped:
        return False
    for joint in range(count):
        set_command(state, joint, values[joint])
    note_command(state, data)
    return True


@inlined
def set_command(state: Any, joint: int, value: float) -> None:
    """Sets the command of a joint, which is of the kind of its interface."""
    kind = state.drive_interface[joint]
    if kind == POSITION:
        state.position_command[joint] = value
    elif kind == VELOCITY:
        state.velocity_command[joint] = value
    else:
        state.effort_command[joint] = value


@inlined
def note_command(state: Any, data: Any) -> None:
    """Notes that a command has come now, from which `command_timeout` counts."""
    state.drive_command_time = data.time
    state.drive_timed_out = False


@inlined
def withdraw_commands(state: Any) -> None:
    """Forgets all commands: each joint holds the position in which it is then."""
    for joint in range(len(state.position_command)):
        withdraw_command(state, joint)


@inlined
def withdraw_command(state: Any, joint: int) -> None:
    """Forgets the command of one joint, which holds the position in which it is then."""
    state.position_command[joint] = math.nan
    state.velocity_command[joint] = math.nan
    state.effort_command[joint] = math.nan


@inlined
def forget_commands(state: Any, data: Any) -> None:
    """Forgets all that was before, at a reset for example; the joints hold where they are."""
    withdraw_commands(state)
    for joint in range(len(state.position_command)):
        position = data.qpos[state.qpos_address[joint]]
        state.position_reference[joint] = state.drive_next_position[joint] = position
        state.velocity_reference[joint] = state.drive_next_velocity[joint] = 0.0
        state.drive_held[joint] = 1
        state.drive_hold[joint] = position
        state.drive_integral[joint] = state.drive_excess[joint] = 0.0
        state.drive_told[joint] = math.nan
    state.drive_time = data.time
    state.drive_command_time = NEVER
    state.drive_timed_out = False


@inlined
def end_late_commands(state: Any, data: Any, timestep: float) -> None:
    """Ends commands after which none has come for too long; the last ones count until then."""
    late = data.time - state.drive_command_time > state.drive_timeout
    if state.drive_timed_out or state.drive_command_time == NEVER or not late:
        return
    state.drive_timed_out = True
    state.drive_timeouts += 1
    for joint in range(len(state.position_command)):
        kind = state.drive_interface[joint]
        if kind == POSITION:
            ahead = stopping_distance(
                state.velocity_reference[joint], state.drive_max_acceleration[joint], timestep
            )
            withdraw_command(state, joint)
            state.position_command[joint] = state.position_reference[joint] + ahead
        else:
            withdraw_command(state, joint)
            set_command(state, joint, 0.0)


@inlined
def within(state: Any, joint: int, value: float, low: float, high: float) -> Any:
    """Returns the nearest value in a range; a command that was outside is counted once."""
    inside = max(low, min(high, value))
    if inside != value and state.drive_told[joint] != value:
        state.drive_told[joint] = value
        state.drive_clamped_joint = joint
        state.drive_clamped_value = value
        state.drive_clamps += 1
    return inside
