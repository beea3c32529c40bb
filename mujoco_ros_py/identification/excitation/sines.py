"""Sums of sines that start and end at rest, within the limits of joints."""

from __future__ import annotations

import numpy as np

from ..sequences import Array
from .joint_limits import JointLimits

_POWER = 40.0
"""The norm that stands for the maximum while a motion is optimised, so that it has a gradient."""


class Motion:
    """Positions, velocities and accelerations in rad or m and s: a row for each time."""

    def __init__(self, times: Array, q: Array, v: Array, a: Array) -> None:
        self.times, self.q, self.v, self.a = times, q, v, a

    def shrunk(self, factor: float) -> Motion:
        """Returns the motion with smaller distances from its start."""
        start = self.q[0]
        return Motion(
            self.times, start + factor * (self.q - start), factor * self.v, factor * self.a
        )


class Sines:
    """The family of motions of some joints: sums of sines with whole periods in the length.

    A motion is given by an array of weights, one row for each joint. Only the directions of the
    rows count: each joint uses its limits fully.
    """

    def __init__(self, start: Array, limits: JointLimits, length: float, harmonics: int) -> None:
        self.start, self.limits, self.length = start, limits, length
        self._rates = 2.0 * np.pi / length * np.arange(1, harmonics + 1)
        # velocities of sines and accelerations of cosines are 0 at the start
        rest = np.zeros((2, 2 * harmonics))
        rest[0, :harmonics] = 1.0 / self._rates
        rest[1, harmonics:] = 1.0
        self._free = np.linalg.svd(rest)[2][2:].T
        self.shape = len(start), self._free.shape[1]

    def motion(self, weights: Array, times: Array, *, smooth: bool = False) -> Motion:
        """Returns the motion; `smooth` keeps a small distance from the limits."""
        bases = self._bases(times)
        q, v, a = (base @ weights.T for base in bases)
        limits = self.limits
        shares = np.concatenate([
            q / np.maximum(limits.high - self.start, 1e-9),
            -q / np.maximum(self.start - limits.low, 1e-9),
            v / limits.velocity, -v / limits.velocity,
            a / limits.acceleration, -a / limits.acceleration,
        ])  # fmt: skip
        largest = np.max(shares, axis=0)
        if smooth:
            largest = largest * np.mean(np.maximum(shares / largest, 0.0) ** _POWER, axis=0) ** (
                1.0 / _POWER
            )
            largest *= len(shares) ** (1.0 / _POWER)
        scale = 1.0 / np.maximum(largest, 1e-12)
        return Motion(times, self.start + scale * q, scale * v, scale * a)

    def _bases(self, times: Array) -> tuple[Array, Array, Array]:
        """Returns positions, velocities and accelerations of each free direction.

        The columns are scaled to equal accelerations.
        """
        phases = np.outer(times, self._rates)
        sin, cos = np.sin(phases), np.cos(phases)
        rate = self._rates
        q = np.concatenate([sin / rate**2, (cos - 1.0) / rate**2], axis=1)
        v = np.concatenate([cos / rate, -sin / rate], axis=1)
        a = np.concatenate([-sin, -cos], axis=1)
        return q @ self._free, v @ self._free, a @ self._free
