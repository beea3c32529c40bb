"""Compiled: finds frames by the names in messages.

`state.frames` is a table of `frame_table`; `state.wrong_frame` keeps the last unknown name.
"""

from __future__ import annotations

import math
from typing import Any

from ...plugins import inlined, same_text
from ...simulation import SITE


@inlined
def find_frame(state: Any, name: Any) -> Any:
    """Returns the row of the frame with this name; -1 if there is none, and keeps the name."""
    for k in range(len(state.frames)):
        frame = state.frames[k]
        if same_text(name, frame.name[: frame.length]):
            return k
    state.wrong_length = min(len(name), len(state.wrong_frame))
    for k in range(state.wrong_length):
        state.wrong_frame[k] = name[k]
    return -1


@inlined
def is_finite(vector: Any) -> bool:
    """Returns whether a vector or a point of a message is finite."""
    return math.isfinite(vector.x) and math.isfinite(vector.y) and math.isfinite(vector.z)


@inlined
def frame_position(frame: Any, data: Any) -> Any:
    """Returns the position of a frame in the world, in metres."""
    if frame.kind == SITE:
        return data.site_xpos[frame.number]
    return data.xpos[frame.number]


@inlined
def frame_matrix(frame: Any, data: Any) -> Any:
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
