"""Compiled: adds noise to what a sensor measures, and tells the covariances that follow."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins.compiled_code import inlined, separate
from .drifting_bias import drifting_bias
from .random_numbers import normal

WHITE, BIAS = 0, 1
"""The purposes of random numbers: noise of one measurement, and the constant bias."""


@inlined
def sample_index(model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns the number of a moment: its simulated time in steps. Noise is drawn by this."""
    return max(0, round(data.time / model.opt.timestep))


@inlined
def bias(noise: Any, lane: int, index: int, timestep: float) -> Any:
    """Returns the bias in a moment: the constant one of a lane, and the drifting one."""
    value = noise.bias_mean
    if noise.bias_stddev > 0:
        value += noise.bias_stddev * normal(noise.key, 0, lane, BIAS)
    if noise.drive > 0:
        key = noise.key + lane
        value += noise.drive * drifting_bias(key, index, timestep, noise.correlation_s)
    return value


@inlined
def rounded(noise: Any, value: float) -> Any:
    """Rounds to the precision of the noise, if it has one."""
    return round(value / noise.precision) * noise.precision if noise.precision > 0 else value


@inlined
def noisy_distance(noise: Any, shift: float, lane: int, value: float, index: int) -> Any:
    """Returns one of many numbers with a common bias, as a sensor measures it.

    `shift` is the mean of the noise and the bias together.
    """
    value += shift
    if noise.stddev > 0:
        value += noise.stddev * normal(noise.key, index, lane, WHITE)
    return rounded(noise, value)


@inlined
def noisy(noise: Any, lane: int, value: float, index: int, timestep: float) -> Any:
    """Returns a number as a sensor measures it.

    `noise` is a row of `noise_rows`; if several numbers share it, each has a `lane` of its own.
    `index` is the number of the moment.
    """
    if noise.on == 0:
        return value
    shift = noise.mean + bias(noise, lane, index, timestep)
    return noisy_distance(noise, shift, lane, value, index)


@separate
def noisy_vector(noises: Any, vector: Any, index: int, timestep: float) -> None:
    """Adds noise to the three numbers of a vector, in place; each has a row of noise."""
    for axis in range(3):
        vector[axis] = noisy(noises[axis], 0, vector[axis], index, timestep)


@separate
def noisy_rotation(noises: Any, quat: Any, index: int, timestep: float) -> None:
    """Turns a quaternion (w, x, y, z) by a small rotation about its own axes, in place.

    The noise of each axis is an angle in rad; the three of them are a rotation vector.
    """
    if noises[0].on == 0 and noises[1].on == 0 and noises[2].on == 0:
        return
    turn, small, result = np.zeros(3), np.empty(4), np.empty(4)
    noisy_vector(noises, turn, index, timestep)
    angle = mujoco.mju_normalize3(turn)
    mujoco.mju_axisAngle2Quat(small, turn, angle)
    mujoco.mju_mulQuat(result, quat, small)
    for k in range(4):
        quat[k] = result[k]


@inlined
def variance(noise: Any) -> Any:
    """Returns the variance of what is independent in each measurement: white noise and rounding.

    Rounding to steps of a precision adds its square over 12, as a uniform distribution has.
    """
    if noise.on == 0:
        return 0.0
    return noise.stddev * noise.stddev + noise.precision * noise.precision / 12


@inlined
def set_variances(covariance: Any, noises: Any) -> None:
    """Writes the variances of three axes into a covariance of nine numbers, row by row."""
    for axis in range(3):
        covariance[4 * axis] = variance(noises[axis])


@inlined
def set_covariance(covariance: Any, given: bool, numbers: Any, noises: Any) -> None:
    """Writes the nine numbers that are given, or the variances of three axes."""
    if given:
        for k in range(9):
            covariance[k] = numbers[k]
    else:
        set_variances(covariance, noises)
