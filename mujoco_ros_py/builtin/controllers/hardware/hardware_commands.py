"""Compiled: joint commands of a hardware interface, in arrays that are shorter than the names.

`state.hardware` has a row for each joint, as `topic_based_hardware` makes it. In a message, each
array has a number for each joint that has such a command interface, in the order of the names.
"""

from __future__ import annotations

import math
from typing import Any

from ....plugins import inlined
from ..commands.joint_names import NAMED_TWICE, NO_FAULT, find_joints
from ..drive.drive_record import POSITION, VELOCITY
from ..drive.joint_commands import note_command

WRONG_LENGTH, INFINITE, IDLE_JOINT = range(NAMED_TWICE + 1, NAMED_TWICE + 4)
"""The faults that the arrays of a message may have, as indices of `state.faults`."""


@inlined
def take_message(state: Any, data: Any, message: Any) -> None:
    """Takes the commands of a sensor_msgs/JointState, or refuses it as a whole.

    NaN stands for no command. While an emergency stop holds the joints, the commands are dropped.
    """
    arrays = message.position, message.velocity, message.effort
    fault = find_joints(state, message.name)
    if fault == NO_FAULT:
        fault = _check_arrays(state, arrays)
    if fault != NO_FAULT:
        state.faults[fault] += 1
    elif not state.stopped:
        _set_commands(state, data, arrays)


@inlined
def _check_arrays(state: Any, arrays: Any) -> Any:
    """Returns the fault of the arrays; NO_FAULT if there is none.

    An array may be empty, have a number for each named joint with that command interface, or have
    one for each named joint. Infinite numbers are a fault.
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
                state.wrong_kind = kind
                return INFINITE
    return NO_FAULT


@inlined
def _set_commands(state: Any, data: Any, arrays: Any) -> None:
    """Sets the commands of the joints that are named.

    One kind of command drives the joint, and keeps its last value if the message has none. The
    other kinds are its feedforward; it is counted if they come without a command that drives.
    """
    for kind in range(3):
        state.next[kind] = 0
    taken = False
    for place in range(state.named):
        joint = state.hardware[state.joint_order[place]]
        goes_along = False
        for kind in range(3):
            if not joint.interfaces[kind]:
                continue
            values = arrays[kind]
            index = place if len(values) == state.named else state.next[kind]
            state.next[kind] += 1
            value = values[index] if index < len(values) else math.nan
            drives = kind == joint.drives
            if not drives or not math.isnan(value):
                _set(state, kind, joint.driven, value)
                taken = taken or drives
                goes_along = goes_along or not math.isnan(value)
        if goes_along and math.isnan(_command(state, joint.drives, joint.driven)):
            state.idle_joint = state.joint_order[place]
            state.faults[IDLE_JOINT] += 1
    if taken:
        note_command(state, data)


@inlined
def _command(state: Any, kind: int, k: int) -> Any:
    """Returns the last command of a kind for joint number k of the drive; NaN: there is none."""
    if kind == POSITION:
        return state.position_command[k]
    if kind == VELOCITY:
        return state.velocity_command[k]
    return state.effort_command[k]


@inlined
def _set(state: Any, kind: int, k: int, value: float) -> None:
    """Sets the position, velocity or effort command of joint number k of the drive."""
    if kind == POSITION:
        state.position_command[k] = value
    elif kind == VELOCITY:
        state.velocity_command[k] = value
    else:
        state.effort_command[k] = value
