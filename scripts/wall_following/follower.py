"""The robot follows a wall, from one scan to the next."""

from __future__ import annotations

from math import inf
from typing import Literal, get_args

import numpy as np

from .steering import free_direction, velocity

Side = Literal['left', 'right']
NEAREST, FARTHEST = 0.4, 1.0
"""The distances from the wall that the robot can keep, in m. It needs 0.24 m around its centre."""
STEP = 0.3
"""How far away the next place on the way is, in m: less than the smallest distance."""
REACH = 2.0
"""What is farther away than this, in m, is no wall to go to."""
PATIENCE_S = 2.0
"""After this time without a wall, or without a way, the robot gives up."""


class Follower:
    """Keeps the wall on one side of the robot, at a distance in m.

    The places in which the robot is at least that far from everything have a border, on which
    the robot goes: straight along walls, in arcs around edges, and past openings that are narrower
    than twice the distance.
    """

    def __init__(self, side: Side, distance: float) -> None:
        """Raises ValueError if a parameter is not possible."""
        if side not in get_args(Side):
            raise ValueError(f'side must be left or right, got {side!r}')
        if not NEAREST <= distance <= FARTHEST:
            raise ValueError(
                f'distance must be at least {NEAREST:g} and at most {FARTHEST:g} m, '
                f'got {distance:g}'
            )
        self._mirrored, self._distance = side == 'left', distance
        self._time, self._good = -inf, inf

    def velocity(self, time: float, points: np.ndarray) -> tuple[float, float]:
        """Returns the velocity ahead and the turn for the points that a scan shows at a time.

        Raises RuntimeError if there was no wall for too long, or if the time went back.
        """
        if time < self._time:
            raise RuntimeError('the time went back')
        self._time, self._good = time, min(self._good, time)
        if self._mirrored:
            points = np.conj(points)
        direction, why = self._direction(points)
        if direction is None:
            if time - self._good > PATIENCE_S:
                raise RuntimeError(why)
            return 0.0, 0.0
        self._good = time
        ahead, turn = velocity(direction, STEP)
        return ahead, -turn if self._mirrored else turn

    def _direction(self, points: np.ndarray) -> tuple[float | None, str]:
        """Returns the direction to go, for a wall on the right, or why there is none."""
        beside = points[(points.imag <= 0) & (np.abs(points) < REACH)]
        if not len(beside):
            return None, f'there is no wall within {REACH:g} m on its side'
        nearest = np.angle(beside[np.argmin(np.abs(beside))])
        direction = free_direction(points, nearest, self._distance, STEP)
        return direction, f'there is no way that is {self._distance:g} m from everything'
