"""Imu over DDS, on a pendulum in motion, against the mechanics of a rigid pendulum."""

from __future__ import annotations

import numpy as np
import pytest
from builtin.sensors.compound.swinging_imu import (
    GRAVITY,
    PENDULUM,
    PLACE,
    SENSORS,
    TURN,
    UNNAMED,
    WITHOUT_SENSORS,
    imu,
    matrix,
    swung,
    truth,
    wxyz,
    xyz,
)
from sensor_msgs.msg import Imu

PARTS = ['angular_velocity', 'linear_acceleration', 'orientation']
NAMES = dict(zip(PARTS, ['gyro', 'accelerometer', 'attitude'], strict=True))
WAYS = {
    'sensors that are named': (PENDULUM.replace('SENSORS', SENSORS), NAMES),
    'sensors at the site': (PENDULUM.replace('SENSORS', UNNAMED), {'site': 'imu'}),
    'the site alone': (WITHOUT_SENSORS, {'site': 'imu'}),
}


@pytest.mark.parametrize(
    'way', [way if 'alone' in way else pytest.param(way, marks=pytest.mark.slow) for way in WAYS]
)
def test_a_pendulum_in_motion_is_measured_as_mechanics_has_it(sense, way):
    xml, config = WAYS[way]
    heard, moments = swung(sense(xml, imu(**config)))
    assert len(moments) == 40
    for time, state in moments.items():
        message = heard.by_time[time]
        velocity, acceleration, axes = truth(*state)
        np.testing.assert_allclose(xyz(message.angular_velocity), velocity, atol=1e-9)
        np.testing.assert_allclose(xyz(message.linear_acceleration), acceleration, atol=1e-9)
        np.testing.assert_allclose(matrix(wxyz(message.orientation)), axes, atol=1e-9)
        assert message.header.frame_id == 'imu'
        for part in PARTS:
            assert list(getattr(message, f'{part}_covariance')) == [0.0] * 9


@pytest.mark.slow
def test_a_unit_at_rest_feels_gravity_upwards(sense):
    xml = PENDULUM.replace('SENSORS', '').replace('<joint name="hinge" axis="0 1 0"/>', '')
    heard = sense(xml, imu(site='imu')).hear(Imu, '/imu')
    message = heard.last
    upwards = matrix(TURN).T @ [0.0, 0.0, GRAVITY]
    np.testing.assert_allclose(xyz(message.linear_acceleration), upwards, atol=1e-9)
    np.testing.assert_allclose(xyz(message.angular_velocity), np.zeros(3), atol=1e-12)


@pytest.mark.slow
def test_without_noise_there_is_one_topic_and_its_frame_is_on_tf_static(sense):
    sensing = sense(WITHOUT_SENSORS, imu(site='imu'))
    told = sensing.server.node.get_publisher_names_and_types_by_node('mujoco_server', '/')
    assert [name for name, types in told if types == ['sensor_msgs/msg/Imu']] == ['/imu']
    pytest.importorskip('tf2_msgs.msg', reason='tf2_msgs is not installed')
    frame = sensing.frames({'imu'})['imu']
    assert frame.header.frame_id == 'rod'
    np.testing.assert_allclose(xyz(frame.transform.translation), PLACE, atol=1e-12)
    np.testing.assert_allclose(wxyz(frame.transform.rotation), TURN, atol=1e-12)


@pytest.mark.slow
def test_topic_and_frame_may_have_names_of_their_own(sense):
    sensing = sense(
        WITHOUT_SENSORS, imu(site='imu', topic='imu/data', frame_id='imu_link'),
        frame_prefix='robot/',
    )  # fmt: skip
    assert sensing.hear(Imu, '/imu/data').last.header.frame_id == 'robot/imu_link'


WRONG = [
    (
        {},
        'angular_velocity must name a sensor of type gyro if no site is given; known: gyro; '
        'known sites: imu, other',
    ),
    ({'site': 'imv'}, "site: unknown site 'imv' (did you mean 'imu'?); known: imu, other"),
    (
        {'site': 'imu', 'angular_velocity': 'gyros'},
        "angular_velocity: unknown sensor of type gyro 'gyros' (did you mean 'gyro'?); known: ",
    ),
    (
        {'site': 'imu', 'linear_acceleration': 'gyro'},
        "linear_acceleration: unknown sensor of type accelerometer 'gyro'; known: accelerometer",
    ),
    (
        {'angular_velocity': 'gyro', 'linear_acceleration': 'accelerometer'},
        'orientation must name a sensor of type framequat if no site is given; known: ',
    ),
    (
        {'site': 'other', 'angular_velocity': 'gyro'},
        'must be in one frame, got angular_velocity in imu, linear_acceleration in other',
    ),
    (
        {'site': 'imu', 'static_covariance_orientation': [1.0, 2.0]},
        'static_covariance_orientation must be empty or have 9 numbers, got 2',
    ),
    ({'site': 'imu', 'update_rate': 0.0}, 'update_rate must be greater than 0'),
    ({'site': 'imu', 'noise': {'gyro': {}}}, "unknown parameter 'gyro'"),
    ({'site': 'imu', 'noise': {'orientation': {'stddev': -1.0}}}, 'must be at least 0, got -1'),
]


@pytest.mark.slow
@pytest.mark.parametrize(('config', 'words'), WRONG)
def test_what_cannot_be_measured_is_refused_with_what_there_is(refusal, config, words):
    assert words in refusal(PENDULUM.replace('SENSORS', SENSORS), 'Imu', **config)
