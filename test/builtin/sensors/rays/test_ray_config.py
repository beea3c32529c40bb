"""The configuration of ray sensors, and its requirements on the model."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.builtin.sensors.rays.laser_scan import LaserScan, LaserScanConfig
from mujoco_ros_py.builtin.sensors.rays.lidar import Lidar, LidarConfig, ray_directions
from mujoco_ros_py.config import read
from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session import Session

MODEL = """
<mujoco>
  <worldbody>
    <body name="robot"><freejoint/><geom size="0.1"/><site name="laser"/></body>
    <body name="wall"><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
    ('values', 'words'),
    [
        ({}, 'site must be given'),
        (
            {'site': 'laser', 'range': {'min': 2.0, 'max': 1.0}},
            'range.min must be less than max, got 2 and 1',
        ),
        ({'site': 'laser', 'range': {'max': 0.0}}, r'range.*max must be greater than 0'),
        ({'site': 'laser', 'samples': 0}, 'samples must be at least 1'),
        (
            {'site': 'laser', 'min_angle': 1.0, 'max_angle': 0.0},
            'max_angle must be at least min_angle, got 0 and 1',
        ),
        (
            {'site': 'laser', 'samples': 1, 'min_angle': 0.0},
            'max_angle must equal min_angle if samples is 1, got 3.14159 and 0',
        ),
        ({'site': 'laser', 'geom_groups': [6]}, 'geom_groups must be from 0 to 5, got 6'),
        ({'site': 'laser', 'spin_steps': 0}, 'spin_steps must be at least 1'),
        ({'site': 'laser', 'noise': {'stdev': 1.0}}, "unknown parameter 'stdev'.*stddev"),
        (
            {'site': 'laser', 'noise': {'dynamic_bias_stddev': 1.0}},
            'dynamic_bias_correlation_time must be > 0',
        ),
    ],
)
def test_a_wrong_configuration_is_refused_with_the_place_and_the_rule(values, words):
    with pytest.raises(ConfigError, match=words):
        read(LaserScanConfig, values)


def test_directions_need_a_length():
    with pytest.raises(ConfigError, match=r'directions\[1\] must have a nonzero length, got \(0'):
        read(LidarConfig, {'site': 'laser', 'directions': [[1.0, 0, 0], [0, 0, 0]]})


@pytest.mark.parametrize(
    ('config', 'words'),
    [
        ({'site': 'nose'}, "site: unknown site 'nose'; known: laser"),
        (
            {'site': 'laser', 'update_rate': 100.0, 'spin_steps': 6},
            'spin_steps: 600 parts per second exceed the 500 steps per second of the model',
        ),
        (
            {'site': 'laser', 'exclude': ['crate']},
            "exclude: unknown body 'crate'; known: robot, wall",
        ),
    ],
)
@pytest.mark.parametrize('kind', [LaserScan, Lidar])
def test_what_the_model_lacks_is_named_with_what_it_has(kind: Any, config, words):
    model = mujoco.MjModel.from_xml_string(MODEL)
    with Session(model, plugins=[{'type': kind, 'name': 'scan', **config}]) as session:
        (problem,) = session.problems
    assert words in problem


def test_the_rays_of_a_lidar_come_column_by_column_and_are_unit_vectors():
    config = read(
        LidarConfig,
        {
            'site': 'laser',
            'horizontal': {'samples': 3, 'min_angle': 0.0, 'max_angle': math.pi},
            'vertical': {'samples': 2, 'min_angle': -0.1, 'max_angle': 0.3},
        },
    )
    rays, rings = ray_directions(config)
    assert rings == 2
    assert np.linalg.norm(rays, axis=1) == pytest.approx(1.0)
    turns = np.arctan2(rays[:, 1], rays[:, 0])
    assert turns == pytest.approx([0, 0, math.pi / 2, math.pi / 2, math.pi, math.pi])
    assert np.arcsin(rays[:, 2]) == pytest.approx([-0.1, 0.3] * 3)


def test_a_range_of_one_angle_has_no_other_end():
    wide = {'site': 'laser', 'vertical': {'max_angle': 0.5}}
    with pytest.raises(ConfigError, match=r'vertical.max_angle must equal min_angle if samples'):
        read(LidarConfig, wide)
    single = {'samples': 1, 'min_angle': 0.2, 'max_angle': 0.2}
    rays, rings = ray_directions(read(LidarConfig, {'site': 'laser', 'horizontal': single}))
    assert (len(rays), rings) == (1, 1)
    assert np.arctan2(rays[0, 1], rays[0, 0]) == pytest.approx(0.2)


def test_the_default_lidar_looks_in_each_direction_once():
    rays, rings = ray_directions(read(LidarConfig, {'site': 'laser'}))
    turns = np.unwrap(np.arctan2(rays[:, 1], rays[:, 0]))
    assert (rings, len(rays)) == (1, 360)
    assert np.diff(turns) == pytest.approx(2 * math.pi / 360)
