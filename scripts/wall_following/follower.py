"""Follows a wall: computes a velocity command from each scan."""

from __future__ import annotations

from math import inf
from typing import Literal, get_args

import numpy as np

from .steering import free_direction, velocity

Side = Literal['left', 'right']
NEAREST, FARTHEST = 0.4, 1.0
"""The allowed distances from the wall, in m. The robot itself needs 0.24 m around its centre."""
STEP = 0.3
"""The distance to the next waypoint, in m; must be smaller than the minimum wall distance."""
REACH = 2.0
"""The maximum distance at which points count as a wall, in m."""
PATIENCE_S = 2.0
"""The robot gives up after this time without a wall or a free direction, in s."""


class Follower:
    """Keeps the wall on one side of the robot, at a distance in m.

    The robot drives along the border of the free space, which is the set of positions at least
    `distance` away from every obstacle. Its path is straight along walls, an arc around edges, and
    passes openings that are narrower than twice the distance.
    """

    def __init__(self, side: Side, distance: float) -> None:
        """Raises ValueError if a parameter is out of range."""
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
        """Returns the linear and angular velocity for the points of a scan at `time` (s).

        Raises RuntimeError if no wall was found for PATIENCE_S, or if time jumped back.
        """
        if time < self._time:
            raise RuntimeError('time jumped back')
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
        """Returns the direction to drive in, for a wall on the right; or None and the reason."""
        beside = points[(points.imag <= 0) & (np.abs(points) < REACH)]
        if not len(beside):
            return None, f'no wall within {REACH:g} m on the side to follow'
        nearest = np.angle(beside[np.argmin(np.abs(beside))])
        direction = free_direction(points, nearest, self._distance, STEP)
        return direction, f'no free direction with {self._distance:g} m clearance'
