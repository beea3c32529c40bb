"""Sensor stamps continue over a reset if configured, and nothing else changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="bob">
      <joint axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/><site name="eye" pos="0.3 0 0"/>
    </body>
    <geom type="box" size="0.1 5 5" pos="3 0 0"/>
  </worldbody>
  <sensor>
    <gyro name="gyro" site="eye"/>
    <accelerometer name="accelerometer" site="eye"/>
  </sensor>
</mujoco>
"""
NOISE = {'type': 'gaussian', 'stddev': 0.1}
PLUGINS = [
    {
        'type': 'mujoco_ros_py/Imu', 'name': 'imu', 'site': 'eye',
        'noise': {'angular_velocity': {'x': NOISE}},
    },
    {
        'type': 'mujoco_ros_py/LaserScan', 'name': 'scan', 'site': 'eye', 'samples': 3,
        'update_rate': 500.0,
    },
]  # fmt: skip


def measured(time_after_reset: str) -> tuple[list[float], list[Any]]:
    """Returns the stamps of both sensors over three resets, and their measurements."""
    stamps, values = [], []
    options = {'plugins': PLUGINS, 'time_after_reset': time_after_reset}
    with Session(mujoco_xml=MODEL, **options) as session:
        imu, scan = session.plugins['imu'], session.plugins['scan']
        for _ in range(3):
            for _ in range(3):
                session.step(5)
                turn, seen = imu.measure(), scan.measure()
                stamp = turn.header.stamp
                assert (stamp.sec, stamp.nanosec) == (
                    seen.header.stamp.sec,
                    seen.header.stamp.nanosec,
                )
                stamps.append(stamp.sec + stamp.nanosec * 1e-9)
                values.append((turn.angular_velocity.x, turn.linear_acceleration.x, *seen.ranges))
            session.reset()
    return stamps, values


def test_only_the_stamps_continue_over_a_reset():
    restarting, expected = measured('restart')
    assert restarting == pytest.approx([0.01, 0.02, 0.03] * 3)
    continuing, values = measured('continue')
    assert continuing == pytest.approx(
        [k * 0.032 + time for k in range(3) for time in (0.01, 0.02, 0.03)]
    )
    assert all(before < after for before, after in pairwise(continuing))
    assert values == expected
    assert expected[:3] == expected[3:6], 'noise is a function of the simulation time'
