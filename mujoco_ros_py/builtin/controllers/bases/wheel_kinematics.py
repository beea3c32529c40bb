"""Kinematics of wheeled bases: matrices from the base velocity to the wheel velocities.

A matrix has one row per wheel, and the columns x and y (in rad/m) and yaw (without unit).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Matrix = np.ndarray[Any, Any]


def sides(
    left: int, right: int, separation: float, left_radius: float, right_radius: float
) -> Matrix:
    """Returns the matrix of wheels on two sides, which cannot move the base sideways.

    `left` and `right` are the numbers of wheels. Lengths are in metres.
    """
    one_left = [1.0 / left_radius, 0.0, -separation / 2.0 / left_radius]
    one_right = [1.0 / right_radius, 0.0, separation / 2.0 / right_radius]
    return np.array([one_left] * left + [one_right] * right)


def mecanum(radius: float, reach: float) -> Matrix:
    """Returns the matrix of mecanum wheels: front left, front right, rear right, rear left.

    Seen from above, the rollers on top of the wheels form an X. `reach` is the distance from the
    centre to a wheel along x, plus the distance along y.
    """
    rows = [[1.0, -1.0, -reach], [1.0, 1.0, reach], [1.0, -1.0, reach], [1.0, 1.0, -reach]]
    return np.array(rows) / radius


def omni(count: int, wheel_radius: float, robot_radius: float, offset: float) -> Matrix:
    """Returns the matrix of omnidirectional wheels on a circle, in anticlockwise order.

    The first wheel is at the angle `offset` from the x axis. The wheel axes point outwards.
    """
    angles = offset + 2.0 * math.pi / count * np.arange(count)
    rows = [np.sin(angles), -np.cos(angles), np.full(count, -robot_radius)]
    return np.stack(rows, axis=1) / wheel_radius


def moved_to(frame: tuple[float, float, float]) -> Matrix:
    """Returns the 3 x 3 matrix from the velocity of a frame to the velocity of the centre.

    `frame` is the frame's pose relative to the centre: x and y in m, the angle about z in rad.
    """
    x, y, angle = frame
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, y], [sine, cosine, -x], [0.0, 0.0, 1.0]])


def inverse(turns: Matrix) -> Matrix:
    """Returns each wheel's contribution to the base velocity: the transposed pseudo-inverse.

    The result has one row per wheel. The sum of the contributions is the least-squares fit of the
    base velocity to all wheel velocities.
    """
    made: Matrix = np.linalg.pinv(turns).T
    return made
