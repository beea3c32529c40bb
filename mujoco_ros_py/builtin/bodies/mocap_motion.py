"""Compiled: the pose of a mocap body, which follows that of messages.

`state` is the record of MocapPose.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ...plugins import inlined
from .frame_search import BODY, find_frame, frame_position, frame_rotation, is_finite

UNKNOWN_FRAME, NOT_FINITE, NO_ROTATION = range(3)
"""What is wrong with a pose, as an index of `state.faults`."""
_LEAST_NORM = 1e-6


@inlined
def take_pose(
    state: Any, model: Any, data: Any, frame_id: Any, position: Any, orientation: Any
) -> None:
    """Takes a pose in a frame as that is now, or refuses it as a whole."""
    frame = find_frame(state, frame_id)
    if frame < 0:
        state.faults[UNKNOWN_FRAME] += 1
        return
    turn = orientation
    norm = math.sqrt(turn.w**2 + turn.x**2 + turn.y**2 + turn.z**2)
    if not (is_finite(position) and math.isfinite(norm)):
        state.faults[NOT_FINITE] += 1
    elif norm < _LEAST_NORM:
        state.faults[NO_ROTATION] += 1
    elif not state.stopped:
        place, quat = np.empty(3), np.empty(4)
        place[0], place[1], place[2] = position.x, position.y, position.z
        quat[0], quat[1], quat[2], quat[3] = turn.w, turn.x, turn.y, turn.z
        mujoco.mju_normalize4(quat)
        _set_target(state, model, data, state.frames[frame], place, quat)


@inlined
def advance_pose(state: Any, data: Any, timestep: float) -> None:
    """Moves the body towards its target by a step; a target of before a reset is forgotten."""
    if data.time < state.time:
        state.moves = False
    state.time = data.time
    if state.moves:
        far = state.max_linear_velocity * timestep
        angle = state.max_angular_velocity * timestep
        state.moves = _approach(state, data, far, angle)


@inlined
def _set_target(state: Any, model: Any, data: Any, frame: Any, place: Any, quat: Any) -> None:
    """Sets the target from a pose in a frame; without limits the body is there at once."""
    if frame.kind != BODY or frame.number != 0:
        mujoco.mj_kinematics(model, data)  # a step leaves the poses of its beginning
        turn, offset = np.empty(4), np.empty(3)
        frame_rotation(frame, data, turn)
        mujoco.mju_rotVecQuat(offset, place, turn)
        mujoco.mju_add3(place, frame_position(frame, data), offset)
        rotated = np.empty(4)
        mujoco.mju_mulQuat(rotated, turn, quat)
        quat[:] = rotated
    state.target_position[:] = place
    state.target_quat[:] = quat
    state.moves, state.time = True, data.time
    if math.isinf(state.max_linear_velocity) and math.isinf(state.max_angular_velocity):
        state.moves = _approach(state, data, math.inf, math.inf)


@inlined
def _approach(state: Any, data: Any, far: float, angle: float) -> Any:
    """Moves the body by at most a distance and an angle in rad; returns whether it is away."""
    position, quat = data.mocap_pos[state.mocap], data.mocap_quat[state.mocap]
    way, turn = state.way, state.turn
    mujoco.mju_sub3(way, state.target_position, position)
    mujoco.mju_normalize4(quat)
    mujoco.mju_subQuat(turn, state.target_quat, quat)
    distance, rotation = mujoco.mju_norm3(way), mujoco.mju_norm3(turn)
    if distance <= far:
        position[:] = state.target_position
    else:
        mujoco.mju_addToScl3(position, way, far / distance)
    if rotation <= angle:
        quat[:] = state.target_quat
    else:
        mujoco.mju_quatIntegrate(quat, turn, angle / rotation)
    return distance > far or rotation > angle
