"""Compiled: joint commands of a hardware interface, in arrays that are shorter than the names.

`state.hardware` has a row for each joint, as `topic_based_hardware` makes it. In a message, each
array has a number for each joint that has such a command interface, in the order of the names.
"""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined, same_text
from .drive.commands import note_command

NO_FAULT, UNKNOWN_JOINT, NAMED_TWICE, WRONG_LENGTH, INFINITE = range(5)
"""What is wrong with a message; `state.fault` is that of the last one that was refused."""


@inlined
def take_message(state: Any, data: Any, message: Any) -> None:
    """Takes the commands of a sensor_msgs/JointState, or refuses it as a whole.

    NaN is no command. While an emergency stop holds the joints, the commands are dropped.
    """
    fault = _find_joints(state, message.name)
    if fault == NO_FAULT:
        fault = _check_arrays(state, message)
    if fault != NO_FAULT:
        state.fault = fault
        state.faults[fault] += 1
    elif not state.stopped:
        _set_commands(state, data, message)


@inlined
def _find_joints(state: Any, names: Any) -> Any:
    """Finds the joint of each name, and counts those that have each interface."""
    state.counts[:] = 0
    for k in range(len(state.hardware)):
        state.hardware[k].place = -1
    for place in range(len(names)):
        k = _joint_of(state, names[place], place)
        if k < 0:
            _keep_name(state, names[place])
            return UNKNOWN_JOINT
        if state.hardware[k].place >= 0:
            _keep_name(state, names[place])
            return NAMED_TWICE
        state.hardware[k].place = place
        state.order[place] = k
        for kind in range(3):
            state.counts[kind] += state.hardware[k].interfaces[kind]
    state.named = len(names)
    return NO_FAULT


@inlined
def _joint_of(state: Any, name: Any, guess: int) -> Any:
    """Returns the number of the joint of a name, or -1; usually it is the one at the place."""
    count = len(state.hardware)
    for ahead in range(count):
        k = (guess + ahead) % count
        joint = state.hardware[k]
        if same_text(name, joint.name[: joint.length]):
            return k
    return -1


@inlined
def _keep_name(state: Any, name: Any) -> None:
    """Keeps the beginning of a name that was refused, for the log."""
    state.wrong_length = min(len(name), len(state.wrong_name))
    for k in range(state.wrong_length):
        state.wrong_name[k] = name[k]


@inlined
def _check_arrays(state: Any, message: Any) -> Any:
    """Checks the three arrays; in all, infinite numbers are refused."""
    fault = _check_array(state, message.position, 0)
    if fault == NO_FAULT:
        fault = _check_array(state, message.velocity, 1)
    if fault == NO_FAULT:
        fault = _check_array(state, message.effort, 2)
    return fault


@inlined
def _check_array(state: Any, values: Any, kind: int) -> Any:
    """Checks an array: it is empty, has a number for each joint with the interface, or for all."""
    length = len(values)
    if length not in (0, state.counts[kind], state.named):
        state.wrong_kind, state.wrong_length = kind, length
        state.wanted_length, state.wrong_named = state.counts[kind], state.named
        return WRONG_LENGTH
    for k in range(length):
        if math.isinf(values[k]):
            state.wrong_kind = kind
            return INFINITE
    return NO_FAULT


@inlined
def _set_commands(state: Any, data: Any, message: Any) -> None:
    """Sets the commands of the joints that are named."""
    state.next[:] = 0
    taken = False
    for place in range(state.named):
        joint = state.hardware[state.order[place]]
        position = _value(state, message.position, joint, place, 0)
        velocity = _value(state, message.velocity, joint, place, 1)
        effort = _value(state, message.effort, joint, place, 2)
        k = joint.driven
        if k < 0:
            continue
        if joint.interfaces[0]:
            taken = _set(state.position_command, k, position) or taken
            state.velocity_command[k], state.effort_command[k] = velocity, effort
        elif joint.interfaces[1]:
            taken = _set(state.velocity_command, k, velocity) or taken
            state.effort_command[k] = effort
        else:
            taken = _set(state.effort_command, k, effort) or taken
    if taken:
        note_command(state, data)


@inlined
def _value(state: Any, values: Any, joint: Any, place: int, kind: int) -> Any:
    """Returns the number of a joint in an array; NaN where there is none for it."""
    if not joint.interfaces[kind]:
        return math.nan
    index = state.next[kind]
    state.next[kind] += 1
    if len(values) == state.named:
        index = place
    return values[index] if index < len(values) else math.nan


@inlined
def _set(commands: Any, k: int, value: float) -> bool:
    """Sets a command unless it is NaN; returns whether it did."""
    if math.isnan(value):
        return False
    commands[k] = value
    return True
