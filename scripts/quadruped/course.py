"""The velocity that leads the robot along a line to a place, by dead reckoning."""

from __future__ import annotations

from math import copysign, sqrt

from .leg import Vector
from .odometry import Odometry
from .senses import Senses

FASTEST, ACCELERATION = 0.6, 0.4
"""The largest speed in m/s, and how fast the speed changes, in m/s^2."""
NEAR = 0.01
"""The place is reached when it is so near, in m."""


class Course:
    """Leads straight ahead by `distance` m, or back if that is negative, with a speed in m/s.

    The line begins where the robot is at `begin`, in the direction in which it looks there.
    """

    def __init__(self, distance: float, speed: float, begin: Senses) -> None:
        self.odometry = Odometry(begin)
        """Where the robot has come by the motion of its legs."""
        self._distance, self._speed = distance, speed
        self._covered = self._pace = self._slip = 0.0

    @property
    def arrived(self) -> bool:
        """Whether the robot is at the end of the line."""
        return not self._pace and abs(self._distance - self.odometry.x) < NEAR

    def step(self, now: Senses, dt: float) -> Vector:
        """Returns the velocity ahead and to the left in m/s, and the turn in rad/s."""
        self.odometry.update(now)
        self._advance(dt)
        behind = self._covered - self.odometry.x
        self._slip = limited(self._slip + behind * dt, 0.2)
        return (
            copysign(self._pace, self._distance) + limited(2.0 * behind, 0.2) + self._slip,
            limited(-self.odometry.y, 0.1),
            limited(-1.5 * self.odometry.heading, 0.5),
        )

    def _advance(self, dt: float) -> None:
        """Moves the place where the robot should be, which comes to rest at the end."""
        rest = abs(self._distance - self._covered)
        slow = sqrt(2 * ACCELERATION * rest)
        self._pace = min(self._speed, self._pace + ACCELERATION * dt, slow)
        self._covered += copysign(self._pace * dt, self._distance)
        if rest < 1e-3 or abs(self._covered) > abs(self._distance):
            self._pace, self._covered = 0.0, self._distance


def limited(value: float, largest: float) -> float:
    """Returns the nearest value that is at most so large in either direction."""
    return max(-largest, min(largest, value))
