"""Compiled functions that add noise to measurements and compute the resulting covariances."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from ....plugins.compiled_code import inlined, separate
from .drifting_bias import drifting_bias
from .random_numbers import normal

WHITE, BIAS = 0, 1
"""The argument `purpose` of `normal` for white noise, and for the constant bias."""


@inlined
def sample_index(model: mujoco.MjModel, data: mujoco.MjData) -> Any:
    """Returns the sample number that selects the random numbers: the simulated time in steps."""
    return max(0, round(data.time / model.opt.timestep))


@inlined
def bias(noise: Any, lane: int, index: int, timestep: float) -> Any:
    """Returns the bias of a number at a sample: the constant bias plus the drifting bias.

    `lane` distinguishes numbers that share the row `noise`.
    """
    value = noise.bias_mean
    if noise.bias_stddev > 0:
        value += noise.bias_stddev * normal(noise.key, 0, lane, BIAS)
    if noise.drive > 0:
        key = noise.key + lane
        value += noise.drive * drifting_bias(key, index, timestep, noise.correlation_s)
    return value


@inlined
def rounded(noise: Any, value: float) -> Any:
    """Rounds a value to the precision of the noise, if any."""
    return round(value / noise.precision) * noise.precision if noise.precision > 0 else value


@inlined
def noisy_distance(noise: Any, shift: float, lane: int, value: float, index: int) -> Any:
    """Returns a number with noise, for numbers that share a bias, such as the ranges of a scan.

    `shift` is the sum of the noise's mean and the bias.
    """
    value += shift
    if noise.stddev > 0:
        value += noise.stddev * normal(noise.key, index, lane, WHITE)
    return rounded(noise, value)


@inlined
def noisy(noise: Any, lane: int, value: float, index: int, timestep: float) -> Any:
    """Returns a number with noise.

    `noise` is a row of `noise_rows`; numbers that share a row need different `lane`s. `index` is
    the sample number.
    """
    if noise.on == 0:
        return value
    shift = noise.mean + bias(noise, lane, index, timestep)
    return noisy_distance(noise, shift, lane, value, index)


@separate
def noisy_vector(noises: Any, vector: Any, index: int, timestep: float) -> None:
    """Adds noise to a vector in place; `noises` has a row for each of the three axes."""
    for axis in range(3):
        vector[axis] = noisy(noises[axis], 0, vector[axis], index, timestep)


@separate
def noisy_rotation(noises: Any, quat: Any, index: int, timestep: float) -> None:
    """Rotates a quaternion (w, x, y, z) slightly about its own axes, in place.

    The noise of each axis is an angle in rad; the three angles form a rotation vector.
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
    """Returns the variance of the noise that differs between samples: white noise and rounding.

    Rounding to multiples of a precision p adds p^2 / 12, the variance of a uniform distribution.
    """
    if noise.on == 0:
        return 0.0
    return noise.stddev * noise.stddev + noise.precision * noise.precision / 12


@inlined
def set_variances(covariance: Any, noises: Any) -> None:
    """Writes the variances of three axes to the diagonal of a row-major 3x3 covariance."""
    for axis in range(3):
        covariance[4 * axis] = variance(noises[axis])


@inlined
def set_covariance(covariance: Any, given: bool, numbers: Any, noises: Any) -> None:
    """Writes a configured covariance (if `given`), or else the variances of three axes."""
    if given:
        for k in range(9):
            covariance[k] = numbers[k]
    else:
        set_variances(covariance, noises)
