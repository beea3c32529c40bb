"""A ring of states in memory: compiled code writes into it, and the thread of a recording reads.

The memory begins with the counts of rows that were written, taken and lost; then come the state of
the row that was written last, room for another one, and the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from ...plugins import State
from ...plugins.compiled_code import Memory, inlined, numbers_at
from ...recording import HEAD, INPUTS, OWN, RowShape

COUNTS = 8
"""The number of counts with which the memory of a ring begins, before the first row."""
WRITTEN, TAKEN, LOST = 0, 1, 2
_FEWEST_ROWS = 64
_INEXACT = 1.5
"""How many timesteps an evaluation within a step, as RK4 has them, is ahead at most."""


class RowRing:
    """The memory of the rows of one model; one thread takes what the physics loop has written."""

    def __init__(self, shape: RowShape, most_bytes: float) -> None:
        """The memory takes about `most_bytes`, and has room for a few rows at least."""
        self.shape = shape
        self.capacity = max(_FEWEST_ROWS, int(most_bytes / (8 * shape.width)))
        begin = COUNTS + 2 * shape.own
        self.memory = Memory(np.full(begin + self.capacity * shape.width, 0.0))  # all is touched
        numbers = self.memory.array
        numbers[COUNTS:begin] = np.nan  # no state is like that, so the first one is a new one
        self._rows = numbers[begin:].reshape(self.capacity, shape.width)
        self._seen = 0

    @property
    def lost(self) -> int:
        """The count of states that found no room."""
        return int(self.memory.array[LOST])

    def forget(self) -> None:
        """Has the next step write the state that it begins with; on the physics thread."""
        self.memory.array[COUNTS : COUNTS + self.shape.own] = np.nan

    @property
    def share(self) -> float:
        """The share of the room that is taken, from 0 to 1."""
        counts = self.memory.array
        return float(counts[WRITTEN] - counts[TAKEN]) / self.capacity

    def take(self, most: int, *, all_: bool = False) -> Iterator[np.ndarray[Any, Any]]:
        """Yields rows that have been written, at most so many at a time, of shape (rows, width).

        They are valid until the next ones are asked for. Rows that have come since the last call
        are left for the next one, unless `all_` is set, for when the loop writes no more: a
        processor may show another one the count of rows before it shows their numbers.
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
    """Writes the state of this moment into the ring, or counts it as lost if that is full."""
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
    mujoco.mj_getState(model, data, numbers[first + own : first + own + inputs], INPUTS)
    mujoco.mj_getState(model, data, numbers[first : first + own], OWN)
    for k in range(own):
        numbers[COUNTS + k] = numbers[first + k]
    numbers[WRITTEN] += 1.0


@inlined
def has_moved(state: State, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
    """Returns whether the state, at the begin of a step, is not that of the row before."""
    numbers, own = numbers_at(state.ring, state.numbers), state.own
    ahead = data.time - numbers[COUNTS]
    if 0.0 < ahead < _INEXACT * model.opt.timestep:
        return False  # within a step
    mujoco.mj_getState(model, data, numbers[COUNTS + own : COUNTS + 2 * own], OWN)
    for k in range(own):  # noqa: SIM110  (no generators in compiled code)
        if numbers[COUNTS + k] != numbers[COUNTS + own + k]:
            return True
    return False
