"""The noise of depth images has the bias of other sensors, which drifts by the same law."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.sensors.noise.chance import check_correlation, check_distribution, check_white
from builtin.sensors.noise.sampling import TIMESTEP, biases

from mujoco_ros_py.builtin.sensors.depth.depth_cloud import DepthNoise
from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows

FLAT = np.full((2, 3), 2.0, np.float32)


@pytest.mark.slow
def test_the_bias_of_an_image_drifts_as_that_of_other_sensors_with_the_same_key():
    noise = AxisNoise(dynamic_bias_stddev=0.5, dynamic_bias_correlation_time=0.2, bias_mean=0.1)
    depth = DepthNoise(noise, 7, '/cloud')
    indices = np.array([0, 1, 2, 77, 100_000])
    wanted = biases(noise_rows([noise], 7, '/cloud'), 0, indices, TIMESTEP)[0]
    assert len(set(wanted)) == len(wanted)
    told = [depth.applied(FLAT, int(index), TIMESTEP) for index in indices]
    for image, bias in zip(told, wanted, strict=True):
        np.testing.assert_allclose(image, 2.0 + bias, rtol=1e-6)


def test_what_is_not_seen_stays_so():
    far = np.array([[np.inf, 1.0]], np.float32)
    noise = AxisNoise(stddev=1.0, dynamic_bias_stddev=1.0, dynamic_bias_correlation_time=1.0)
    measured = DepthNoise(noise, 1, '/cloud').applied(far, 5, TIMESTEP)
    assert measured[0, 0] == np.inf
    assert measured[0, 1] != 1.0


def test_each_point_has_white_noise_which_the_seed_and_the_moment_tell():
    flat, noise = np.zeros((100, 100), np.float32), AxisNoise(mean=0.5, stddev=0.1)
    image = DepthNoise(noise, 3, '/cloud').applied(flat, 12, TIMESTEP).ravel().astype(float)
    check_distribution(image, 0.5, 0.1)
    check_white(image)
    again = DepthNoise(noise, 3, '/cloud').applied(flat, 12, TIMESTEP)
    assert np.array_equal(again.ravel(), image.astype(np.float32))
    for seed, name, sample in ((4, '/cloud', 12), (3, '/other', 12), (3, '/cloud', 13)):
        other = DepthNoise(noise, seed, name).applied(flat, sample, TIMESTEP).ravel()
        check_correlation(image, other, of=3)
