"""Compiled: finds frames by the names in messages.

`state.frames` is the address of a `FrameTable`; `state.wrong_frame` keeps the last unknown name.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from ...plugins import State
from ...plugins.compiled_code import inlined, numbers_at, same_text
from ...simulation import SITE


@inlined
def find_frame(state: State, name: Any, found: Any) -> bool:
    """Writes kind and id of the frame with this name into a row, and returns True.

    If there is none, this keeps the name and returns False.
    """
    count = int(numbers_at(state.frames, 1)[0])
    numbers = numbers_at(state.frames, count)
    k = 1
    while k < count:
        first, after = k + 3, k + 3 + int(numbers[k])
        if same_text(name, numbers[first:after]):
            found.kind, found.number = int(numbers[k + 1]), int(numbers[k + 2])
            return True
        k = after
    state.wrong_length = min(len(name), len(state.wrong_frame))
    for k in range(state.wrong_length):
        state.wrong_frame[k] = name[k]
    return False


@inlined
def is_finite(vector: Any) -> bool:
    """Returns whether a vector or a point of a message is finite."""
    return math.isfinite(vector.x) and math.isfinite(vector.y) and math.isfinite(vector.z)


@inlined
def frame_position(frame: Any, data: mujoco.MjData) -> Any:
    """Returns the position of a frame in the world, in metres."""
    if frame.kind == SITE:
        return data.site_xpos[frame.number]
    return data.xpos[frame.number]


@inlined
def frame_matrix(frame: Any, data: mujoco.MjData) -> Any:
    """Returns the nine elements of the rotation of a frame in the world, row by row."""
    if frame.kind == SITE:
        return data.site_xmat[frame.number]
    return data.xmat[frame.number]


@inlined
def rotate(rotated: Any, matrix: Any, vector: Any) -> None:
    """Writes a vector, given in the axes of a frame, in the axes of the world."""
    for row in range(3):
        rotated[row] = 0.0
        for column in range(3):
            rotated[row] += matrix[3 * row + column] * vector[column]
