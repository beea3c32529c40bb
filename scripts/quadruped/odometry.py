"""Dead reckoning from the motion of the stance feet."""

from __future__ import annotations

from math import cos, remainder, sin, tau

from .leg import LEGS, RADIUS
from .senses import Senses

LOADED = 5.0
"""A foot counts as standing above this force, in N."""
_SMOOTHING = 0.08
"""The time constant for smoothing the velocity, in s."""


class Odometry:
    """Integrates the motion of the body over its stance feet, relative to the pose at `begin`."""

    def __init__(self, begin: Senses) -> None:
        self.x = self.y = 0.0
        """The position in m; x is along the initial heading."""
        self.heading = 0.0
        """The heading relative to the initial heading, in rad."""
        self.velocity = (0.0, 0.0)
        """The smoothed forward and left velocity in the body frame, in m/s."""
        self._last, self._yaw = begin, begin.yaw

    def update(self, now: Senses) -> None:
        """Adds the motion since the previous measurements."""
        last, self._last = self._last, now
        step = now.time - last.time
        self.heading = remainder(now.yaw - self._yaw, tau)
        if step <= 0:
            return
        loads = [min(last.forces[leg], now.forces[leg]) for leg in range(len(LEGS))]
        load = sum(loads)
        ahead, aside = self.velocity[0] * step, self.velocity[1] * step
        if load > LOADED:  # weighs feet by their load, because loaded feet slip less
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
    """Returns the motion of the body forward and left, in m, computed from one stance foot.

    A foot at p in the body frame satisfies v + w x p + dp/dt = u, where v and w are the linear and
    angular velocity of the body. u is the velocity at which the spherical foot rolls over the
    ground, given by its radius and the rotation of the shank.
    """
    step = now.time - last.time
    x, y, z = now.feet[leg]
    wx, wy, wz = now.rotation
    roll = now.turns[leg][0] - last.turns[leg][0] + wx * step
    pitch = now.turns[leg][1] - last.turns[leg][1] + wy * step
    ahead = last.feet[leg][0] - x - (wy * z - wz * y) * step + RADIUS * pitch
    aside = last.feet[leg][1] - y - (wz * x - wx * z) * step - RADIUS * roll
    return ahead, aside
