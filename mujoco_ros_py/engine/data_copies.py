"""Copies of mjData: preallocated memory for them, and the record that requests a copy."""

from __future__ import annotations

import mujoco
import numpy as np

from .records import SNAPSHOT, structure


class SpareData:
    """Unused mjData of one model.

    Allocating an mjData takes many times as long as copying one, so it is done outside of the
    physics thread.
    """

    def __init__(self, model: mujoco.MjModel | None = None, count: int = 0) -> None:
        """Allocates `count` mjData for the model; allocates nothing if `model` is None."""
        self._model = model
        self._free = [] if model is None else [mujoco.MjData(model) for _ in range(count)]

    def copy(self, model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
        """Returns a copy of the data, in a spare mjData if any is left for this model."""
        # The model may have changed since the spare data were allocated.
        spare = self._free if model is self._model else []
        copy = spare.pop() if spare else mujoco.MjData(model)
        mujoco.mj_copyData(copy, model, data)
        return copy

    @property
    def left(self) -> int:
        """The number of mjData that are still unused."""
        return len(self._free)


class SnapshotSlot:
    """A receiver's SNAPSHOT record: the receiver requests a copy in it, and the loop answers."""

    def __init__(self) -> None:
        self._records = np.zeros(1, SNAPSHOT)
        self.record = structure(SNAPSHOT).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
