"""Computes the direction that keeps the wall on the right, and the velocity towards it.

Points are complex numbers in the base frame (x forward, y left), in m.
"""

from __future__ import annotations

from math import pi, sin, tau

import numpy as np

SPEED, TURN = 0.5, 1.2
"""The maximum linear and angular velocity, in m/s and rad/s."""
SHARP = 1.2
"""The robot turns on the spot for directions beyond this angle, in rad."""


def free_direction(points: np.ndarray, begin: float, distance: float, step: float) -> float | None:
    """Returns the first free direction, counterclockwise from `begin`; None if none is free.

    A direction is free if all points are at least `distance` away after a `step` in it. Directions
    are in rad, and can be larger than pi.
    """
    far = np.abs(points)
    near = points[(far > 0) & (far < distance + step)]
    far = np.abs(near)
    # Each point blocks the directions up to `half` on both sides of it (law of cosines).
    half = np.arccos(np.clip((step**2 + far**2 - distance**2) / (2 * step * far), -1, 1))
    middle = (np.angle(near) - begin + pi) % tau - pi
    ends = np.concatenate([middle + half, middle + half + tau])
    begins = np.concatenate([middle - half, middle - half + tau])
    free = 0.0
    for k in np.argsort(begins):
        if begins[k] > free:
            break
        free = max(free, float(ends[k]))
    return begin + free if free < tau else None


def velocity(direction: float, step: float) -> tuple[float, float]:
    """Returns the linear and angular velocity for an arc to the point a `step` away.

    The arc starts tangentially to the heading of the robot (pure pursuit).
    """
    if abs(direction) > SHARP:
        return 0.0, max(-TURN, min(TURN, 2 * direction))
    bend = 2 * sin(direction) / step
    speed = min(SPEED, TURN / abs(bend)) if bend else SPEED
    return speed, speed * bend
