"""Kinematics of wheeled bases: matrices from the velocity of the base to those of its wheels.

Such a matrix has a row for each wheel, and the columns x and y (in rad/m) and yaw (without unit).
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

    `left` and `right` are the numbers of wheels, and the lengths are in metres.
    """
    one_left = [1.0 / left_radius, 0.0, -separation / 2.0 / left_radius]
    one_right = [1.0 / right_radius, 0.0, separation / 2.0 / right_radius]
    return np.array([one_left] * left + [one_right] * right)


def mecanum(radius: float, reach: float) -> Matrix:
    """Returns the matrix of mecanum wheels: front left, front right, rear right, rear left.

    The rollers on top of the wheels form an X, seen from above.
    `reach` is the sum of the distances from the centre to the wheels along x and along y.
    """
    rows = [[1.0, -1.0, -reach], [1.0, 1.0, reach], [1.0, -1.0, reach], [1.0, 1.0, -reach]]
    return np.array(rows) / radius


def omni(count: int, wheel_radius: float, robot_radius: float, offset: float) -> Matrix:
    """Returns the matrix of omnidirectional wheels on a circle, anticlockwise.

    The first one is at the angle `offset` from the x axis, and the axes point outwards.
    """
    angles = offset + 2.0 * math.pi / count * np.arange(count)
    rows = [np.sin(angles), -np.cos(angles), np.full(count, -robot_radius)]
    return np.stack(rows, axis=1) / wheel_radius


def moved_to(frame: tuple[float, float, float]) -> Matrix:
    """Returns the 3 x 3 matrix from the velocity of a frame to the velocity of the centre.

    `frame` is the pose of the frame relative to the centre: x and y in m, and the angle about z
    in rad.
    """
    x, y, angle = frame
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, y], [sine, cosine, -x], [0.0, 0.0, 1.0]])


def inverse(turns: Matrix) -> Matrix:
    """Returns the transposed pseudo-inverse of a matrix: the share of each wheel in the velocity.

    The velocity of the base is then the least-squares fit to the velocities of all wheels. There
    is a row for each wheel.
    """
    made: Matrix = np.linalg.pinv(turns).T
    return made
