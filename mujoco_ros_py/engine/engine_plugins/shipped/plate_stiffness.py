"""Computes the constant bending stiffness matrix of a thin plate from its triangles."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...stack_arrays import Numbers

_FLATNESS = 1e-6
"""Tolerance for vertices off the plane, relative to the size of the plate."""


class Entries(NamedTuple):
    """The entries of a sparse matrix, sorted by row and then by column."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[np.float64]


def rigidity(young: float, poisson: float, thickness: float) -> Numbers:
    """Returns the 3 x 3 matrix that maps curvatures (1/m) to moments per length (N).

    The curvatures are the two of bending, and twice the twist.
    """
    bending = young * thickness**3 / (12 * (1 - poisson**2))
    sheared = (1 - poisson) / 2
    return bending * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, sheared]])


def bending_stiffness(
    points: Numbers, triangles: NDArray[np.int64], rigidities: Numbers
) -> Entries:
    """Returns K (N/m) of basic shell triangles, for points that lie in one plane.

    The deflection gradient along a side is the mean of the gradients in its two triangles. Gauss's
    theorem gives the curvature of a triangle from its three sides (Oñate and Zárate, Rotation-free
    triangular plate and shell elements, 2000). Sides at the edge of the plate contribute nothing.
    Raises ValueError for points that do not lie in one plane.
    """
    corners = _in_plane(points, triangles)[triangles]
    sides = np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1)
    normals = np.stack([sides[..., 1], -sides[..., 0]], axis=-1)
    doubled = sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]
    nodes, bends = _curvatures(triangles, normals / doubled[:, None, None])
    areas = np.abs(doubled)[:, None, None] / 2
    blocks = areas * (bends @ rigidities @ np.swapaxes(bends, 1, 2))
    return _summed(nodes, blocks)


def _curvatures(
    triangles: NDArray[np.int64], normals: Numbers
) -> tuple[NDArray[np.int64], Numbers]:
    """Returns the 6 nodes that bend each triangle, and the curvature that each node causes.

    The nodes are the corners and, beyond the side opposite each corner, the neighbour's third
    corner. `normals` are the normals of the sides; their length is the length of the side divided
    by twice the area. The deflection gradient is minus the sum of the normals, each multiplied by
    the deflection of the opposite corner.
    """
    count = np.arange(len(triangles))
    nodes = np.repeat(triangles[:, :1], 6, axis=1)
    nodes[:, :3] = triangles
    bends = np.zeros((len(triangles), 6, 3))
    for side, others in enumerate(_neighbours(triangles).T):
        inner, outer = count[others >= 0], others[others >= 0]
        same = triangles[outer][:, :, None] == triangles[inner][:, None, :]
        slots = np.where(same.any(axis=2), same.argmax(axis=2), 3 + side)
        nodes[inner[:, None], slots] = triangles[outer]
        across = normals[inner, side]
        np.add.at(bends, (inner[:, None], slots), -_bend(across, normals[outer]))
        bends[inner, :3] += _bend(across, normals[inner])
    return nodes, bends


def _bend(across: Numbers, gradients: Numbers) -> Numbers:
    """Returns the curvatures that the deflection gradient of each node adds across a side."""
    x, y = across[:, None, 0], across[:, None, 1]
    along_x, along_y = gradients[..., 0], gradients[..., 1]
    return np.stack([x * along_x, y * along_y, x * along_y + y * along_x], axis=-1)


def _neighbours(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns each triangle's neighbours, opposite its three corners; -1 at an edge."""
    ends = np.stack([np.roll(triangles, 1, axis=1), np.roll(triangles, -1, axis=1)], axis=-1)
    ends = np.sort(ends.reshape(-1, 2), axis=1)
    sides, which, counts = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    if counts.max() > 2:
        a, b = sides[counts.argmax()]
        raise ValueError(
            f'the side between vertices {a} and {b} must have 1 or 2 triangles, got {counts.max()}'
        )
    order = np.argsort(which.ravel(), kind='stable')
    first = np.flatnonzero(np.diff(which.ravel()[order]) == 0)
    found = np.full(len(ends), -1)
    found[order[first]], found[order[first + 1]] = order[first + 1] // 3, order[first] // 3
    return found.reshape(-1, 3)


def _summed(nodes: NDArray[np.int64], blocks: Numbers) -> Entries:
    pairs = np.stack(np.broadcast_arrays(nodes[:, :, None], nodes[:, None, :]), axis=-1)
    places, which = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
    values: Numbers = np.bincount(which.ravel(), blocks.ravel())  # type: ignore[assignment]  # weighted
    return Entries(places[:, 0], places[:, 1], values)


def _in_plane(points: Numbers, triangles: NDArray[np.int64]) -> Numbers:
    """Returns two coordinates of each point in the plane of the triangles."""
    used = np.unique(triangles)
    centre = points[used].mean(axis=0)
    *_, axes = np.linalg.svd(points[used] - centre, full_matrices=False)
    local = (points - centre) @ axes.T
    off = np.abs(local[used, 2])
    worst = int(off.argmax())
    if off[worst] > _FLATNESS * np.ptp(local[used, 0]):
        raise ValueError(
            f'must be flat initially, but vertex {used[worst]} is {off[worst]:g} m off the plane'
        )
    plane: Numbers = local[:, :2]
    return plane
