"""Compiled: sets joint commands from messages of a hardware interface.

`state.hardware` has a row for each joint (see `topic_based_hardware`). The arrays of a message can
be shorter than its names: `position`, for example, needs numbers only for the joints with a
position command interface, in the order of the names.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..commands.joint_names import NAMED_TWICE, NO_FAULT, find_joints
from ..commands.old_commands import NEW, OLD, UNHEARD, count_old
from ..drive.drive_record import POSITION, VELOCITY
from ..drive.joint_commands import note_command, set_command_of

WRONG_LENGTH, INFINITE, IDLE_JOINT = range(NAMED_TWICE + 1, NAMED_TWICE + 4)
"""The possible faults of a message's arrays, as indices into `state.faults`."""


@inlined
def take_message(state: State, data: mujoco.MjData, message: Any, stamped: bool) -> None:
    """Sets the commands of a sensor_msgs/JointState, or refuses it as a whole.

    NaN means no command. During an emergency stop, all commands are dropped. After a reset, the
    commands of a joint are dropped until they change.
    """
    arrays = message.position, message.velocity, message.effort
    fault = find_joints(state, message.name)
    if fault == NO_FAULT:
        fault = _check_arrays(state, arrays)
    if fault != NO_FAULT:
        state.faults[fault] += 1
    elif not state.stopped:
        _set_commands(state, data, arrays, stamped)


@inlined
def _check_arrays(state: State, arrays: Any) -> Any:
    """Returns the fault of the arrays, or NO_FAULT.

    An array can be empty, have one number for each named joint with this command interface, or
    have one number for each named joint. Infinite numbers are a fault.
    """
    for kind in range(3):
        state.counts[kind] = 0
        for place in range(state.named):
            state.counts[kind] += state.hardware[state.joint_order[place]].interfaces[kind]
        length = len(arrays[kind])
        if length not in (0, state.counts[kind], state.named):
            state.wrong_kind, state.wrong_length = kind, length
            state.wanted_length, state.wrong_named = state.counts[kind], state.named
            return WRONG_LENGTH
        for k in range(length):
            if math.isinf(arrays[kind][k]):
                state.infinite_kind = kind
                return INFINITE
    return NO_FAULT


@inlined
def _set_commands(state: State, data: mujoco.MjData, arrays: Any, stamped: bool) -> None:
    """Sets the commands of the named joints, except commands from before a reset."""
    for kind in range(3):
        state.next[kind] = 0
    taken = False
    for place in range(state.named):
        k = state.joint_order[place]
        for kind in range(3):
            state.given[kind] = math.nan
            if state.hardware[k].interfaces[kind]:
                values = arrays[kind]
                index = place if len(values) == state.named else state.next[kind]
                state.next[kind] += 1
                state.given[kind] = values[index] if index < len(values) else math.nan
        if not _is_old(state, k, stamped):
            taken = _set_joint(state, k) or taken
    if taken:
        note_command(state, data)


@inlined
def _is_old(state: State, k: int, stamped: bool) -> Any:
    """Returns whether the given commands of joint number k are from before a reset.

    A new controller manager sends NaN until its controllers set commands. If the very first
    command is already a number, the manager was running before this server started, and the
    command is old.
    """
    joint = state.hardware[k]
    commanded = joint.driven >= 0 and not math.isnan(state.given[joint.drives])
    if state.old[k] == UNHEARD and stamped and commanded:
        for kind in range(3):
            state.last_commands[k, kind] = state.given[kind]
        state.old[k] = OLD
    if state.old[k] != OLD:
        return False
    for kind in range(3):
        value, last = state.given[kind], state.last_commands[k, kind]
        if value != last and not (math.isnan(value) and math.isnan(last)):
            return False
    if commanded:
        count_old(state)
    return True


@inlined
def _set_joint(state: State, k: int) -> Any:
    """Sets the given commands of joint number k; returns whether one of them drives the joint.

    One kind of command drives the joint, and keeps its last value if the message has no value. The
    other kinds are feedforward; feedforward without a driving command is counted as a fault.
    """
    joint = state.hardware[k]
    driven = goes_along = False
    for kind in range(3):
        value, drives = state.given[kind], kind == joint.drives
        state.last_commands[k, kind] = value
        if joint.interfaces[kind] and not (drives and math.isnan(value)):
            set_command_of(state, kind, joint.driven, value)
            driven = driven or drives
            goes_along = goes_along or not math.isnan(value)
    state.old[k] = NEW
    if goes_along and math.isnan(_command(state, joint.drives, joint.driven)):
        state.idle_joint = k
        state.faults[IDLE_JOINT] += 1
    return driven


@inlined
def _command(state: State, kind: int, k: int) -> Any:
    """Returns the last command of a kind for joint number k of the drive; NaN if not set."""
    if kind == POSITION:
        return state.position_command[k]
    if kind == VELOCITY:
        return state.velocity_command[k]
    return state.effort_command[k]
