"""Rows of states as blocks of bytes: numbers that hardly change stand side by side."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...errors import RecordingError

Numbers = np.ndarray[Any, np.dtype[np.float64]]

WHOLE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""All that the next step depends on."""
INPUTS = int(mujoco.mjtState.mjSTATE_USER)
"""What comes into a step from outside: controls, applied forces, mocap poses, user data and which
equalities are active."""
OWN = WHOLE & ~INPUTS
"""What a step computes: time, positions, velocities, activations, warm start and so on."""
HEAD = 2
"""The numbers before the state in a row: the count of steps, and the kind of the row."""
AFTER_STEP, BEFORE_STEP = 0.0, 1.0
"""The kinds of rows: the state after a step, and one that a step begins with although the row
before is another, as at a start or when a command has moved something."""
_BLOCK = struct.Struct('<8sIII')
_MARK = b'mjrows1\0'
_MOST_NUMBERS = 2**27


@dataclass(frozen=True, kw_only=True, slots=True)
class RowShape:
    """The places of the numbers in a row."""

    own: int
    """The count of numbers that a step computes (`OWN`)."""
    inputs: int
    """The count of numbers that come from outside (`INPUTS`)."""
    passive: int
    """The count of passive forces: as many as degrees of freedom, or 0 without such callbacks."""

    @property
    def width(self) -> int:
        """The count of numbers in a row."""
        return HEAD + self.own + self.inputs + self.passive


def row_shape(model: mujoco.MjModel, *, passive: bool) -> RowShape:
    """Returns the shape of the rows of a model; with `passive` they have passive forces."""
    return RowShape(
        own=mujoco.mj_stateSize(model, OWN),
        inputs=mujoco.mj_stateSize(model, INPUTS),
        passive=model.nv if passive else 0,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class RowBlock:
    """Rows that follow each other in one section of a recording."""

    section: int
    """The number of the section."""
    rows: Numbers
    """The rows, of shape (rows, width)."""


def write_rows(section: int, rows: Numbers) -> bytes:
    """Returns the rows, of shape (rows, width), as a block of bytes, column by column."""
    count, width = rows.shape
    return _BLOCK.pack(_MARK, section, count, width) + np.ascontiguousarray(rows.T).tobytes()


def read_rows(block: bytes | memoryview) -> RowBlock:
    """Returns the rows of a block. Raises RecordingError for what is no block."""
    if len(block) < _BLOCK.size:
        raise RecordingError(f'a block of states has {len(block)} bytes, fewer than its head')
    mark, section, count, width = _BLOCK.unpack_from(block)
    wanted = _BLOCK.size + 8 * count * width
    if mark != _MARK or width <= HEAD or count * width > _MOST_NUMBERS or len(block) != wanted:
        raise RecordingError('a block of states is damaged: its head does not fit its length')
    columns = np.frombuffer(block, np.float64, count * width, _BLOCK.size).reshape(width, count)
    if not np.isfinite(columns[: HEAD + 1]).all():
        raise RecordingError('a block of states is damaged: a count or a time is not finite')
    return RowBlock(section=section, rows=np.ascontiguousarray(columns.T))
