"""The noise of Imu over DDS, and the covariances that follow from it."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from builtin.sensors.compound.swinging_imu import (
    PENDULUM,
    SENSORS,
    TIMESTEP,
    WITHOUT_SENSORS,
    imu,
    swing,
    swung,
    truth,
    wxyz,
    xyz,
)
from builtin.sensors.named.sensed_robot import noise_at
from sensor_msgs.msg import Imu

from mujoco_ros_py.builtin.sensors.noise import AxisNoise

NOISE = {
    'angular_velocity': {'stddev': 0.01, 'x': {'stddev': 0.03}},
    'linear_acceleration': {
        'type': 'gaussian_quantized', 'stddev': 0.2, 'precision': 0.5, 'bias_stddev': 7.0,
    },
    'orientation': {'stddev': 0.02},
}  # fmt: skip
VARIANCES = {
    'angular_velocity': [0.03**2, 0.01**2, 0.01**2],
    'linear_acceleration': [0.2**2 + 0.5**2 / 12] * 3,
    'orientation': [0.02**2] * 3,
}


def test_covariances_follow_from_the_noise_and_the_truth_has_none(sense):
    sensing = sense(WITHOUT_SENSORS, imu(site='imu', noise=NOISE))
    noisy, true = sensing.hear_all({'/imu': Imu, '/imu/ground_truth': Imu}, 1 / TIMESTEP)
    for part, variances in VARIANCES.items():
        told = getattr(noisy.last, f'{part}_covariance')
        np.testing.assert_allclose(told, np.diag(variances).ravel(), atol=1e-15)
        assert list(getattr(true.last, f'{part}_covariance')) == [0.0] * 9
    results = sensing.client.set_parameters(imu__noise__orientation__stddev=0.5)
    assert results[0].successful
    sensing.step(1)
    told = noisy.last.orientation_covariance
    np.testing.assert_allclose(told, 0.25 * np.eye(3).ravel(), atol=1e-15)


@pytest.mark.slow
def test_each_axis_of_each_part_has_noise_of_its_own(sense):
    noise = AxisNoise(stddev=0.1, bias_stddev=0.3)
    given = {part: {'stddev': 0.1, 'bias_stddev': 0.3} for part in VARIANCES}
    sensing = sense(WITHOUT_SENSORS, imu(site='imu', noise=given, seed=4))
    noisy, true = sensing.hear_all({'/imu': Imu, '/imu/ground_truth': Imu}, 1 / TIMESTEP)
    sensing.call(swing)
    sensing.step(9)
    times = noisy.by_time.keys() & true.by_time.keys()
    assert len(times) >= 9
    for time in times:
        drawn = [noise_at(time, noise, seed=4, stream='/imu', row=row) for row in range(9)]
        measured, exact = noisy.by_time[time], true.by_time[time]
        errors = [
            *xyz(measured.angular_velocity) - xyz(exact.angular_velocity),
            *xyz(measured.linear_acceleration) - xyz(exact.linear_acceleration),
        ]
        np.testing.assert_allclose(errors, drawn[:6], atol=1e-12)
        np.testing.assert_allclose(
            turn_between(exact.orientation, measured.orientation), drawn[6:], atol=1e-9
        )


def turn_between(first: Any, second: Any) -> np.ndarray:
    """The rotation vector from one orientation to another, in the axes of the first."""
    back, relative, turn = np.empty(4), np.empty(4), np.empty(3)
    mujoco.mju_negQuat(back, wxyz(first))
    mujoco.mju_mulQuat(relative, back, wxyz(second))
    mujoco.mju_quat2Vel(turn, relative, 1.0)
    return turn


@pytest.mark.slow
def test_covariances_that_are_configured_take_the_place_of_those_of_the_noise(sense):
    given = [float(k) for k in range(1, 10)]
    sensing = sense(
        WITHOUT_SENSORS,
        imu(
            site='imu', noise=NOISE, static_covariance_orientation=given,
            static_covariance_linear_acceleration=given[::-1],
        ),
    )  # fmt: skip
    for topic in ('/imu', '/imu/ground_truth'):
        message = sensing.hear(Imu, topic).last
        assert list(message.orientation_covariance) == given
        assert list(message.linear_acceleration_covariance) == given[::-1]
    message = sensing.hear(Imu, '/imu').last
    assert message.angular_velocity_covariance[0] == pytest.approx(0.03**2)


@pytest.mark.slow
def test_a_unit_without_orientation_says_so(sense):
    named = {'angular_velocity': 'gyro', 'linear_acceleration': 'accelerometer'}
    sensing = sense(
        PENDULUM.replace('SENSORS', SENSORS),
        imu(**named, enable_orientation=False, noise=NOISE,
            static_covariance_orientation=[1.0] * 9),
    )  # fmt: skip
    heard, moments = swung(sensing, '/imu/ground_truth', steps=30)
    for message in heard.messages:
        assert list(message.orientation_covariance) == [-1.0] + [0.0] * 8
        assert list(wxyz(message.orientation)) == [1.0, 0.0, 0.0, 0.0]
    for time, state in moments.items():
        velocity, acceleration, _ = truth(*state)
        message = heard.by_time[time]
        np.testing.assert_allclose(xyz(message.angular_velocity), velocity, atol=1e-9)
        np.testing.assert_allclose(xyz(message.linear_acceleration), acceleration, atol=1e-9)
