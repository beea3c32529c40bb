"""The triangles of meshes and height fields, in the frame of their geoms."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np


def mesh_corners(model: mujoco.MjModel, mesh: int) -> Any:
    """Returns the corners of the triangles of a mesh in m, 3 n x 3, three for each triangle."""
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = model.mesh_vert[first : first + count]
    first, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    return vertices[model.mesh_face[first : first + count]].reshape(-1, 3)


def field_corners(model: mujoco.MjModel, field: int) -> Any:
    """Returns the corners of the triangles of a height field in m, 3 n x 3, with its sides.

    The bottom is left out.
    """
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    half_x, half_y, top, base = model.hfield_size[field]
    start = int(model.hfield_adr[field])
    heights = model.hfield_data[start : start + rows * columns].reshape(rows, columns)
    x, y = np.meshgrid(np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows))
    surface = np.stack([x, y, top * heights], axis=-1)
    strips = [surface]
    for edge in (surface[0, ::-1], surface[-1], surface[:, 0], surface[::-1, -1]):
        foot = edge.copy()
        foot[:, 2] = -base
        strips.append(np.stack([foot, edge]))
    return np.concatenate([_grid_corners(strip) for strip in strips])


def field_triangles(rows: int, columns: int) -> int:
    """Returns the number of triangles of a height field, with its sides."""
    return 2 * ((rows - 1) * (columns - 1) + 2 * (rows - 1) + 2 * (columns - 1))


def _grid_corners(points: Any) -> Any:
    """Returns the corners of two triangles for each cell of a grid of points."""
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
