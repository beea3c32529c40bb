"""What the rays of scanners hit and what they pass, over DDS."""

from __future__ import annotations

import math

import pytest
from sensor_msgs.msg import LaserScan

pytestmark = pytest.mark.slow

ROW = """
<mujoco>
  <option timestep="0.002" gravity="0 0 0"/>
  <asset><material name="glass" rgba="1 1 1 0"/></asset>
  <worldbody>
    <site name="post" pos="0 1 0"/>
    <body name="robot">
      <freejoint/>
      <geom size="0.1" mass="1"/>
      <site name="laser"/>
      <body name="arm"><geom type="box" size="0.01 2 0.1" pos="0.2 0 0" mass="1"/></body>
    </body>
    <geom type="box" size="0.01 2 1" pos="0.51 0 0" rgba="1 1 1 0"/>
    <geom type="box" size="0.01 2 1" pos="1.01 0 0" material="glass"/>
    <body name="gate">
      <body name="door"><geom type="box" size="0.01 2 1" pos="2.01 0 0" contype="0"/></body>
    </body>
    <geom type="box" size="0.01 2 1" pos="3.01 0 0"/>
  </worldbody>
</mujoco>
"""
"""Along the x axis: the robot's own arm at 0.19, invisible walls at 0.5 and 1, a door, a wall."""
AHEAD = {'samples': 1, 'min_angle': 0.0, 'max_angle': 0.0, 'update_rate': 500.0}
DISTANCES = [
    ({'site': 'laser'}, 2.0),
    ({'site': 'laser', 'exclude_robot': False}, 0.1),
    ({'site': 'laser', 'exclude': ['gate']}, 3.0),
    ({'site': 'laser', 'exclude': ['world']}, 2.0),
    ({'site': 'laser', 'exclude': ['gate', 'world']}, math.inf),
    ({'site': 'post'}, 0.19),
    ({'site': 'post', 'exclude': ['arm']}, 2.0),
]


def test_rays_pass_what_is_invisible_the_robot_itself_and_what_is_excluded(measured):
    scans = measured(ROW, 'LaserScan', LaserScan, *({**AHEAD, **each} for each, _ in DISTANCES))
    for scan, (config, distance) in zip(scans, DISTANCES, strict=True):
        assert scan.ranges[0] == pytest.approx(distance), config


def test_a_ray_from_inside_of_a_geom_hits_its_surface(load_sensor):
    xml = ROW.replace('<geom size="0.1" mass="1"/>', '<geom size="0.15" mass="1"/>')
    config = {**AHEAD, 'site': 'laser', 'exclude_robot': False}
    message = load_sensor(xml, 'LaserScan', **config).measure(LaserScan)
    assert message.ranges[0] == pytest.approx(0.15)
