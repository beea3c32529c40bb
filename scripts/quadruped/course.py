"""Computes the velocity for walking along a straight line, by dead reckoning."""

from __future__ import annotations

from math import copysign, sqrt

from .leg import Vector
from .odometry import Odometry
from .senses import Senses

FASTEST, ACCELERATION = 0.6, 0.4
"""The maximum speed in m/s, and the acceleration in m/s^2."""
NEAR = 0.01
"""The tolerance for reaching the end of the line, in m."""


class Course:
    """A straight line of `distance` m, walked at `speed` m/s; backwards if the distance is < 0.

    The line starts at the pose of the robot at `begin`, and has the direction of its heading.
    """

    def __init__(self, distance: float, speed: float, begin: Senses) -> None:
        self.odometry = Odometry(begin)
        """The pose of the robot relative to the start of the line."""
        self._distance, self._speed = distance, speed
        self._covered = self._pace = self._slip = 0.0

    @property
    def arrived(self) -> bool:
        """Whether the robot is at the end of the line."""
        return not self._pace and abs(self._distance - self.odometry.x) < NEAR

    def step(self, now: Senses, dt: float) -> Vector:
        """Returns the velocities to walk at: forward and left in m/s, and yaw rate in rad/s."""
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
        """Advances the reference position along the line; slows down before the end."""
        rest = abs(self._distance - self._covered)
        slow = sqrt(2 * ACCELERATION * rest)
        self._pace = min(self._speed, self._pace + ACCELERATION * dt, slow)
        self._covered += copysign(self._pace * dt, self._distance)
        if rest < 1e-3 or abs(self._covered) > abs(self._distance):
            self._pace, self._covered = 0.0, self._distance


def limited(value: float, largest: float) -> float:
    """Clamps a value to [-largest, largest]."""
    return max(-largest, min(largest, value))
