"""White noise, constant bias and rounding, as SDFormat defines them."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.sensors.noise.chance import (
    check_correlation,
    check_distribution,
    check_mean,
    check_variance,
    check_white,
)
from builtin.sensors.noise.sampling import SAMPLES, TIMESTEP, biases, samples

from mujoco_ros_py.builtin.sensors.noise import (
    AxisNoise,
    VectorNoise,
    noise_rows,
    set_variances,
    variance,
)

pytestmark = pytest.mark.slow

INDICES = np.arange(SAMPLES)
TRUTH, MEAN, DEVIATION = 4.0, 0.3, 2.0


def measured(noise: AxisNoise, *, truth: float = TRUTH, lane: int = 0, seed: int = 5):
    rows = noise_rows([noise], seed, 'stream')
    return samples(rows, truth, lane, INDICES, TIMESTEP)[0]


def test_white_noise_has_its_mean_its_deviation_and_no_memory():
    errors = measured(AxisNoise(mean=MEAN, stddev=DEVIATION)) - TRUTH
    check_distribution(errors, MEAN, DEVIATION)
    check_white(errors)


@pytest.mark.parametrize(
    'noise',
    [
        AxisNoise(),
        AxisNoise(type='none', mean=1.0, stddev=1.0, bias_mean=1.0, bias_stddev=1.0),
        AxisNoise(type='none', dynamic_bias_stddev=1.0, dynamic_bias_correlation_time=1.0),
        AxisNoise(type='gaussian', precision=0.5),
        VectorNoise(x=AxisNoise(stddev=1.0)),
    ],
)
def test_without_noise_a_number_is_what_it_was(noise):
    assert set(measured(noise, truth=0.1)) == {0.1}


def test_rounding_alone_gives_the_nearest_multiple():
    noise = AxisNoise(type='gaussian_quantized', precision=0.25)
    for truth, rounded in [(0.1, 0.0), (0.13, 0.25), (-0.13, -0.25), (7.9, 8.0), (-7.8, -7.75)]:
        assert set(measured(noise, truth=truth)) == {rounded}


def test_noise_is_added_before_the_sum_is_rounded():
    fine = AxisNoise(mean=MEAN, stddev=DEVIATION)
    coarse = AxisNoise(type='gaussian_quantized', mean=MEAN, stddev=DEVIATION, precision=0.5)
    whole = measured(coarse)
    assert np.array_equal(whole, np.round(measured(fine) / 0.5) * 0.5)
    check_mean(whole - TRUTH, MEAN, DEVIATION)


def test_the_variance_that_covariances_tell_is_that_of_the_samples():
    noise = AxisNoise(type='gaussian_quantized', stddev=0.4, precision=0.5, bias_stddev=9.0)
    (row,) = noise_rows([noise], 1, 'stream')
    told = variance(row_of(row))
    assert told == pytest.approx(0.4**2 + 0.5**2 / 12)
    errors = measured(noise) - biases(noise_rows([noise], 5, 'stream'), 0, INDICES, TIMESTEP)[0]
    check_variance(errors, TRUTH, told)


def test_variances_are_on_the_diagonal_and_zero_where_there_is_no_noise():
    noises = AxisNoise(stddev=2.0), AxisNoise(type='none', stddev=3.0), AxisNoise(stddev=0.5)
    covariance = np.zeros(9)
    rows = [row_of(row) for row in noise_rows(noises, 1, 'stream')]
    set_variances(covariance, rows)
    assert list(covariance) == [4.0, 0, 0, 0, 0.0, 0, 0, 0, 0.25]


def row_of(row: np.void) -> np.recarray:
    return np.array([row]).view(np.recarray)[0]


def test_the_constant_bias_is_drawn_once_from_its_distribution():
    noise = AxisNoise(bias_mean=1.5, bias_stddev=0.5)
    rows = noise_rows([noise] * SAMPLES, 7, 'stream')
    drawn = samples(rows, TRUTH, 0, np.array([0, 1, 10**6, 2**40]), TIMESTEP) - TRUTH
    assert np.all(drawn == drawn[:, :1])
    check_distribution(drawn[:, 0], 1.5, 0.5)


def test_each_seed_draws_another_constant_bias():
    noise = AxisNoise(bias_mean=-2.0, bias_stddev=3.0)
    rows = np.concatenate([noise_rows([noise], seed, 'stream') for seed in range(SAMPLES)])
    drawn = biases(rows, 0, np.array([0]), TIMESTEP)[:, 0]
    check_distribution(drawn, -2.0, 3.0)
    check_white(drawn)


def test_a_bias_of_each_kind_and_white_noise_add():
    parts = [
        {'mean': MEAN, 'stddev': DEVIATION},
        {'bias_mean': 1.0, 'bias_stddev': 2.0},
        {'dynamic_bias_stddev': 0.5, 'dynamic_bias_correlation_time': 1.0},
    ]
    alone = [measured(AxisNoise(**part), truth=0.0) for part in parts]
    whole = measured(AxisNoise(**parts[0], **parts[1], **parts[2]), truth=0.0)
    np.testing.assert_allclose(whole, sum(alone), atol=1e-12)


def test_numbers_with_one_noise_but_lanes_of_their_own_are_independent():
    noise = AxisNoise(stddev=1.0)
    lanes = [measured(noise, lane=lane) for lane in range(6)]
    pairs = [(one, other) for k, one in enumerate(lanes) for other in lanes[:k]]
    for one, other in pairs:
        check_correlation(one, other, of=len(pairs))


def test_lanes_have_biases_of_their_own():
    noise = AxisNoise(bias_stddev=1.0, dynamic_bias_stddev=1.0, dynamic_bias_correlation_time=0.1)
    rows = noise_rows([noise], 5, 'stream')
    constant = [biases(rows, lane, np.array([0]), TIMESTEP)[0, 0] for lane in range(SAMPLES)]
    check_distribution(constant, 0.0, 1.0)
    late = np.array([0, 1000])
    drift = [np.diff(biases(rows, lane, late, TIMESTEP)[0])[0] for lane in range(SAMPLES)]
    check_distribution(drift, 0.0, np.sqrt(0.05))
    check_correlation(constant, drift)


def test_white_noise_and_both_biases_draw_numbers_of_their_own():
    white = AxisNoise(stddev=1.0)
    constant = AxisNoise(bias_stddev=1.0)
    drifting = AxisNoise(dynamic_bias_stddev=1.0, dynamic_bias_correlation_time=1.0)
    whites, constants, drifts = (
        samples(noise_rows([noise] * SAMPLES, 7, 'stream'), 0.0, 0, np.arange(2), TIMESTEP)
        for noise in (white, constant, drifting)
    )
    for one, other in [
        (whites[:, 0], constants[:, 0]), (whites[:, 1], drifts[:, 1]),
        (constants[:, 0], drifts[:, 1]), (whites[:, 0], drifts[:, 1]),
    ]:  # fmt: skip
        check_correlation(one, other, of=4)
