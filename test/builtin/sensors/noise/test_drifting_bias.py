"""The drifting bias compared with the Ornstein-Uhlenbeck process, whose distribution is known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from builtin.sensors.noise.chance import (
    check_correlation,
    check_distribution,
    check_white,
    deviations,
)
from builtin.sensors.noise.sampling import SAMPLES, TIMESTEP, biases, drifts, drifts_of_keys

from mujoco_ros_py.builtin.sensors.noise import AxisNoise, noise_rows

pytestmark = pytest.mark.slow

CORRELATION_S = 0.25
KEY = 0x1234567890ABCDE
KEYS = np.arange(SAMPLES) * 0x9E3779B97F4A7C1 + 11
PATH = np.arange(SAMPLES)
DECAY = math.exp(-TIMESTEP / CORRELATION_S)


def variance_at(time_s: float, correlation_s: float = CORRELATION_S) -> float:
    """The variance of a process that starts at 0, driven with density 1."""
    return -0.5 * correlation_s * math.expm1(-2 * time_s / correlation_s)


def path(indices: np.ndarray = PATH, key: int = KEY) -> np.ndarray:
    return drifts(key, indices, TIMESTEP, CORRELATION_S)


def test_it_begins_at_zero():
    assert path(np.array([0]))[0] == 0.0


@pytest.mark.parametrize('index', [1, 2, 3, 5, 8, 100, 1023, 1024, 1025, 123_456_789])
def test_over_many_seeds_each_sample_has_the_variance_of_its_age(index):
    values = drifts_of_keys(KEYS, index, TIMESTEP, CORRELATION_S)
    check_distribution(values, 0.0, math.sqrt(variance_at(index * TIMESTEP)))


PAIRS = [(0, 1), (1, 2), (3, 4), (4, 5), (7, 9), (63, 64), (64, 65), (100, 125), (4000, 4025)]


@pytest.mark.parametrize(('first', 'second'), PAIRS)
def test_over_many_seeds_samples_are_correlated_as_their_distance_says(first, second):
    one, other = (drifts_of_keys(KEYS, k, TIMESTEP, CORRELATION_S) for k in (first, second))
    decay = math.exp(-(second - first) * TIMESTEP / CORRELATION_S)
    step = other - decay * one
    check_distribution(step, 0.0, math.sqrt(variance_at((second - first) * TIMESTEP)))
    if first:
        check_correlation(step, one)
        before = variance_at(first * TIMESTEP)
        expected = decay * math.sqrt(before / variance_at(second * TIMESTEP))
        check_correlation(one, other, expected)


def test_along_one_path_what_is_new_in_each_sample_is_white_and_normal():
    values = path()
    new = values[1:] - DECAY * values[:-1]
    check_distribution(new, 0.0, math.sqrt(variance_at(TIMESTEP)))
    check_white(new, lags=70)


def test_what_is_new_depends_on_nothing_before():
    values = path()
    new = values[1:] - DECAY * values[:-1]
    for back in (0, 1, 2, 3, 7, 15, 31, 63):
        check_correlation(new[back:], values[: len(new) - back], of=8)


def test_one_path_tells_the_correlation_time():
    values = path()
    decay = np.sum(values[1:] * values[:-1]) / np.sum(values[:-1] ** 2)
    bound = deviations() * math.sqrt((1 - DECAY**2) / len(values))
    assert abs(decay - DECAY) < bound
    nearest, farthest = (-TIMESTEP / math.log(DECAY + side * bound) for side in (-1, 1))
    assert nearest < -TIMESTEP / math.log(decay) < farthest
    assert farthest - nearest < CORRELATION_S, 'the bound tells something'


def test_a_path_is_the_same_in_whatever_order_and_however_thinly_it_is_asked_for():
    whole, mixed = path(), np.random.default_rng(1).permutation(PATH)
    assert np.array_equal(path(mixed), whole[mixed])
    assert np.array_equal(path(PATH[::-1]), whole[::-1])
    assert np.array_equal(path(PATH[::7]), whole[::7])
    for index in (1, 17, 1024, SAMPLES - 1):
        assert path(np.array([index]))[0] == whole[index]


def test_samples_of_years_ago_are_asked_for_at_once():
    far = np.array([2**40 - 1, 2**40, 2**40 + 1])
    values = path(far)
    assert np.all(np.isfinite(values))
    assert len(set(values)) == 3


def test_a_very_long_correlation_time_makes_a_random_walk():
    for index in (1, 3, 100, 10_000):
        values = drifts_of_keys(KEYS, index, TIMESTEP, 1e12)
        check_distribution(values, 0.0, math.sqrt(index * TIMESTEP))


def test_a_very_short_correlation_time_makes_white_noise():
    values = drifts(KEY, PATH, TIMESTEP, 1e-6)[1:]
    check_distribution(values, 0.0, math.sqrt(0.5e-6))
    check_white(values)


def test_a_sensor_has_it_scaled_by_the_density_of_what_drives_it():
    noise = AxisNoise(
        bias_mean=3.0, dynamic_bias_stddev=0.2, dynamic_bias_correlation_time=CORRELATION_S
    )
    rows = noise_rows([noise] * SAMPLES, 3, 'stream')
    values = biases(rows, 0, np.array([0, 1, 5000]), TIMESTEP)
    assert set(values[:, 0]) == {3.0}
    check_distribution(values[:, 1], 3.0, 0.2 * math.sqrt(variance_at(TIMESTEP)))
    check_distribution(values[:, 2], 3.0, 0.2 * math.sqrt(CORRELATION_S / 2))
