from math import acos, inf, nan, pi

import numpy as np
import pytest
from wall_following import Way, free_direction, points_of, velocity

WALL = np.linspace(-20, 20, 40_001)


def test_a_wall_at_the_right_distance_lets_the_robot_go_along_it():
    assert free_direction(WALL - 0.5j, -pi / 2, 0.5, 0.4) == pytest.approx(0.0, abs=2e-3)


@pytest.mark.parametrize('off', [-0.2, -0.1, 0.1, 0.2])
def test_a_step_in_the_direction_ends_at_the_distance_from_the_wall(off):
    direction = free_direction(WALL - (0.5 + off) * 1j, -pi / 2, 0.5, 0.4)
    assert 0.5 + off + 0.4 * np.sin(direction) == pytest.approx(0.5, abs=1e-3)
    assert abs(direction) < pi / 2


def test_around_an_edge_the_step_ends_on_a_circle():
    direction = free_direction(np.array([-0.5j]), -pi / 2, 0.5, 0.4)
    assert direction == pytest.approx(-pi / 2 + acos(0.4**2 / (2 * 0.4 * 0.5)))
    assert abs(0.4 * np.exp(1j * direction) + 0.5j) == pytest.approx(0.5)


def test_in_a_corner_it_goes_along_the_wall_ahead():
    corner = np.concatenate([WALL[WALL < 0.5] - 0.5j, 0.5 + 1j * WALL[WALL > -0.5]])
    assert free_direction(corner, -pi / 2, 0.5, 0.4) == pytest.approx(pi / 2, abs=2e-3)


def test_from_a_dead_end_it_goes_back_to_the_left():
    behind = WALL[WALL < 0.6]
    end = np.concatenate([behind - 0.6j, behind + 0.6j, 0.6 + 1j * WALL[np.abs(WALL) < 0.6]])
    assert pi / 2 < free_direction(end, -pi / 2, 0.5, 0.4) < 3 * pi / 2


@pytest.mark.parametrize(('width', 'passed'), [(0.9, True), (1.1, False)])
def test_an_opening_that_is_narrower_than_twice_the_distance_is_passed(width, passed):
    wall = WALL[np.abs(WALL) > width / 2] - 0.5j
    assert (free_direction(wall, -pi / 2, 0.5, 0.55) > -pi / 4) == passed


def test_what_is_far_away_forbids_nothing():
    assert free_direction(np.array([0.95]), 0.0, 0.5, 0.4) == 0.0
    assert free_direction(np.array([]), 1.0, 0.5, 0.4) == 1.0


def test_where_everything_is_too_near_there_is_no_direction():
    assert free_direction(np.array([0.05j]), 0.0, 0.5, 0.4) is None
    ring = 0.4 * np.exp(1j * np.radians(np.arange(360)))
    assert free_direction(ring, 0.0, 0.5, 0.4) is None


def test_straight_ahead_it_goes_with_full_speed_and_in_bends_on_an_arc_to_the_place():
    assert velocity(0.0, 0.4) == (0.5, 0.0)
    for direction in -0.3, 0.9:
        speed, turn = velocity(direction, 0.4)
        end = speed / turn * 1j * (1 - np.exp(2j * direction))  # the arc turns twice as far
        assert end == pytest.approx(0.4 * np.exp(1j * direction))
        assert abs(turn) <= 1.2 + 1e-9


@pytest.mark.parametrize(('direction', 'turn'), [(2.0, 1.2), (4.0, 1.2), (-1.3, -1.2)])
def test_to_what_is_aside_or_behind_it_turns_on_the_spot(direction, turn):
    assert velocity(direction, 0.4) == (0.0, turn)


def test_points_of_a_scan():
    ranges = [1.0, 2.0, inf, nan, -inf, 0.05, 11.0]
    points = points_of(ranges, -pi / 2, pi / 2, (0.1, 10.0))
    assert points == pytest.approx([-1j, 2.0, -0.1j])


def test_the_way_is_the_sum_of_all_steps():
    way = Way()
    for x, y in ((5.0, 5.0), (5.0, 6.0), (4.0, 6.0), (5.0, 6.0)):
        way.go_on(x, y)
    assert way.length == pytest.approx(3.0)
