"""Poses, velocities, sensors and forces, computed from a state on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..simulation import Snapshot
from .state_places import STATE

Result = TypeVar('Result')
Numbers = NDArray[np.float64]


class Sample(NamedTuple):
    """The state of a simulation at one time. All other quantities are computed from it."""

    values: Numbers
    """MuJoCo's integration state, as `mj_getState` returns it."""
    passive: Numbers | None = None
    """The forces that passive callbacks added in the last step; None without passive callbacks."""
    user_sensors: Numbers | None = None
    """A copy of `sensordata`, to restore user sensors; None if the model has no user sensors."""


def user_sensor_numbers(model: mujoco.MjModel) -> list[int]:
    """Returns the indices of user sensors, which plugins write, in `sensordata`."""
    sensors = np.flatnonzero(model.sensor_type == int(mujoco.mjtSensor.mjSENS_USER))
    starts, counts = model.sensor_adr[sensors], model.sensor_dim[sensors]
    return [start + k for start, count in zip(starts, counts, strict=True) for k in range(count)]


class Derivation:
    """Computes derived quantities from states of one model, in a separate MjData.

    No plugin is called: forces added by callbacks and values of user sensors come from the last
    step.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._data: mujoco.MjData | None = None
        self._lock = threading.Lock()
        self._sample: Sample | None = None
        self._snapshot: Snapshot | None = None

    def poses(self, sample: Sample, read: Callable[[mujoco.MjData], Result]) -> Result:
        """Calls `read` with data that contains the poses and velocities of a sample."""
        with self._lock:
            snapshot = self._at(sample)
            snapshot.update()
            return read(snapshot.data)

    def forces(self, sample: Sample, read: Callable[[mujoco.MjData], Result]) -> Result:
        """Calls `read` with data that contains the sensors and forces of a sample."""
        with self._lock:
            snapshot = self._at(sample)
            snapshot.sensors()
            return read(snapshot.data)

    def _at(self, sample: Sample) -> Snapshot:
        """Returns a snapshot of a sample; reuses the last snapshot if the sample is the same."""
        if self._snapshot is not None and self._sample is sample:
            return self._snapshot
        if self._data is None:
            self._data = mujoco.MjData(self._model)
        mujoco.mj_setState(self._model, self._data, sample.values, STATE)
        if sample.user_sensors is not None:
            self._data.sensordata[:] = sample.user_sensors
        self._snapshot = Snapshot(self._model, self._data, 0, 0, sample.passive)
        self._sample = sample
        return self._snapshot
