"""Splines through the points of a trajectory, against their analytic form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from builtin.controllers.trajectories.trajectory_messages import trajectory

from mujoco_ros_py.builtin.controllers.trajectories.trajectory import Trajectory
from mujoco_ros_py.builtin.controllers.trajectories.trajectory_messages import Reader

STILL = np.zeros(2)
NO_WRAP = np.zeros(2, bool)


def read(*points: Any, now: float = 0.0, stamp: float = 0.0, **options: Any) -> Trajectory:
    reader = Reader(('turn', 'lift'), partial=True, moving_end=True)
    return reader.read(trajectory(*points, stamp=stamp, **options), now)


def begun(*points: Any, now: float = 0.0, **options: Any) -> Trajectory:
    made = read(*points, now=now, **options)
    made.begin(now, STILL, STILL, NO_WRAP)
    return made


def sine(time: float) -> tuple[Any, ...]:
    """Returns a point on sine and cosine, with two derivatives."""
    s, c = math.sin(time), math.cos(time)
    return (s, c), (c, -s), (-s, -c)


@pytest.mark.parametrize(
    ('fields', 'order'),
    [(1, 2), (2, 4), (3, 6)],
    ids=['positions: linear', 'and velocities: cubic', 'and accelerations: quintic'],
)
def test_the_interpolation_is_of_the_order_that_the_fields_permit(fields, order):
    errors = []
    for count in (8, 16):
        times = np.linspace(0.0, 2.0, count + 1)
        made = begun(*((time, *sine(time)[:fields]) for time in times))
        between = (times[1:] + times[:-1]) / 2
        off = [made.sample(time).position - sine(time)[0] for time in between]
        errors.append(np.abs(off).max())
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_between_two_points_the_polynomials_are_those_of_their_values():
    linear = begun((0.0, (0.0, 1.0)), (2.0, (4.0, 0.0)))
    assert linear.sample(0.5).position == pytest.approx([1.0, 0.75])
    assert linear.sample(0.5).velocity == pytest.approx([2.0, -0.5])
    cubic = begun((0.0, (0.0, 0.0), (0.0, 0.0)), (2.0, (4.0, 1.0), (0.0, 0.0)))
    u = 0.25
    assert cubic.sample(0.5).position[0] == pytest.approx(4 * (3 * u**2 - 2 * u**3))
    assert cubic.sample(0.5).velocity[0] == pytest.approx(4 * (6 * u - 6 * u**2) / 2)
    rest = (0.0, 0.0)
    quintic = begun((0.0, rest, rest, rest), (2.0, (4.0, 1.0), rest, rest))
    assert quintic.sample(0.5).position[0] == pytest.approx(4 * (10 * u**3 - 15 * u**4 + 6 * u**5))
    bend = 4 * (60 * u - 180 * u**2 + 120 * u**3) / 4
    assert quintic.sample(0.5).acceleration[0] == pytest.approx(bend)


def test_two_points_that_lack_a_field_differ_in_order_from_those_that_have_it():
    made = begun(
        (0.0, (0, 0), (0, 0)), (1.0, (1, 1), (0, 0)), (2.0, (2, 2)), (3.0, (3, 3), (0, 0))
    )
    assert made.sample(0.25).position[0] == pytest.approx(3 * 0.25**2 - 2 * 0.25**3)
    assert made.sample(1.25).position[0] == pytest.approx(1.25)
    assert made.sample(2.25).position[0] == pytest.approx(2.25)


def test_it_leads_from_where_the_joints_are_to_the_first_point():
    made = read((1.0, (1.0, 0.0), (0.0, 0.0)), (2.0, (2.0, 0.0), (0.0, 0.0)), now=5.0)
    made.begin(5.0, np.array([0.5, 0.0]), np.array([0.3, 0.0]), NO_WRAP)
    assert (made.start, made.end) == (5.0, 7.0)
    assert made.sample(5.0).position[0] == pytest.approx(0.5)
    assert made.sample(5.0).velocity[0] == pytest.approx(0.3)
    assert made.sample(6.0).position[0] == pytest.approx(1.0)
    assert (made.segment(5.5), made.segment(6.5)) == (0, 1)


def test_the_lead_to_the_first_point_has_the_degree_of_its_fields():
    rest = (0.0, 0.0)
    cubic = begun((1.0, (1.0, 0.0), rest))
    quintic = begun((1.0, (1.0, 0.0), rest, rest))
    u = 0.25
    assert cubic.sample(u).position[0] == pytest.approx(3 * u**2 - 2 * u**3)
    assert quintic.sample(u).position[0] == pytest.approx(10 * u**3 - 15 * u**4 + 6 * u**5)
    bent = read((1.0, (1.0, 0.0), rest, rest))
    bent.begin(0.0, STILL, STILL, NO_WRAP, np.array([2.0, 0.0]))
    assert bent.sample(0.0).acceleration[0] == pytest.approx(2.0)


def test_after_the_last_point_it_holds_that_without_a_velocity():
    made = begun((1.0, (1.0, 0.0), (0.5, 0.0)))
    after = made.sample(9.0)
    assert list(after.position) == [1.0, 0.0]
    assert list(after.velocity) == [0.0, 0.0]


def test_one_that_has_begun_in_the_past_begins_in_its_midst():
    made = begun((1.0, (1.0, 0.0)), (3.0, (3.0, 0.0)), now=12.0, stamp=10.0)
    assert made.sample(12.0).position[0] == pytest.approx(2.0)
    assert made.end == 13.0


def test_one_with_a_stamp_in_the_future_leads_there_from_now_on():
    made = begun((1.0, (1.0, 0.0)), now=2.0, stamp=3.0)
    assert made.sample(3.0).position[0] == pytest.approx(0.5)
    assert made.end == 4.0


def test_joints_that_are_missing_hold_still():
    made = read((1.0, (1.0,)), (2.0, (0.0,)), joints=['lift'])
    made.begin(0.0, np.array([0.7, 0.2]), STILL, NO_WRAP)
    for time in (0.0, 0.5, 1.5, 9.0):
        assert made.sample(time).position[0] == pytest.approx(0.7)
    assert made.sample(1.0).position[1] == pytest.approx(1.0)


def test_joints_come_in_any_order():
    made = begun((0.0, (1.0, 2.0)), (1.0, (3.0, 4.0)), joints=['lift', 'turn'])
    assert list(made.sample(1.0).position) == [4.0, 3.0]


TURN = 2 * math.pi


def test_a_joint_that_wraps_goes_the_shorter_way_to_the_first_point_and_then_that_of_the_points():
    made = read((1.0, (3.0, 3.0)), (2.0, (-3.0, -3.0)), (3.0, (12.0, 12.0)))
    made.begin(0.0, np.array([-3.0, -3.0]), STILL, np.array([True, False]))
    ways = np.array([made.sample(time).position for time in (0.5, 1.0, 1.5, 2.0, 3.0, 9.0)])
    assert ways[:, 0] == pytest.approx(
        [-math.pi, 3 - TURN, -TURN, -3 - TURN, 12 - TURN, 12 - TURN]
    )
    assert ways[:, 1] == pytest.approx([0.0, 3.0, 0.0, -3.0, 12.0, 12.0])


def test_a_joint_that_wraps_goes_the_shorter_way_into_the_midst_of_a_trajectory():
    made = read((1.0, (1.0, 1.0)), (3.0, (21.0, 21.0)), now=12.0, stamp=10.0)
    made.begin(12.0, np.array([11.0 - 3 * TURN + 2.0, 0.0]), STILL, np.array([True, False]))
    assert made.sample(12.0).position == pytest.approx([11.0 - 3 * TURN, 11.0])
    assert made.sample(13.0).position == pytest.approx([21.0 - 3 * TURN, 21.0])


def test_efforts_go_along_and_are_linear():
    nothing = (0.0, 0.0)
    points = [(time, nothing, nothing, nothing, (time, 2 * time)) for time in (1.0, 3.0)]
    made = begun(*points)
    assert made.sample(2.0).effort == pytest.approx([2.0, 4.0])
    assert made.sample(0.5).effort == pytest.approx([1.0, 2.0])
    assert made.sample(9.0).effort == pytest.approx([3.0, 6.0])
