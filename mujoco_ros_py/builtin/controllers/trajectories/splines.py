"""Interpolates between the points of a trajectory: linear, cubic or quintic."""

from __future__ import annotations

from typing import Any

import numpy as np

COEFFICIENTS = 8
"""The number of coefficients per joint and segment: six for the position (degree 5 in the time
since the segment's first point) and two for the effort (degree 1)."""
_EFFORT = 6

Array = np.ndarray[Any, Any]


def coefficients(times: Array, points: Points) -> Array:
    """Returns the polynomials between the points, with shape (points - 1, joints, 8).

    `times` must increase strictly. A polynomial is quintic if both points have velocities and
    accelerations, cubic if both have velocities, and linear otherwise. It matches the given values
    of both points.
    """
    lengths = np.diff(times)[:, None]
    made = np.zeros((len(lengths), points.positions.shape[1], COEFFICIENTS))
    begin, end = points.part(slice(None, -1)), points.part(slice(1, None))
    made[:, :, :6] = _linear(begin, end, lengths)
    smooth = begin.has_velocities & end.has_velocities
    made[smooth, :, :6] = _cubic(begin.part(smooth), end.part(smooth), lengths[smooth])
    smooth &= begin.has_accelerations & end.has_accelerations
    made[smooth, :, :6] = _quintic(begin.part(smooth), end.part(smooth), lengths[smooth])
    made[:, :, _EFFORT] = begin.efforts
    made[:, :, _EFFORT + 1] = (end.efforts - begin.efforts) / lengths
    return made


class Points:
    """The points of a trajectory: positions, velocities, accelerations and efforts of joints.

    Each array has the shape (points, joints). Positions are in rad or m, with derivatives per s
    and s^2, and efforts are in N m or N. Missing velocities and accelerations are NaN, and missing
    efforts are 0.
    """

    def __init__(
        self, positions: Array, velocities: Array, accelerations: Array, efforts: Array
    ) -> None:
        self.positions, self.velocities = positions, velocities
        self.accelerations, self.efforts = accelerations, efforts

    def part(self, chosen: Any) -> Points:
        """Returns the points selected by a slice or a mask."""
        return Points(
            self.positions[chosen],
            self.velocities[chosen],
            self.accelerations[chosen],
            self.efforts[chosen],
        )

    @property
    def has_velocities(self) -> Array:
        """Whether each point has velocities."""
        return np.asarray(np.isfinite(self.velocities).all(axis=1))

    @property
    def has_accelerations(self) -> Array:
        """Whether each point has accelerations."""
        return np.asarray(np.isfinite(self.accelerations).all(axis=1))


def _linear(begin: Points, end: Points, h: Array) -> Array:
    slope = (end.positions - begin.positions) / h
    nothing = np.zeros_like(slope)
    return np.stack([begin.positions, slope, *[nothing] * 4], axis=-1)


def _cubic(begin: Points, end: Points, h: Array) -> Array:
    """Returns cubic Hermite polynomials."""
    distance = end.positions - begin.positions
    first, last = begin.velocities, end.velocities
    nothing = np.zeros_like(distance)
    return np.stack(
        [
            begin.positions,
            first,
            (3 * distance - (2 * first + last) * h) / h**2,
            (-2 * distance + (first + last) * h) / h**3,
            nothing,
            nothing,
        ],
        axis=-1,
    )


def _quintic(begin: Points, end: Points, h: Array) -> Array:
    """Returns quintic Hermite polynomials."""
    distance = end.positions - begin.positions
    first, last = begin.velocities * h, end.velocities * h
    bend, bend_last = begin.accelerations * h**2, end.accelerations * h**2
    return np.stack(
        [
            begin.positions,
            begin.velocities,
            begin.accelerations / 2,
            (20 * distance - 12 * first - 8 * last - 3 * bend + bend_last) / (2 * h**3),
            (-30 * distance + 16 * first + 14 * last + 3 * bend - 2 * bend_last) / (2 * h**4),
            (12 * distance - 6 * (first + last) - bend + bend_last) / (2 * h**5),
        ],
        axis=-1,
    )
