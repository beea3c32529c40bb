"""Valid noise configurations, and the errors of invalid ones."""

from __future__ import annotations

import pytest

from mujoco_ros_py.builtin.sensors.compound.imu import ImuConfig
from mujoco_ros_py.builtin.sensors.named.sensors import SensorsConfig
from mujoco_ros_py.builtin.sensors.noise import AxisNoise, VectorNoise
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError

WRONG = [
    ({'stddev': -1}, 'stddev must be at least 0, got -1'),
    ({'bias_stddev': -0.5}, 'bias_stddev must be at least 0, got -0.5'),
    ({'precision': -1.0}, 'precision must be at least 0, got -1'),
    ({'dynamic_bias_stddev': -1.0}, 'dynamic_bias_stddev must be at least 0, got -1'),
    (
        {'dynamic_bias_stddev': 1.0},
        'dynamic_bias_correlation_time must be > 0 if dynamic_bias_stddev is > 0, got 0',
    ),
    (
        {'dynamic_bias_correlation_time': -1.0},
        'dynamic_bias_correlation_time must be at least 0, got -1',
    ),
    (
        {'type': 'gausian'},
        "type must be one of none, gaussian, gaussian_quantized, got 'gausian'",
    ),
    ({'stdev': 1.0}, "unknown parameter 'stdev' (did you mean 'stddev'?)"),
    ({'stddev': 'big'}, "stddev must be a number, got 'big'"),
    ({'mean': float('nan')}, 'mean must be finite, got nan'),
    ({'stddev': float('inf')}, 'stddev must be finite (at least 0), got inf'),
]


@pytest.mark.parametrize(('noise', 'words'), WRONG)
@pytest.mark.parametrize('axis', ['', 'y'])
def test_wrong_noise_of_a_named_sensor_is_refused_with_its_place(noise, words, axis):
    place = f'noise.gyro.{axis}.' if axis else 'noise.gyro.'
    with pytest.raises(ConfigError) as refused:
        read(SensorsConfig, {'noise': {'gyro': {axis: noise} if axis else noise}})
    assert words in str(refused.value)
    assert place.rstrip('.') in str(refused.value)


@pytest.mark.parametrize(('noise', 'words'), WRONG)
def test_wrong_noise_of_an_inertial_unit_is_refused_with_its_place(noise, words):
    with pytest.raises(ConfigError) as refused:
        read(ImuConfig, {'noise': {'angular_velocity': noise}})
    assert words in str(refused.value)
    assert 'noise.angular_velocity' in str(refused.value)


def test_an_axis_has_the_common_noise_unless_it_has_one_of_its_own():
    noise = read(SensorsConfig, {'noise': {'gyro': {'stddev': 0.1, 'y': {'mean': 2.0}}}}).noise
    x, y, z = noise['gyro'].axes
    assert (x.stddev, y.stddev, z.stddev) == (0.1, 0.0, 0.1)
    assert (x.mean, y.mean, z.mean) == (0.0, 2.0, 0.0)


def test_noise_without_a_word_is_no_noise():
    assert VectorNoise().axes == (VectorNoise(),) * 3
    assert AxisNoise().type == 'gaussian'


@pytest.mark.parametrize(
    ('noise', 'silent'),
    [
        (AxisNoise(), True),
        (VectorNoise(), True),
        (AxisNoise(type='none', stddev=1.0), True),
        (AxisNoise(precision=1.0), True),
        (VectorNoise(x=AxisNoise(stddev=1.0)), True),
        (AxisNoise(dynamic_bias_correlation_time=1.0), True),
        (AxisNoise(type='gaussian_quantized', precision=1.0), False),
        (AxisNoise(type='gaussian_quantized'), True),
        (AxisNoise(mean=-1.0), False),
        (AxisNoise(bias_stddev=1.0), False),
    ],
)
def test_noise_that_changes_no_number_is_silent(noise, silent):
    assert noise.silent is silent
