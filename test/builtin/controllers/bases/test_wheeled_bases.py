"""Bases with wheels: the motion of the wheels, and the odometry."""

from __future__ import annotations

import math
from functools import partial

import pytest
from builtin.controllers.bases.moving import (
    DIFF,
    FOUR_WHEELS,
    MECANUM,
    NO_TIMEOUT,
    SIDE,
    TIMESTEP_S,
    TWO_SIDES,
    TWO_WHEELS,
    arc,
    around,
    wheels,
)

KINDS = {
    'two sides': (TWO_WHEELS, TWO_SIDES),
    'mecanum': (FOUR_WHEELS, MECANUM),
    'three omni wheels': around(3),
    'four omni wheels': around(4, 0.5),
}
AHEAD = [(0.5, 0.0, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.0, 1.5), (0.5, 0.0, -0.8)]
ASIDE = [(0.0, 0.6, 0.0), (0.3, -0.2, 0.9)]
slow = partial(pytest.param, marks=pytest.mark.slow)
every_kind = pytest.mark.parametrize('kind', KINDS.values(), ids=KINDS)


def velocities(kind):
    """Returns the velocities that a base of this kind can reach."""
    return AHEAD if kind is KINDS['two sides'] else AHEAD + ASIDE


@pytest.mark.slow
@every_kind
def test_open_loop_odometry_is_the_arc_of_the_command(base, kind):
    made = base(*kind, **NO_TIMEOUT, open_loop=True)
    for velocity in velocities(kind):
        made.session.reset()
        made.drive(2.5, *velocity)
        assert made.pose == pytest.approx(arc(*velocity, 2.5), abs=1e-9)
        assert made.twist == pytest.approx(velocity)


@pytest.mark.parametrize(
    ('kind', 'position_feedback'),
    [
        pytest.param(KINDS['two sides'], True, id='two sides'),
        slow(KINDS['two sides'], False, id='two sides, by velocities'),
        pytest.param(KINDS['mecanum'], False, id='mecanum, by velocities'),
        slow(KINDS['three omni wheels'], True, id='three omni wheels'),
        slow(KINDS['four omni wheels'], False, id='four omni wheels, by velocities'),
    ],
)
def test_wheels_and_odometry_follow_the_command(base, kind, position_feedback):
    """The wheels need time to reach their speed, so poses are compared only after that."""
    made = base(*kind, **NO_TIMEOUT, position_feedback=position_feedback)
    for velocity in velocities(kind):
        made.session.reset()
        made.drive(1.0, *velocity)
        assert made.twist == pytest.approx(velocity, abs=1e-6)
        before = made.pose
        made.run(2.0)
        assert made.pose == pytest.approx(moved(before, arc(*velocity, 2.0)), abs=1e-5)


def moved(pose, motion):
    """Returns a pose after a motion in its own frame."""
    (x, y, yaw), (ahead, aside, turned) = pose, motion
    cosine, sine = math.cos(yaw), math.sin(yaw)
    return x + cosine * ahead - sine * aside, y + sine * ahead + cosine * aside, yaw + turned


def test_the_wheels_of_two_sides_turn_at_the_speeds_of_a_circle(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5, 0.0, 1.0)
    assert list(made.data.qvel) == pytest.approx([2.5, 7.5], abs=1e-6)


def test_a_velocity_to_the_side_is_ignored_by_wheels_on_two_sides(base):
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT, open_loop=True)
    made.drive(1.0, 0.5, 3.0)
    assert made.pose == pytest.approx((0.5, 0.0, 0.0))


def test_the_multipliers_correct_radius_and_separation(base):
    factors = {'wheel_separation_multiplier': 1.1, 'left_wheel_radius_multiplier': 0.5,
               'right_wheel_radius_multiplier': 2.0}  # fmt: skip
    made = base(TWO_WHEELS, TWO_SIDES, **NO_TIMEOUT, **factors)
    made.drive(1.0, 0.5, 0.0, 1.0)
    half = 0.5 * 1.1 / 2.0
    expected = [(0.5 - half) / 0.05, (0.5 + half) / 0.2]
    assert list(made.data.qvel) == pytest.approx(expected, abs=1e-6)
    assert made.twist == pytest.approx((0.5, 0.0, 1.0), abs=1e-6)


def test_all_wheels_of_a_side_turn_alike(base):
    sides = {'type': DIFF, 'left_wheel_names': ['w0', 'w2'], 'right_wheel_names': ['w1', 'w3'],
             'wheel_separation': 0.5, 'wheel_radius': 0.1}  # fmt: skip
    made = base(FOUR_WHEELS, sides, **NO_TIMEOUT)
    made.drive(1.0, 0.5, 0.0, 1.0)
    assert list(made.data.qvel) == pytest.approx([2.5, 7.5, 2.5, 7.5], abs=1e-6)
    assert made.twist == pytest.approx((0.5, 0.0, 1.0), abs=1e-6)


def test_mecanum_wheels_turn_against_each_other_to_move_to_the_side(base):
    made = base(FOUR_WHEELS, MECANUM, **NO_TIMEOUT)
    made.drive(1.0, 0.0, 0.5)
    assert list(made.data.qvel) == pytest.approx([-5.0, 5.0, -5.0, 5.0], abs=1e-6)


def test_the_frame_of_a_mecanum_base_may_be_beside_the_centre_of_its_wheels(base):
    offset = {'x': 0.3, 'y': 0.0, 'theta': math.pi / 2.0}
    kinematics = {**MECANUM['kinematics'], 'base_frame_offset': offset}
    made = base(FOUR_WHEELS, {**MECANUM, 'kinematics': kinematics}, **NO_TIMEOUT)
    made.drive(1.0, 0.5)
    assert list(made.data.qvel) == pytest.approx([-5.0, 5.0, -5.0, 5.0], abs=1e-6)
    assert made.twist == pytest.approx((0.5, 0.0, 0.0), abs=1e-6)


def test_wheels_without_a_servo_follow_by_the_pid(base):
    made = base(wheels(SIDE, SIDE, actuator='motor'), TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5, 0.0, 1.0)
    assert made.twist == pytest.approx((0.5, 0.0, 1.0), abs=1e-6)


def test_odometry_by_positions_is_exact_with_runge_kutta_too(base):
    model = TWO_WHEELS.replace('implicitfast', 'RK4')
    made = base(model, TWO_SIDES, **NO_TIMEOUT)
    made.drive(1.0, 0.5)
    left, right = made.data.qpos
    assert made.pose == pytest.approx((0.1 * (left + right) / 2.0, 0.0, 0.0), abs=1e-12)


def test_a_base_that_others_turn_by_hand_is_measured(base):
    """Without a command the wheels hold; moving them from outside still moves the odometry."""
    made = base(TWO_WHEELS, TWO_SIDES)
    made.run(0.1)

    def turn(model, data):
        data.qpos[:] = 1.0

    made.session.call(turn)
    made.run(TIMESTEP_S)
    assert made.pose[0] == pytest.approx(0.1, abs=1e-3)
