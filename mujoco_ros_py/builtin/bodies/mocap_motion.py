"""Compiled: moves a mocap body to the poses of messages, within velocity limits.

`state` is the record of MocapPose.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from ...plugins import State
from ...plugins.compiled_code import inlined, separate
from ...simulation import BODY
from .frame_search import find_frame, frame_matrix, frame_position, is_finite, rotate

UNKNOWN_FRAME, NOT_FINITE, NO_ROTATION = range(3)
"""The possible faults of a pose message, as indices into `state.faults`."""
_LEAST_NORM = 1e-6


@inlined
def take_pose(
    state: State,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    frame_id: Any,
    position: Any,
    orientation: Any,
) -> None:
    """Sets the target from a pose that is given relative to a frame; counts faulty poses.

    The target does not move with the frame afterwards. During an emergency stop, valid poses are
    dropped.
    """
    frame = state.named[0]
    if not find_frame(state, frame_id, frame):
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
        for k in range(4):
            quat[k] /= norm
        _set_target(state, model, data, frame, place, quat)


@inlined
def advance_pose(state: State, data: mujoco.MjData, timestep: float) -> None:
    """Moves the body one step towards its target; discards the target after a reset."""
    if data.time < state.time:
        state.moves = False
    state.time = data.time
    if state.moves:
        far = state.max_linear_velocity * timestep
        approach(state, data, far, state.max_angular_velocity * timestep)


@inlined
def _set_target(
    state: State, model: mujoco.MjModel, data: mujoco.MjData, frame: Any, place: Any, quat: Any
) -> None:
    """Sets the target from a pose in a frame.

    Without velocity limits, moves the body there at once.
    """
    if frame.kind != BODY or frame.number != 0:
        mujoco.mj_kinematics(model, data)  # after a step, the poses in `data` are one step old
        matrix, origin, turn = frame_matrix(frame, data), frame_position(frame, data), np.empty(4)
        rotate(state.target_position, matrix, place)
        mujoco.mju_mat2Quat(turn, matrix)
        mujoco.mju_mulQuat(state.target_quat, turn, quat)
        for k in range(3):
            state.target_position[k] += origin[k]
    else:
        copy(state.target_position, place)
        copy(state.target_quat, quat)
    state.moves, state.time = True, data.time
    if math.isinf(state.max_linear_velocity) and math.isinf(state.max_angular_velocity):
        approach(state, data, math.inf, math.inf)


@inlined
def copy(to: Any, values: Any) -> None:
    """Copies numbers in a loop: numba takes much longer to compile a slice assignment."""
    for k in range(len(to)):
        to[k] = values[k]


@separate
def approach(state: State, data: mujoco.MjData, far: float, angle: float) -> None:
    """Moves the body towards its target, by at most `far` (m) and `angle` (rad)."""
    position, quat = data.mocap_pos[state.mocap], data.mocap_quat[state.mocap]
    square, dot = 0.0, 0.0
    for k in range(3):
        square += (state.target_position[k] - position[k]) ** 2
    for k in range(4):
        dot += state.target_quat[k] * quat[k]
    distance, half = math.sqrt(square), math.acos(min(1.0, abs(dot)))
    state.moves = distance > far or 2.0 * half > angle
    share = min(1.0, far / distance) if distance > 0.0 else 1.0
    for k in range(3):
        position[k] += share * (state.target_position[k] - position[k])
    if distance <= far:
        copy(position, state.target_position)
    if 2.0 * half <= angle:
        copy(quat, state.target_quat)
    else:  # along the shorter arc
        turn = 0.5 * angle
        before, after = math.sin(half - turn) / math.sin(half), math.sin(turn) / math.sin(half)
        for k in range(4):
            quat[k] = before * quat[k] + math.copysign(after, dot) * state.target_quat[k]
