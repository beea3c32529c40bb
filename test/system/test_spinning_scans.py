"""Scanners that spin, each part of whose scan is measured in its own moment, against walls."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from sensor_msgs.msg import LaserScan

from .harness import seconds, wait_until
from .test_scans import EAST, ROOM, SPEED, given, scanner

pytestmark = pytest.mark.slow

SCAN_HZ, STEPS = 5.0, 10
AT_REST = {
    'mujoco_xml': ROOM,
    'unpause': False,
    'realtime': 1.0,
    'MujocoPlugins': '[]',
    'initial_joint_velocities.joint_map.slide': 0.0,
}


def test_each_part_of_a_spinning_scan_is_measured_from_where_the_sensor_is_by_then(share):
    """The base drives to the east wall, so that every part sees it nearer than the one before."""
    spinning = scanner(
        'scan', samples=100, min_angle=-0.5, max_angle=0.5, update_rate=SCAN_HZ,
        spin_steps=STEPS, range={'max': 20.0},
    )  # fmt: skip
    speed = {'initial_joint_velocities.joint_map.slide': SPEED}
    _, client = share(AT_REST, given=given(spinning, **speed))
    messages = client.collect(LaserScan, '/scan')
    wait_until(lambda: client.node.count_publishers('/scan'), 'the topic')
    assert client.pause(False).success
    wait_until(lambda: len(messages) > 2, 'scans')
    for message in messages[:3]:
        begin = seconds(message.header.stamp)
        assert round(begin * SCAN_HZ, 6).is_integer(), 'the stamp is that of the first ray'
        for k, measured in enumerate(message.ranges):
            angle, part = -0.5 + k / 99, k * STEPS // 100
            x = SPEED * (begin + part / STEPS / SCAN_HZ)
            assert measured == pytest.approx((EAST - x) / math.cos(angle), abs=1e-5)
        assert message.time_increment == pytest.approx(1 / SCAN_HZ / 100)


def test_a_spinning_scan_is_complete_in_a_simulation_that_runs_as_fast_as_it_can(share):
    """Whole revolutions pass between two moments, so all rays are measured at once."""
    spinning = {'update_rate': 20.0, 'spin_steps': 10, 'samples': 50, 'range': {'max': 20.0}}
    scan = scanner('scan', min_angle=-0.5, max_angle=0.5, **spinning)
    _, client = share(AT_REST, given=given(scan, realtime=-1.0))
    messages = client.collect(LaserScan, '/scan')
    assert client.pause(False).success
    wait_until(lambda: len(messages) > 5, 'scans')
    walls = [EAST / math.cos(-0.5 + k / 49) for k in range(50)]
    assert all(np.allclose(message.ranges, walls, atol=1e-5) for message in messages)
    stamps = [seconds(message.header.stamp) for message in messages]
    assert stamps == sorted(set(stamps))


def test_in_lockstep_every_part_of_a_scan_is_measured_in_its_moment_at_any_speed(start):
    """The simulation goes on without answers, and waits for the messages that it sends."""
    spinning = {'update_rate': SCAN_HZ, 'spin_steps': STEPS, 'samples': 20, 'range': {'max': 90.0}}
    scan = scanner('scan', min_angle=0.0, max_angle=0.1, **spinning)
    push = {'type': 'mujoco_ros_py/BodyWrench', 'name': 'push', 'body': 'base'}
    speed = {'initial_joint_velocities.joint_map.slide': -SPEED}
    lockstep = {
        'lockstep_period': 0.1,
        'lockstep_topics': ['/push/wrench'],
        'lockstep_timeout': 0.005,
        'lockstep_on_timeout': 'continue',
    }
    _, client = start({**AT_REST, **given(scan, push, realtime=-1.0, **speed), **lockstep})
    messages = client.collect(LaserScan, '/scan')
    wait_until(lambda: client.node.count_publishers('/scan'), 'the topic')
    wait_until(lambda: messages or client.pause(False), 'scans')
    wait_until(lambda: len(messages) > 5, 'scans')
    gaps = {
        round(seconds(after.header.stamp) - seconds(before.header.stamp), 6)
        for before, after in pairwise(messages)
    }
    assert gaps == {1 / SCAN_HZ}
    for message in messages[1:]:
        begin = seconds(message.header.stamp)
        for k, measured in enumerate(message.ranges):
            x = -SPEED * (begin + (k * STEPS // 20) / STEPS / SCAN_HZ)
            assert measured == pytest.approx((EAST - x) / math.cos(0.1 * k / 19), abs=1e-4)
