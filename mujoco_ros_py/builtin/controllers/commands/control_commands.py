"""Compiled: sets the controls of actuators from commands, or puts them to rest.

At rest, a position servo holds its position, and any other control is 0. `state.controls` has a
row for each control (see `actuator_commands`).
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ....plugins import State
from ....plugins.compiled_code import inlined
from ..drive.holding import rests
from ..drive.joint_commands import are_finite
from .old_commands import expect_old, note_new, repeats_old


@inlined
def take_controls(state: State, data: mujoco.MjData, values: Any) -> None:
    """Sets the commands of all controls, or refuses the array as a whole.

    Drops the array during an emergency stop, and after a reset if it repeats the last array before
    the reset.
    """
    count = len(state.controls)
    if not are_finite(values, count):
        state.refused_length = len(values)
        state.refusals += 1
    elif not repeats_old(state, values) and not state.stopped:
        state.command_time, state.late = data.time, False
        for k in range(count):
            state.controls[k].command = values[k]
            note_new(state, k, values[k])


@inlined
def apply_controls(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Sets `data.ctrl` from the commands; controls without a command keep their values."""
    if data.time < state.time:
        forget_controls(state, data)
        expect_old(state)
    for k in range(len(state.controls)):
        control = state.controls[k]
        if state.stopped or state.late:
            _rest(control, data, timestep)
        elif math.isfinite(control.command):
            control.rests = 0
            inside = max(control.low, min(control.high, control.command))
            if inside != control.command and control.clamped != control.command:
                control.clamped = control.command
                control.clamps += 1
            data.ctrl[control.address] = inside


@inlined
def advance_controls(state: State, data: mujoco.MjData) -> None:
    """Ends the commands if the last command is older than the time-out; call after each step."""
    never = state.command_time < 0.0
    if state.timeout > 0.0 and not never and data.time - state.command_time > state.timeout:
        state.late_count += not state.late
        state.late = True
    state.time = data.time
    for k in range(len(state.controls)):
        control = state.controls[k]
        control.velocity = data.actuator_velocity[control.output]


@inlined
def forget_controls(state: State, data: mujoco.MjData) -> None:
    """Discards all commands; the controls keep their values."""
    for k in range(len(state.controls)):
        state.controls[k].command, state.controls[k].rests = math.nan, 0
        state.controls[k].clamped = math.nan
    state.time, state.command_time, state.late = data.time, -1.0, False


@inlined
def rest_controls(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Makes position servos hold their current positions, and sets all other controls to 0."""
    for k in range(len(state.controls)):
        rest_control(state.controls[k], data, timestep)


@inlined
def rest_control(control: np.record, data: mujoco.MjData, timestep: float) -> None:
    """Makes a position servo hold its current position, and sets any other control to 0."""
    control.rests = 0
    _rest(control, data, timestep)


@inlined
def _rest(control: np.record, data: mujoco.MjData, timestep: float) -> None:
    """Like `rest_control`, but a position servo that already holds keeps its position.

    A servo that does not move when it begins to hold keeps its force, to carry its load.
    """
    if not control.rests:
        control.rests, control.command = 1, 0.0
        if control.stiffness > 0.0:
            length = data.actuator_length[control.output]
            force = control.bears * _force_at_rest(control, data, timestep)
            control.command = (control.stiffness * length - control.bias + force) / control.gain
    data.ctrl[control.address] = max(control.low, min(control.high, control.command))


@inlined
def _force_at_rest(control: np.record, data: mujoco.MjData, timestep: float) -> Any:
    """Returns the force of an actuator, or 0 if the actuator is moving."""
    velocity = data.actuator_velocity[control.output]
    if rests(velocity, (velocity - control.velocity) / timestep):
        return data.actuator_force[control.output]
    return 0.0
