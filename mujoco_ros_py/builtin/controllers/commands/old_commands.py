"""Compiled: after a reset, ignores commands that repeat the last command before the reset.

`state` is a record with the fields of `old_command_fields`. Each joint or control has an entry in
`old` and a row in `last_commands`, with a column for each kind of command. If commands name their
joints, the record also has the fields of `name_fields`.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.command_following import drive_joints
from ..drive.joint_commands import note_command, set_command, take_commands
from .joint_names import NAMED_TWICE, NO_FAULT, find_joints

NEW, OLD, UNHEARD = range(3)
"""The values of `old`: the last command was accepted after the reset; the last command was
accepted before the reset; or no command has arrived yet, and the first command may be old."""
WRONG_COUNT, NOT_FINITE = range(NAMED_TWICE + 1, NAMED_TWICE + 3)
"""The possible faults of a message's positions, as indices into `state.faults`."""


@inlined
def expect_old(state: State) -> None:
    """Marks the last commands as old, so their repetitions are ignored; call after a reset."""
    state.old_said = False
    for k in range(len(state.old)):
        if state.ignores_old and state.old[k] == NEW:
            state.old[k] = OLD


@inlined
def is_old(state: State, k: int, value: float) -> Any:
    """Returns whether a command repeats the old command of joint or control number k."""
    return state.old[k] == OLD and state.last_commands[k, 0] == value


@inlined
def count_old(state: State) -> None:
    """Counts the first ignored command after each reset, for the log."""
    state.old_count += not state.old_said
    state.old_said = True


@inlined
def note_new(state: State, k: int, value: float) -> None:
    """Records an accepted command for joint or control number k."""
    state.last_commands[k, 0] = value
    state.old[k] = NEW


@inlined
def repeats_old(state: State, values: Any) -> Any:
    """Returns whether an array of all commands repeats the last array before a reset.

    Counts a repetition for the log.
    """
    if len(values) != len(state.old):
        return False
    for k in range(len(values)):
        if not is_old(state, k, values[k]):
            return False
    count_old(state)
    return True


@inlined
def take_new_commands(state: State, data: mujoco.MjData, values: Any) -> None:
    """Calls `take_commands` with an array, unless it repeats the last array before a reset."""
    if not repeats_old(state, values) and take_commands(state, data, values):
        for k in range(len(values)):
            note_new(state, k, values[k])


@inlined
def follow_set_points(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Calls `drive_joints`; calls `expect_old` first if time has jumped back."""
    if data.time < state.drive_time:
        expect_old(state)
    drive_joints(state, model, data)


@inlined
def take_targets(state: State, data: mujoco.MjData, message: Any) -> None:
    """Sets the targets from a sensor_msgs/JointState, or refuses it as a whole.

    Joints that are not named keep their targets. Drops the targets during an emergency stop, and
    after a reset if all targets repeat the last targets before the reset.
    """
    fault = find_joints(state, message.name)
    if fault == NO_FAULT:
        fault = _fault_of(state, message.position)
    if fault != NO_FAULT:
        state.faults[fault] += 1
    elif _targets_repeat_old(state, message.position):
        count_old(state)
    elif not state.stopped:
        for place in range(state.named):
            set_command(state, state.joint_order[place], message.position[place])
            note_new(state, state.joint_order[place], message.position[place])
        note_command(state, data)


@inlined
def _targets_repeat_old(state: State, positions: Any) -> Any:
    """Returns whether all named joints get the same targets as before the reset."""
    for place in range(state.named):
        if not is_old(state, state.joint_order[place], positions[place]):
            return False
    return state.named > 0


@inlined
def _fault_of(state: State, positions: Any) -> Any:
    """Returns the fault of a message's positions, or NO_FAULT.

    The message must have one finite position per name.
    """
    if len(positions) != state.named:
        state.wrong_count, state.wrong_named = len(positions), state.named
        return WRONG_COUNT
    for place in range(state.named):
        if not math.isfinite(positions[place]):
            return NOT_FINITE
    return NO_FAULT
