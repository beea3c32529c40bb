"""Dead reckoning: how far the feet that stand have pushed the body."""

from __future__ import annotations

from math import cos, remainder, sin, tau

from .leg import LEGS, RADIUS
from .senses import Senses

LOADED = 5.0
"""A foot with more force than this, in N, stands on the ground."""
_SMOOTHING = 0.08
"""The time constant of the velocity, in s."""


class Odometry:
    """Adds up the motion of the body over the feet that stand, from where it was made on."""

    def __init__(self, begin: Senses) -> None:
        self.x = self.y = 0.0
        """The place in m; x is where the robot looked at first."""
        self.heading = 0.0
        """The direction in rad."""
        self.velocity = (0.0, 0.0)
        """The smoothed velocity ahead and to the left in m/s, in the frame of the body."""
        self._last, self._yaw = begin, begin.yaw

    def update(self, now: Senses) -> None:
        """Goes on to a moment."""
        last, self._last = self._last, now
        step = now.time - last.time
        self.heading = remainder(now.yaw - self._yaw, tau)
        if step <= 0:
            return
        loads = [min(last.forces[leg], now.forces[leg]) for leg in range(len(LEGS))]
        load = sum(loads)
        ahead, aside = self.velocity[0] * step, self.velocity[1] * step
        if load > LOADED:  # the more weight a foot bears, the less it slips
            pushed = [_pushed(last, now, leg) for leg in range(len(LEGS))]
            ahead, aside = (
                sum(each[k] * part for each, part in zip(pushed, loads, strict=True)) / load
                for k in range(2)
            )
        self.x += ahead * cos(self.heading) - aside * sin(self.heading)
        self.y += ahead * sin(self.heading) + aside * cos(self.heading)
        new = min(1.0, step / _SMOOTHING)
        self.velocity = (
            self.velocity[0] + new * (ahead / step - self.velocity[0]),
            self.velocity[1] + new * (aside / step - self.velocity[1]),
        )


def _pushed(last: Senses, now: Senses, leg: int) -> tuple[float, float]:
    """Returns how far a foot that stands has moved the body ahead and to the left, in m.

    For the foot at p in the frame of the body, which turns with w: v + w x p + dp/dt = u, where
    the foot rolls over the ground with u, by its radius and the turn of the shank.
    """
    step = now.time - last.time
    x, y, z = now.feet[leg]
    wx, wy, wz = now.rotation
    roll = now.turns[leg][0] - last.turns[leg][0] + wx * step
    pitch = now.turns[leg][1] - last.turns[leg][1] + wy * step
    ahead = last.feet[leg][0] - x - (wy * z - wz * y) * step + RADIUS * pitch
    aside = last.feet[leg][1] - y - (wz * x - wx * z) * step - RADIUS * roll
    return ahead, aside
