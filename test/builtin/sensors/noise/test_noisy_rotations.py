"""Small rotations of orientations: about their own axes, and by angles that are normal."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from builtin.sensors.noise.chance import (
    check_correlation,
    check_distribution,
    check_mean,
    check_white,
)
from builtin.sensors.noise.sampling import SAMPLES, TIMESTEP, turned

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows

pytestmark = pytest.mark.slow

DEVIATION = 0.02
QUAT = np.array([0.5, -0.1, 0.7, 0.5])
NONE = AxisNoise(type='none')


def measured(*noises: AxisNoise, count: int = SAMPLES) -> np.ndarray:
    rows = noise_rows(noises if len(noises) == 3 else noises * 3, 3, 'stream')
    return turned(rows, QUAT, np.arange(count), TIMESTEP)


def own_turns(quats: np.ndarray) -> np.ndarray:
    """Returns the rotation vectors of the quaternions' noise, in their own axes."""
    back, relative = np.empty(4), np.empty(4)
    mujoco.mju_negQuat(back, QUAT)
    turns = np.empty((len(quats), 3))
    for quat, turn in zip(quats, turns, strict=True):
        mujoco.mju_mulQuat(relative, back, quat)
        mujoco.mju_quat2Vel(turn, relative, 1.0)
    return turns


def test_orientations_stay_of_unit_norm():
    norms = np.linalg.norm(measured(AxisNoise(stddev=DEVIATION)), axis=1)
    np.testing.assert_allclose(norms, 1.0, atol=1e-14)


def test_angles_about_each_axis_are_normal_white_and_independent():
    turns = own_turns(measured(AxisNoise(stddev=DEVIATION)))
    for axis in range(3):
        check_distribution(turns[:, axis], 0.0, DEVIATION)
        check_white(turns[:, axis])
        check_correlation(turns[:, axis], turns[:, axis - 1], of=3)


def test_the_mean_angle_is_that_of_maxwell():
    angles = np.linalg.norm(own_turns(measured(AxisNoise(stddev=DEVIATION))), axis=1)
    spread = DEVIATION * math.sqrt(3 - 8 / math.pi)
    check_mean(angles, 2 * DEVIATION * math.sqrt(2 / math.pi), spread)


@pytest.mark.parametrize('axis', range(3))
def test_noise_of_one_axis_turns_about_that_axis_of_the_sensor(axis):
    noises = [NONE] * 3
    noises[axis] = AxisNoise(bias_mean=0.3)
    about, small, wanted = np.eye(3)[axis], np.empty(4), np.empty(4)
    mujoco.mju_axisAngle2Quat(small, about, 0.3)
    mujoco.mju_mulQuat(wanted, QUAT, small)
    np.testing.assert_allclose(measured(*noises, count=2), [wanted] * 2, atol=1e-15)


def test_without_noise_the_numbers_are_what_they_were():
    for noise in (NONE, AxisNoise(), AxisNoise(type='none', stddev=1.0)):
        assert np.array_equal(measured(noise, count=3), [QUAT] * 3)


def test_noise_that_turns_by_nothing_leaves_the_orientation():
    rounded = AxisNoise(type='gaussian_quantized', stddev=1e-6, precision=0.1)
    np.testing.assert_allclose(measured(rounded, count=100), [QUAT] * 100, atol=1e-15)
