"""Compiled: a wrench on a body, which is added to what others apply to it.

`state` is the record of BodyWrench.
"""

from __future__ import annotations

from typing import Any

import mujoco

from ...plugins import inlined
from .frame_search import SITE, find_frame, frame_rotation, is_finite

UNKNOWN_FRAME, NOT_FINITE = range(2)
"""What is wrong with a wrench, as an index of `state.faults`."""


@inlined
def take_wrench(state: Any, data: Any, frame_id: Any, force: Any, torque: Any) -> None:
    """Takes a force in N and a torque in N m in the axes of a frame, or refuses both."""
    frame = find_frame(state, frame_id)
    if frame < 0:
        state.faults[UNKNOWN_FRAME] += 1
        return
    if not (is_finite(force) and is_finite(torque)):
        state.faults[NOT_FINITE] += 1
        return
    state.force[0], state.force[1], state.force[2] = force.x, force.y, force.z
    state.torque[0], state.torque[1], state.torque[2] = torque.x, torque.y, torque.z
    state.frame, state.acts, state.until = frame, True, data.time + state.duration


@inlined
def apply_wrench(state: Any, data: Any) -> None:
    """Exchanges the wrench on the body for the present one, and leaves those of others."""
    if data.time < state.time:
        _forget_if_reset(state, data)
    if not (state.acts or state.pushes):
        return
    state.wrench[:] = 0.0
    if state.acts:
        _find_wrench(state, data)
    for k in range(6):
        others = data.xfrc_applied[state.body, k] - state.applied[k]
        data.xfrc_applied[state.body, k] = others + state.wrench[k]
        state.applied[k] = state.wrench[k]
    state.pushes = state.acts


@inlined
def end_wrench(state: Any, data: Any, timestep: float) -> None:
    """Ends the wrench if its time is over; call it at the end of each step."""
    if state.duration > 0.0 and data.time > state.until - 0.5 * timestep:
        state.acts = False
    state.time = data.time


@inlined
def _find_wrench(state: Any, data: Any) -> None:
    """Finds the wrench about the centre of mass, in the axes of the world."""
    force, torque, arm, other = state.wrench[:3], state.wrench[3:], state.arm, state.other
    frame_rotation(state.frames[state.frame], data, state.quat)
    mujoco.mju_rotVecQuat(force, state.force, state.quat)
    mujoco.mju_rotVecQuat(torque, state.torque, state.quat)
    place = state.place[0]
    frame_rotation(place, data, state.quat)
    mujoco.mju_rotVecQuat(arm, state.offset, state.quat)
    if place.kind == SITE:
        mujoco.mju_sub3(other, data.site_xpos[place.number], data.xipos[state.body])
        mujoco.mju_addTo3(arm, other)
    mujoco.mju_cross(other, arm, force)
    mujoco.mju_addTo3(torque, other)


@inlined
def _forget_if_reset(state: Any, data: Any) -> None:
    """Forgets the wrench as the time has jumped back; a reset has taken away all wrenches."""
    state.acts = False
    there = False
    for k in range(6):
        there = there or data.xfrc_applied[state.body, k] != 0.0
    if not there:
        state.applied[:], state.pushes = 0.0, False
