"""Calls the compiled functions of the noise for many samples."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

import mujoco_ros_py.engine.compiled.pipeline  # noqa: F401  (makes inlined functions known to numba)
from mujoco_ros_py.builtin.sensors.noise import bias, noisy, noisy_rotation
from mujoco_ros_py.builtin.sensors.noise.drifting_bias import drifting_bias
from mujoco_ros_py.builtin.sensors.noise.random_numbers import normal, philox

SAMPLES = 10_000
TIMESTEP = 0.01


@numba.njit
def philox_words(key: Any, counter: Any, lane: Any, purpose: Any) -> Any:
    """Returns two numbers of 64 bits."""
    return philox(key, counter, lane, purpose)


@numba.njit
def normals(keys: Any, counters: Any, lanes: Any, purposes: Any) -> Any:
    """Returns a normal number for each row of arguments."""
    values = np.empty(len(keys))
    for k in range(len(keys)):
        values[k] = normal(keys[k], counters[k], lanes[k], purposes[k])
    return values


@numba.njit
def drifts(key: Any, indices: Any, timestep: float, correlation_s: float) -> Any:
    """Returns the drifting bias of one key at each index."""
    values = np.empty(len(indices))
    for k in range(len(indices)):
        values[k] = drifting_bias(key, indices[k], timestep, correlation_s)
    return values


@numba.njit
def drifts_of_keys(keys: Any, index: int, timestep: float, correlation_s: float) -> Any:
    """Returns the drifting bias of each key at one index."""
    values = np.empty(len(keys))
    for k in range(len(keys)):
        values[k] = drifting_bias(keys[k], index, timestep, correlation_s)
    return values


@numba.njit
def samples(rows: Any, truth: float, lane: int, indices: Any, timestep: float) -> Any:
    """Returns a measured number for each row of noise and each index."""
    values = np.empty((len(rows), len(indices)))
    for number in range(len(rows)):
        for k in range(len(indices)):
            values[number, k] = noisy(rows[number], lane, truth, indices[k], timestep)
    return values


@numba.njit
def biases(rows: Any, lane: int, indices: Any, timestep: float) -> Any:
    """Returns the bias for each row of noise and each index."""
    values = np.empty((len(rows), len(indices)))
    for number in range(len(rows)):
        for k in range(len(indices)):
            values[number, k] = bias(rows[number], lane, indices[k], timestep)
    return values


@numba.njit
def turned(rows: Any, quat: Any, indices: Any, timestep: float) -> Any:
    """Returns a measured quaternion for each index."""
    values = np.empty((len(indices), 4))
    for k in range(len(indices)):
        values[k] = quat
        noisy_rotation(rows, values[k], indices[k], timestep)
    return values
