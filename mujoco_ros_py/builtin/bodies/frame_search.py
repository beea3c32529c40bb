"""Compiled: looks up the frames that messages refer to, and reads their poses.

`state.frames` is the address of a `FrameTable`; `state.wrong_frame` holds the last unknown name.
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
    """Looks up a frame by name, and writes its kind and id into the row `found`.

    Returns False if no frame has this name, and stores the name in `state.wrong_frame`.
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
    """Returns whether all components of a message's vector or point are finite."""
    return math.isfinite(vector.x) and math.isfinite(vector.y) and math.isfinite(vector.z)


@inlined
def frame_position(frame: Any, data: mujoco.MjData) -> Any:
    """Returns the position of a frame in the world, in metres."""
    if frame.kind == SITE:
        return data.site_xpos[frame.number]
    return data.xpos[frame.number]


@inlined
def frame_matrix(frame: Any, data: mujoco.MjData) -> Any:
    """Returns the rotation matrix of a frame in the world: nine elements, row by row."""
    if frame.kind == SITE:
        return data.site_xmat[frame.number]
    return data.xmat[frame.number]


@inlined
def rotate(rotated: Any, matrix: Any, vector: Any) -> None:
    """Rotates a vector from the axes of a frame to the world axes, and writes it to `rotated`."""
    for row in range(3):
        rotated[row] = 0.0
        for column in range(3):
            rotated[row] += matrix[3 * row + column] * vector[column]
