"""Compiled: a wrench on a body, which is added to what others apply to it.

`state` is the record of BodyWrench.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

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
    wrench = np.zeros(6)
    if state.acts:
        _in_world(state, data, wrench)
    if data.time < state.time:
        _forget_if_reset(state, data)
    for k in range(6):
        others = data.xfrc_applied[state.body, k] - state.applied[k]
        data.xfrc_applied[state.body, k] = others + wrench[k]
        state.applied[k] = wrench[k]


@inlined
def end_wrench(state: Any, data: Any, timestep: float) -> None:
    """Ends the wrench if its time is over; call it at the end of each step."""
    if state.duration > 0.0 and data.time > state.until - 0.5 * timestep:
        state.acts = False
    state.time = data.time


@inlined
def _in_world(state: Any, data: Any, wrench: Any) -> None:
    """Writes the wrench about the centre of mass, in the axes of the world."""
    quat, arm, offset = np.empty(4), np.empty(3), np.empty(3)
    frame_rotation(state.frames[state.frame], data, quat)
    mujoco.mju_rotVecQuat(wrench[:3], state.force, quat)
    mujoco.mju_rotVecQuat(wrench[3:], state.torque, quat)
    center, place = data.xipos[state.body], state.place[0]
    frame_rotation(place, data, quat)
    mujoco.mju_rotVecQuat(arm, state.offset, quat)
    if place.kind == SITE:
        mujoco.mju_sub3(offset, data.site_xpos[place.number], center)
        mujoco.mju_addTo3(arm, offset)
    mujoco.mju_cross(offset, arm, wrench[:3])
    mujoco.mju_addTo3(wrench[3:], offset)


@inlined
def _forget_if_reset(state: Any, data: Any) -> None:
    """Forgets the wrench as the time has jumped back; a reset has taken away all wrenches."""
    state.acts = False
    there = False
    for k in range(6):
        there = there or data.xfrc_applied[state.body, k] != 0.0
    if not there:
        state.applied[:] = 0.0
