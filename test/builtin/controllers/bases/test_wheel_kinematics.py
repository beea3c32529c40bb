"""The matrices from base velocity to wheel velocities, against mechanics."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mujoco_ros_py.builtin.controllers.bases.wheel_kinematics import (
    inverse,
    mecanum,
    moved_to,
    omni,
    sides,
)

OFFSET = 0.4, -0.3, 0.7
HOLONOMIC = {
    'mecanum': mecanum(0.1, 0.6),
    'mecanum with an offset': mecanum(0.1, 0.6) @ moved_to(OFFSET),
    'three omni wheels': omni(3, 0.05, 0.3, 0.0),
    'four omni wheels': omni(4, 0.05, 0.3, 0.4),
    'seven omni wheels': omni(7, 0.05, 0.3, -1.0),
}


@pytest.mark.parametrize('turns', HOLONOMIC.values(), ids=HOLONOMIC)
def test_the_motion_of_the_wheels_gives_back_the_velocity_of_the_base(turns):
    assert inverse(turns).T @ turns == pytest.approx(np.eye(3), abs=1e-12)


@pytest.mark.parametrize(('left', 'right'), [(1, 1), (2, 2), (3, 3)])
def test_wheels_on_two_sides_give_back_all_but_the_velocity_to_the_side(left, right):
    turns = sides(left, right, 0.5, 0.1, 0.12)
    assert inverse(turns).T @ turns == pytest.approx(np.diag([1.0, 0.0, 1.0]), abs=1e-12)


def test_a_side_moves_as_its_wheels_do_on_average():
    moves = inverse(sides(2, 2, 0.5, 0.1, 0.1))
    slipping = np.array([1.0, 3.0, 2.0, 2.0])
    assert moves.T @ slipping == pytest.approx([0.2, 0.0, 0.0], abs=1e-12)


def rolled(position: tuple[float, float], axis: tuple[float, float], radius: float) -> np.ndarray:
    """Returns a wheel's rotation per base velocity: the hub's velocity across the axis / radius.

    The hub moves with the base. Seen from above, a wheel rolls to the left of its axis.
    """
    (x, y), (along_x, along_y) = position, axis
    ahead = np.array([along_y, -along_x])
    hub = np.array([[1.0, 0.0, -y], [0.0, 1.0, x]])
    return ahead @ hub / radius


def test_wheels_on_two_sides_roll_without_slipping():
    expected = [rolled((0.0, y), (0.0, 1.0), 0.1) for y in (0.25, -0.25)]
    assert sides(1, 1, 0.5, 0.1, 0.1) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.parametrize('count', [3, 4, 5])
def test_omni_wheels_roll_across_their_axes(count):
    angles = 0.3 + np.arange(count) * 2.0 * math.pi / count
    outward = [(math.cos(angle), math.sin(angle)) for angle in angles]
    expected = [rolled((0.3 * x, 0.3 * y), (x, y), 0.05) for x, y in outward]
    assert omni(count, 0.05, 0.3, 0.3) == pytest.approx(np.array(expected), abs=1e-12)


def test_mecanum_wheels_do_not_slip_along_the_axes_of_their_rollers():
    """A wheel slips only across the axis of its roller on the ground, where the roller turns."""
    places = [(0.4, 0.2), (0.4, -0.2), (-0.4, -0.2), (-0.4, 0.2)]
    rollers = [(1.0, -1.0), (1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]
    expected = [
        np.array([x, y]) @ np.array([[1.0, 0.0, -at_y], [0.0, 1.0, at_x]]) / x / 0.1
        for (at_x, at_y), (x, y) in zip(places, rollers, strict=True)
    ]
    assert mecanum(0.1, 0.6) == pytest.approx(np.array(expected), abs=1e-12)


def test_a_velocity_at_a_frame_beside_the_centre_is_that_of_a_rigid_body():
    x, y, angle = OFFSET
    linear, yaw = np.array([0.3, -0.2]), 0.9
    turned = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    centre = turned @ linear - yaw * np.array([-y, x])
    assert moved_to(OFFSET) @ [*linear, yaw] == pytest.approx([*centre, yaw])
