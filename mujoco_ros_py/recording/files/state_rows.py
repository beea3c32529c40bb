"""Encodes rows of states as bytes, column by column: adjacent numbers then compress well."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...errors import RecordingError

Numbers = np.ndarray[Any, np.dtype[np.float64]]

WHOLE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""The state that the next step depends on, as MuJoCo's signature."""
INPUTS = int(mujoco.mjtState.mjSTATE_USER)
"""The inputs of a step: controls, applied forces, mocap poses, user data, and the flags of active
equalities."""
OWN = WHOLE & ~INPUTS
"""The results of a step: time, positions, velocities, activations, warm start and so on."""
HEAD = 2
"""The length of a row's head, which holds the step count and the kind of the row."""
GAINS, BIASES = int(mujoco.mjNGAIN), int(mujoco.mjNBIAS)
ACTUATOR_NUMBERS = GAINS + BIASES + 3
"""The numbers of an actuator in a row: gains, biases, force range, and whether it is limited."""
AFTER_STEP, BEFORE_STEP = 0.0, 1.0
"""The kinds of rows: the state after a step, and the state before a step. A state before a step is
recorded if it differs from the previous row: at a start, or after a command moved something."""
_BLOCK = struct.Struct('<8sIII')
_MARK = b'mjrows1\0'
_MOST_NUMBERS = 2**27


@dataclass(frozen=True, kw_only=True, slots=True)
class RowShape:
    """The sizes of the parts of a row, in their order after the head."""

    own: int
    """The number of results of a step (`OWN`)."""
    inputs: int
    """The number of inputs of a step (`INPUTS`)."""
    passive: int
    """The number of passive forces: one per degree of freedom, or 0 without passive callbacks."""
    actuators: int = 0
    """The number of `actuator_numbers`; 0 if no plugin changes the actuators in the model."""

    @property
    def width(self) -> int:
        """The length of a row, with its head."""
        return HEAD + self.own + self.inputs + self.passive + self.actuators


def row_shape(model: mujoco.MjModel, *, passive: bool, actuators: bool = False) -> RowShape:
    """Returns the shape of a model's rows.

    `passive` includes the passive forces, and `actuators` the `actuator_numbers`.
    """
    return RowShape(
        own=mujoco.mj_stateSize(model, OWN),
        inputs=mujoco.mj_stateSize(model, INPUTS),
        passive=model.nv if passive else 0,
        actuators=ACTUATOR_NUMBERS * len(model.actuator_gainprm) if actuators else 0,
    )


def set_actuators(model: mujoco.MjModel, numbers: Numbers) -> None:
    """Writes the last part of a row into the actuators of a model."""
    rows = numbers.reshape(-1, ACTUATOR_NUMBERS)
    model.actuator_gainprm[:] = rows[:, :GAINS]
    model.actuator_biasprm[:] = rows[:, GAINS : GAINS + BIASES]
    model.actuator_forcerange[:] = rows[:, GAINS + BIASES : GAINS + BIASES + 2]
    model.actuator_forcelimited[:] = rows[:, -1] != 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RowBlock:
    """Consecutive rows in one section of a recording."""

    section: int
    """The number of the section."""
    rows: Numbers
    """The rows, of shape (rows, width)."""


def write_rows(section: int, rows: Numbers) -> bytes:
    """Encodes rows, of shape (rows, width), as a block of bytes, column by column."""
    count, width = rows.shape
    return _BLOCK.pack(_MARK, section, count, width) + np.ascontiguousarray(rows.T).tobytes()


def read_rows(block: bytes | memoryview) -> RowBlock:
    """Decodes a block of rows. Raises RecordingError for a damaged block."""
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
