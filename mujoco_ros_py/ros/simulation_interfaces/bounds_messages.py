"""Converts bounds to and from messages, and tests whether entities overlap them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from geometry_msgs.msg import Vector3
from simulation_interfaces.msg import Bounds

from ...errors import ConfigError
from ..services.geometry_values import numbers_of

Array = np.ndarray[Any, np.dtype[np.float64]]
Corners = tuple[Array, Array]
"""The lowest and the highest corner of a box."""
_MOST_POINTS = 1000
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_ROUNDS = 100
_TOUCHING_M = 1e-9


def fill_bounds(bounds: Bounds, corners: Corners | None) -> None:
    """Writes a box into Bounds, the upper corner first; None means no bounds."""
    if corners is None:
        bounds.type, bounds.points = Bounds.TYPE_EMPTY, []
        return
    low, high = (Vector3(**dict(zip('xyz', map(float, each), strict=True))) for each in corners)
    bounds.type, bounds.points = Bounds.TYPE_BOX, [high, low]


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the world: the convex hull of some points, or a sphere."""

    points: Array
    """The corners of a convex body, or the center of a sphere."""
    radius: float = 0.0
    """The radius of a sphere in m."""

    def overlaps(self, corners: Corners | None, position: Array, matrix: Array) -> bool:
        """Returns whether the region and a box intersect.

        `corners` are the corners of the box in a frame with this position and rotation matrix;
        None for an unlimited box.
        """
        if corners is None:
            return True
        low, high = corners
        points = (self.points - position) @ matrix  # in the frame of the box
        if len(points) == 1:
            nearest = np.clip(points[0], low, high)
            return bool(np.linalg.norm(points[0] - nearest) <= self.radius + _TOUCHING_M)
        return _meet(points, low + _CORNERS * (high - low))


def region_of(bounds: Bounds) -> Region | None:
    """Returns the region of Bounds, None for all of space.

    Raises ConfigError if the bounds are invalid.
    """
    points = np.array([numbers_of(each) for each in bounds.points], dtype=float).reshape(-1, 3)
    if not np.isfinite(points).all():
        raise ConfigError('the points of bounds must be finite')
    if len(points) > _MOST_POINTS:
        raise ConfigError(f'bounds must have at most {_MOST_POINTS} points, got {len(points):,}')
    if bounds.type == Bounds.TYPE_EMPTY:
        return None
    if bounds.type == Bounds.TYPE_BOX:
        _check_count('a box', points, 2)
        if (points[0] < points[1]).any():
            raise ConfigError('the first point of a box must not be below the second on any axis')
        return Region(points[1] + _CORNERS * (points[0] - points[1]))
    if bounds.type == Bounds.TYPE_SPHERE:
        _check_count('a sphere', points, 2)
        radius = float(points[1][0])
        if radius <= 0:
            raise ConfigError(
                f'x of the second point of a sphere is its radius, and must be above 0,'
                f' got {radius:g}'
            )
        return Region(points[:1], radius)
    if bounds.type == Bounds.TYPE_CONVEX_HULL:
        if len(points) < 3:
            raise ConfigError(f'a convex hull must have at least 3 points, got {len(points)}')
        return Region(points)
    raise ConfigError(
        'the type of bounds must be 0 (empty), 1 (box), 2 (convex hull) or 3 (sphere), got'
        f' {bounds.type}'
    )


def _check_count(what: str, points: Array, count: int) -> None:
    if len(points) != count:
        raise ConfigError(f'{what} must have {count} points, got {len(points)}')


def _meet(first: Array, second: Array) -> bool:
    """Returns whether the convex hulls of two sets of points intersect.

    Searches the convex hull of all differences between their points for the point nearest to the
    origin, with the algorithm of Wolfe (1976).
    """
    kept = np.array([first[0] - second[0]])
    weights, nearest = np.ones(1), kept[0]
    scale = max(1.0, float(np.abs(first).max()), float(np.abs(second).max()))
    for _ in range(_ROUNDS):
        corner = first[(first @ nearest).argmin()] - second[(second @ nearest).argmax()]
        length = float(nearest @ nearest)
        if length <= (_TOUCHING_M * scale) ** 2:
            return True
        if nearest @ corner > 0:  # a plane separates the hulls
            return False
        if length - nearest @ corner <= 1e-12 * scale**2 or (kept == corner).all(axis=1).any():
            return length <= (1e-6 * scale) ** 2
        kept, weights = np.vstack([kept, corner]), np.append(weights, 0.0)
        kept, weights = _nearest(kept, weights)
        nearest = weights @ kept
    return False


def _nearest(points: Array, weights: Array) -> tuple[Array, Array]:
    """Returns the points of the face nearest to the origin, and their weights."""
    while True:
        count = len(points)
        system = np.ones((count + 1, count + 1))
        system[0, 0], system[1:, 1:] = 0.0, points @ points.T
        wanted = np.linalg.lstsq(system, np.eye(count + 1)[0], rcond=None)[0][1:]
        if (wanted > 1e-12).all():
            return points, wanted
        sinking = wanted <= 1e-12
        steps = weights[sinking] / np.maximum(weights[sinking] - wanted[sinking], 1e-300)
        weights = weights + min(1.0, float(steps.min())) * (wanted - weights)
        stays = weights > 1e-12
        if stays.all():
            stays[int(weights.argmin())] = False
        points, weights = points[stays], weights[stays]
        weights = weights / weights.sum()
