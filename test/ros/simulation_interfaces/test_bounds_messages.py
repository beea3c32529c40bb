"""Tests which boxes overlap with the bounds of a request."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

pytest.importorskip('simulation_interfaces.srv', reason='simulation_interfaces was not built')

from geometry_msgs.msg import Vector3
from simulation_interfaces.msg import Bounds

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.simulation_interfaces.bounds_messages import region_of

UNIT = -np.ones(3), np.ones(3)
HERE = np.zeros(3), np.eye(3)
TURNED = np.array([[np.cos(0.8), -np.sin(0.8), 0], [np.sin(0.8), np.cos(0.8), 0], [0, 0, 1.0]])


def bounds(kind, *points):
    vectors = [Vector3(**dict(zip('xyz', map(float, each), strict=True))) for each in points]
    return region_of(Bounds(type=kind, points=vectors))


@pytest.mark.parametrize(('near', 'expected'), [(0.99, True), (1.0, True), (1.01, False)])
def test_a_box_overlaps_as_far_as_its_corner(near, expected):
    region = bounds(Bounds.TYPE_BOX, (near + 1, near + 1, near + 1), (near, near, near))
    assert region.overlaps(UNIT, *HERE) is expected
    assert region.overlaps(None, *HERE), 'what has no bounds overlaps with all'


def test_a_small_box_inside_overlaps():
    assert bounds(Bounds.TYPE_BOX, (0.1, 0.1, 0.1), (0, 0, 0)).overlaps(UNIT, *HERE)
    assert bounds(Bounds.TYPE_BOX, (9, 9, 9), (-9, -9, -9)).overlaps(UNIT, *HERE)


def test_a_sphere_overlaps_up_to_its_radius():
    corner = np.sqrt(3.0)
    for radius, expected in ((corner * 1.01, True), (corner * 0.99, False)):
        region = bounds(Bounds.TYPE_SPHERE, (2, 2, 2), (radius, 0, 0))
        assert region.overlaps(UNIT, *HERE) is expected


def test_a_hull_overlaps_where_no_plane_is_between():
    triangle = (3, 0, 0), (0, 3, 0), (0, 0, 3)
    assert not bounds(2, *triangle).overlaps(UNIT, np.array([-0.1, -0.1, -0.1]), np.eye(3))
    assert bounds(2, *triangle).overlaps(UNIT, np.array([0.1, 0.1, 0.1]), np.eye(3))
    assert bounds(2, *triangle).overlaps(UNIT, *HERE)


@pytest.mark.parametrize('count', [60, pytest.param(300, marks=pytest.mark.nightly)])
def test_random_hulls_overlap_exactly_where_no_direction_separates_them(count):
    random = np.random.default_rng(3)
    directions = random.normal(size=(4000, 3))
    corners = np.array(list(itertools.product((-1, 1), repeat=3)))
    counts = {True: 0, False: 0}
    for _ in range(count):
        position = random.uniform(-3, 3, 3)
        points = random.normal(size=(random.integers(3, 9), 3))
        box = corners @ TURNED.T + position
        first, second = directions @ points.T, directions @ box.T
        gaps = np.maximum(first.min(1) - second.max(1), second.min(1) - first.max(1))
        separated = bool((gaps > 0).any())
        found = bounds(2, *points).overlaps(UNIT, position, TURNED)
        if separated:
            assert not found
        elif gaps.max() < -0.1:
            assert found
        counts[found] += 1
    assert min(counts.values()) > count / 6


@pytest.mark.parametrize(
    ('kind', 'points'),
    [
        (1, [(1, 1, 1)]), (1, [(0, 0, 0), (1, 1, 1)]), (2, [(0, 0, 0), (1, 1, 1)]),
        (3, [(0, 0, 0)]), (3, [(0, 0, 0), (0, 0, 0)]), (3, [(0, 0, 0), (-1, 0, 0)]),
        (1, [(np.nan, 1, 1), (0, 0, 0)]), (9, []), (2, [(0, 0, 0)] * 1001),
    ],
)  # fmt: skip
def test_wrong_bounds_are_refused(kind, points):
    with pytest.raises(ConfigError):
        bounds(kind, *points)
