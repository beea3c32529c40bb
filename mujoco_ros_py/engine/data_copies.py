"""Copies of the data: memory that is made beforehand, and the record that asks for a copy."""

from __future__ import annotations

import mujoco
import numpy as np

from .records import SNAPSHOT, structure


class SpareData:
    """Data of one model that nobody uses yet.

    Making data takes a thread many times as long as copying them: it is done beside the physics.
    """

    def __init__(self, model: mujoco.MjModel | None = None, count: int = 0) -> None:
        """Makes the data; without a model there are none."""
        self._model = model
        self._free = [] if model is None else [mujoco.MjData(model) for _ in range(count)]

    def copy(self, model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
        """Returns a copy of data: in spare data of this model, or in new ones."""
        # Another model may have come since the data were made.
        spare = self._free if model is self._model else []
        copy = spare.pop() if spare else mujoco.MjData(model)
        mujoco.mj_copyData(copy, model, data)
        return copy

    @property
    def left(self) -> int:
        """The number of data that are still free."""
        return len(self._free)


class SnapshotSlot:
    """The SNAPSHOT record of a receiver, in which it asks for snapshots and the loop answers."""

    def __init__(self) -> None:
        self._records = np.zeros(1, SNAPSHOT)
        self.record = structure(SNAPSHOT).from_buffer(self._records)
        self.address = int(self._records.ctypes.data)
