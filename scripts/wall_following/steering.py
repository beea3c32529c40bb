"""Where to go: the direction that keeps the wall on the right, and the velocity towards it.

Points are complex numbers in the frame of the base: x ahead, y to the left, in m.
"""

from __future__ import annotations

from math import pi, sin, tau

import numpy as np

SPEED, TURN = 0.5, 1.2
"""The largest velocities, in m/s and rad/s."""
SHARP = 1.2
"""Towards a direction that is farther aside, in rad, the robot turns on the spot."""


def free_direction(points: np.ndarray, begin: float, distance: float, step: float) -> float | None:
    """Returns the first direction, counterclockwise from `begin`, in which the robot may go.

    A `step` in this direction leads to where all points are at least `distance` away. None if no
    direction does. Directions are in rad, and may be larger than pi.
    """
    far = np.abs(points)
    near = points[(far > 0) & (far < distance + step)]
    far = np.abs(near)
    # a point forbids the directions up to `half` on both sides of it, by the law of cosines
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
    """Returns the velocity ahead and the turn of an arc to the point a `step` away.

    The arc is at its beginning in the direction of the robot (pure pursuit).
    """
    if abs(direction) > SHARP:
        return 0.0, max(-TURN, min(TURN, 2 * direction))
    bend = 2 * sin(direction) / step
    speed = min(SPEED, TURN / abs(bend)) if bend else SPEED
    return speed, speed * bend
