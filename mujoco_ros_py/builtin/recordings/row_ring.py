"""A ring of states in memory: compiled code writes it, and the recording's thread reads it.

The memory begins with the counts of written, taken and lost rows. Then follow the state of the
last written row, space for another state, and the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from ...plugins import State
from ...plugins.compiled_code import Memory, inlined, numbers_at
from ...recording import ACTUATOR_NUMBERS, BIASES, GAINS, HEAD, INPUTS, OWN, RowShape

COUNTS = 8
"""The number of counts at the beginning of the ring's memory."""
WRITTEN, TAKEN, LOST = 0, 1, 2
_FEWEST_ROWS = 64
_INEXACT = 1.5
"""Evaluations within a step, as in RK4, are less than this many timesteps ahead of its start."""


class RowRing:
    """The memory for the rows of one model; one thread takes the rows that physics has written."""

    def __init__(self, shape: RowShape, most_bytes: float) -> None:
        """Allocates about `most_bytes`, but space for at least `_FEWEST_ROWS` rows."""
        self.shape = shape
        self.capacity = max(_FEWEST_ROWS, int(most_bytes / (8 * shape.width)))
        begin = COUNTS + 2 * shape.own
        # np.full touches every page, which spares the physics thread page faults
        self.memory = Memory(np.full(begin + self.capacity * shape.width, 0.0))
        numbers = self.memory.array
        numbers[COUNTS:begin] = np.nan  # equals no state, so the first state counts as new
        self._rows = numbers[begin:].reshape(self.capacity, shape.width)
        self._seen = 0

    @property
    def lost(self) -> int:
        """The number of states dropped because the ring was full."""
        return int(self.memory.array[LOST])

    def forget(self) -> None:
        """Makes the next step write its initial state; on the physics thread."""
        self.memory.array[COUNTS : COUNTS + self.shape.own] = np.nan

    @property
    def share(self) -> float:
        """The fill level of the ring, from 0 to 1."""
        counts = self.memory.array
        return float(counts[WRITTEN] - counts[TAKEN]) / self.capacity

    def take(self, most: int, *, all_: bool = False) -> Iterator[np.ndarray[Any, Any]]:
        """Yields blocks of written rows, shape (rows, width), with at most `most` rows each.

        A block is valid until the next one is requested. Rows written since the previous call are
        left for the next call, because a CPU can make the count of rows visible to another CPU
        before their contents. Set `all_` once physics writes no more rows.
        """
        counts = self.memory.array
        written = int(counts[WRITTEN])
        end, self._seen = (written if all_ else self._seen), written
        while (taken := int(counts[TAKEN])) < end:
            slot = taken % self.capacity
            count = min(most, end - taken, self.capacity - slot)
            yield self._rows[slot : slot + count]
            counts[TAKEN] = taken + count


@inlined
def append_row(state: State, model: mujoco.MjModel, data: mujoco.MjData, kind: float) -> None:
    """Writes the current state into the ring, or counts it as lost if the ring is full."""
    numbers = numbers_at(state.ring, state.numbers)
    own, inputs, passive, width = state.own, state.inputs, state.passive, state.width
    if numbers[WRITTEN] - numbers[TAKEN] >= state.capacity:
        numbers[LOST] += 1.0
        return
    slot = int(numbers[WRITTEN]) % state.capacity
    start = COUNTS + 2 * own + slot * width
    numbers[start], numbers[start + 1] = state.steps, 2.0 * state.section + kind
    first = start + HEAD
    for k in range(passive):
        numbers[first + own + inputs + k] = data.qfrc_passive[k]
    _append_actuators(state, model, numbers, first + own + inputs + passive)
    mujoco.mj_getState(model, data, numbers[first + own : first + own + inputs], INPUTS)
    mujoco.mj_getState(model, data, numbers[first : first + own], OWN)
    for k in range(own):
        numbers[COUNTS + k] = numbers[first + k]
    numbers[WRITTEN] += 1.0


@inlined
def _append_actuators(state: State, model: mujoco.MjModel, numbers: Any, first: int) -> None:
    """Writes the numbers that `set_actuators` reads."""
    for k in range(state.actuators // ACTUATOR_NUMBERS):
        place = first + k * ACTUATOR_NUMBERS
        for j in range(GAINS):
            numbers[place + j] = model.actuator_gainprm[k, j]
        for j in range(BIASES):
            numbers[place + GAINS + j] = model.actuator_biasprm[k, j]
        place += GAINS + BIASES
        numbers[place] = model.actuator_forcerange[k, 0]
        numbers[place + 1] = model.actuator_forcerange[k, 1]
        numbers[place + 2] = model.actuator_forcelimited[k]


@inlined
def has_moved(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Returns whether the state at the beginning of a step differs from the last row."""
    numbers, own = numbers_at(state.ring, state.numbers), state.own
    ahead = data.time - numbers[COUNTS]
    if 0.0 < ahead < _INEXACT * model.opt.timestep:
        return False  # not the beginning of a step, but a stage of RK4
    mujoco.mj_getState(model, data, numbers[COUNTS + own : COUNTS + 2 * own], OWN)
    for k in range(own):  # noqa: SIM110  (no generators in compiled code)
        if numbers[COUNTS + k] != numbers[COUNTS + own + k]:
            return True
    return False
