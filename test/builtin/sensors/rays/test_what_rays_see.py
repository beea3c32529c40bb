"""Objects that the scanners' rays hit or pass through, over DDS."""

from __future__ import annotations

import math

import pytest
from deadline import DEADLINE_S
from sensor_msgs.msg import LaserScan, PointCloud2, Range

from mujoco_ros_py.simulation.edits import shape_geom

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


PASSIVE = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <site name="post"/>
    <geom name="far" type="box" size="0.1 0.1 0.1" pos="0 0 5"/>
    <geom name="wall" type="box" size="0.1 2 2" pos="3 0 0" contype="0" conaffinity="0"/>
  </worldbody>
</mujoco>
"""
"""A wall that collides with nothing; another geom of its body does collide."""


def test_a_wall_without_collisions_is_hit_by_all_sensors_with_rays(measured):
    (scan,) = measured(PASSIVE, 'LaserScan', LaserScan, {**AHEAD, 'site': 'post'})
    assert scan.ranges[0] == pytest.approx(2.9)
    (points,) = measured(
        PASSIVE, 'Lidar', PointCloud2, {'site': 'post', 'directions': [[1, 0, 0], [0, 1, 0]]}
    )
    assert points.width == 1
    (distance,) = measured(
        PASSIVE, 'Range', Range, {'site': 'post', 'samples': 1, 'field_of_view': 0.0}
    )
    assert distance.range == pytest.approx(2.9)


def test_a_wall_that_has_grown_while_the_model_runs_is_hit(sense):
    config = {'type': 'mujoco_ros_py/LaserScan', 'name': 'scan', 'site': 'post', **AHEAD}
    sensing = sense(PASSIVE.replace('pos="3 0 0"', 'pos="3 5 0"'), config)
    scan = sensing.hear(LaserScan, '/scan', 500.0)
    assert scan.last.ranges[0] == math.inf
    wall = sensing.call(lambda model, data: model.geom('wall').id)
    change = sensing.simulation.edit(
        lambda model, data, edit: shape_geom(model, wall, None, [0.1, 6, 2], edit)
    )
    change.result(DEADLINE_S)
    sensing.step(1)
    assert scan.last.ranges[0] == pytest.approx(2.9)
