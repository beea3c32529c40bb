"""Compiled: adds a wrench to a body's external wrenches, and keeps wrenches from other sources.

`state` is the record of BodyWrench.
"""

from __future__ import annotations

from typing import Any

import mujoco

from ...plugins import State
from ...plugins.compiled_code import inlined
from ...simulation import SITE
from .frame_search import find_frame, frame_matrix, is_finite, rotate

UNKNOWN_FRAME, NOT_FINITE = range(2)
"""The possible faults of a wrench message, as indices into `state.faults`."""


@inlined
def take_wrench(state: State, data: mujoco.MjData, frame_id: Any, force: Any, torque: Any) -> None:
    """Sets the force (N) and torque (N m), in the axes of a frame; counts faulty messages."""
    named = state.named[0]
    if not find_frame(state, frame_id, named):
        state.faults[UNKNOWN_FRAME] += 1
        return
    if not (is_finite(force) and is_finite(torque)):
        state.faults[NOT_FINITE] += 1
        return
    state.force[0], state.force[1], state.force[2] = force.x, force.y, force.z
    state.torque[0], state.torque[1], state.torque[2] = torque.x, torque.y, torque.z
    state.frame[0].kind, state.frame[0].number = named.kind, named.number
    state.acts, state.until = True, data.time + state.duration


@inlined
def apply_wrench(state: State, data: mujoco.MjData) -> None:
    """Replaces the wrench that the last call applied; keeps wrenches from other sources."""
    if data.time < state.time:
        _forget_if_reset(state, data)
    if not (state.acts or state.pushes):
        return
    for k in range(6):
        state.wrench[k] = 0.0
    if state.acts:
        _find_wrench(state, data)
    for k in range(6):
        others = data.xfrc_applied[state.body, k] - state.applied[k]
        data.xfrc_applied[state.body, k] = others + state.wrench[k]
        state.applied[k] = state.wrench[k]
    state.pushes = state.acts


@inlined
def end_wrench(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Ends the wrench if its duration is over; call this at the end of each step."""
    if state.duration > 0.0 and data.time > state.until - 0.5 * timestep:
        state.acts = False
    state.time = data.time


@inlined
def _find_wrench(state: State, data: mujoco.MjData) -> None:
    """Computes `state.wrench` about the body's centre of mass, in the world axes."""
    force, torque, arm = state.wrench[:3], state.wrench[3:], state.arm
    axes, place = frame_matrix(state.frame[0], data), state.place[0]
    rotate(force, axes, state.force)
    rotate(torque, axes, state.torque)
    rotate(arm, frame_matrix(place, data), state.offset)
    if place.kind == SITE:
        for k in range(3):
            arm[k] += data.site_xpos[place.number, k] - data.xipos[state.body, k]
    torque[0] += arm[1] * force[2] - arm[2] * force[1]
    torque[1] += arm[2] * force[0] - arm[0] * force[2]
    torque[2] += arm[0] * force[1] - arm[1] * force[0]


@inlined
def _forget_if_reset(state: State, data: mujoco.MjData) -> None:
    """Discards the wrench after time has jumped back.

    If `xfrc_applied` is 0, a reset has cleared it, and `state.applied` must not be subtracted.
    """
    state.acts = False
    there = False
    for k in range(6):
        there = there or data.xfrc_applied[state.body, k] != 0.0
    if not there:
        state.pushes = False
        for k in range(6):
            state.applied[k] = 0.0
