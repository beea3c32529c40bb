"""Compiled: target positions of joints by their names, as a message brings them."""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.joint_commands import note_command, set_command
from .joint_names import NAMED_TWICE, NO_FAULT, find_joints
from .old_commands import count_old, is_old, note_new

WRONG_COUNT, NOT_FINITE = range(NAMED_TWICE + 1, NAMED_TWICE + 3)
"""The faults that the positions of a message may have, as indices of `state.faults`."""


@inlined
def take_targets(state: State, data: mujoco.MjData, message: Any) -> None:
    """Takes the positions of a sensor_msgs/JointState, or refuses it as a whole.

    Joints that are not named keep their targets. While an emergency stop holds the joints, the
    targets are dropped, and after a reset if all of them repeat those before it.
    """
    fault = find_joints(state, message.name)
    if fault == NO_FAULT:
        fault = _check(state, message.position)
    if fault != NO_FAULT:
        state.faults[fault] += 1
    elif _repeats_old(state, message.position):
        count_old(state)
    elif not state.stopped:
        for place in range(state.named):
            set_command(state, state.joint_order[place], message.position[place])
            note_new(state, state.joint_order[place], message.position[place])
        note_command(state, data)


@inlined
def _repeats_old(state: State, positions: Any) -> Any:
    """Returns whether the joints that are named have the targets from before the reset."""
    for place in range(state.named):
        if not is_old(state, state.joint_order[place], positions[place]):
            return False
    return state.named > 0


@inlined
def _check(state: State, positions: Any) -> Any:
    """Returns the fault of a message's positions, of which there must be one for each name.

    NO_FAULT stands for no fault.
    """
    if len(positions) != state.named:
        state.wrong_count, state.wrong_named = len(positions), state.named
        return WRONG_COUNT
    for place in range(state.named):
        if not math.isfinite(positions[place]):
            return NOT_FINITE
    return NO_FAULT
