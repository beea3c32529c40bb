"""The marker shapes of geoms and sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...plugins import ros_type

Marker = ros_type('visualization_msgs/msg/Marker')

PARTS = 4
"""The number of ids reserved per element; an element's markers have the ids ``PARTS * element +
part``."""
_GEOM = mujoco.mjtGeom
_THICKNESS = 0.001
"""The thickness of the box that represents a plane, in m."""
_EXTENTS, _LEAST = 5.0, 1.0
"""The half size of the drawn part of an infinite plane: in model extents, and the minimum in m."""
_ONE = np.ones(3)


@dataclass(frozen=True, slots=True)
class Part:
    """One marker of an element, in the element's frame."""

    type: int
    """The type of visualization_msgs/Marker."""
    scale: Any
    """The marker's scale: lengths in m, or factors if the marker has triangles."""
    offset: Any
    """The position of the marker's centre in m, in the element's frame."""
    corners: Any = None
    """The corners of the triangles in m, shape (3 n, 3); None for markers without triangles."""


def primitive_parts(kind: int, size: Any) -> list[Part]:
    """Returns the markers of a sphere, capsule, ellipsoid, cylinder or box; none for other shapes.

    `kind` is an mjtGeom; `size` has MJCF's half lengths in m.
    """
    here = np.zeros(3)
    match kind:
        case _GEOM.mjGEOM_SPHERE:
            return [Part(Marker.SPHERE, 2.0 * size[0] * _ONE, here)]
        case _GEOM.mjGEOM_ELLIPSOID:
            return [Part(Marker.SPHERE, 2.0 * size, here)]
        case _GEOM.mjGEOM_BOX:
            return [Part(Marker.CUBE, 2.0 * size, here)]
        case _GEOM.mjGEOM_CYLINDER | _GEOM.mjGEOM_CAPSULE:
            made = [Part(Marker.CYLINDER, 2.0 * size[[0, 0, 1]], here)]
            if kind == _GEOM.mjGEOM_CAPSULE:
                ends = np.array([0.0, 0.0, size[1]])
                ball = 2.0 * size[0] * _ONE
                made += [Part(Marker.SPHERE, ball, ends), Part(Marker.SPHERE, ball, -ends)]
            return made
    return []


def geom_parts(model: mujoco.MjModel, geom: int, *, as_box: bool = False) -> list[Part]:
    """Returns the markers of a geom; `as_box` replaces triangles by their bounding box."""
    kind, size = int(model.geom_type[geom]), np.array(model.geom_size[geom])
    data = int(model.geom_dataid[geom])
    if kind == _GEOM.mjGEOM_PLANE:
        far = max(_LEAST, _EXTENTS * float(model.stat.extent))
        x, y = np.where(size[:2] > 0.0, size[:2], far)
        below = np.array([0.0, 0.0, -0.5 * _THICKNESS])
        return [Part(Marker.CUBE, np.array([2.0 * x, 2.0 * y, _THICKNESS]), below)]
    if as_box:
        middle, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
        return [Part(Marker.CUBE, 2.0 * half, np.array(middle))]
    if kind == _GEOM.mjGEOM_HFIELD:
        return [Part(Marker.TRIANGLE_LIST, _ONE, np.zeros(3), field_corners(model, data))]
    if _has_mesh(model, geom):
        return [Part(Marker.TRIANGLE_LIST, _ONE, np.zeros(3), mesh_corners(model, data))]
    return primitive_parts(kind, size)


def site_parts(model: mujoco.MjModel, site: int, *, as_box: bool = False) -> list[Part]:
    """Returns the markers of a site; `as_box` replaces triangles by their bounding box.

    A site's frame is the frame of its mesh file, but the model stores the mesh in a frame that
    `mesh_pos` and `mesh_quat` describe.
    """
    mesh = _mesh_of_site(model, site)
    if mesh is None:
        return primitive_parts(int(model.site_type[site]), np.array(model.site_size[site]))
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.mesh_quat[mesh])
    corners = mesh_corners(model, mesh) @ turn.reshape(3, 3).T + model.mesh_pos[mesh]
    if as_box:
        low, high = corners.min(axis=0), corners.max(axis=0)
        return [Part(Marker.CUBE, high - low, (low + high) / 2)]
    return [Part(Marker.TRIANGLE_LIST, _ONE, np.zeros(3), corners)]


def geom_triangles(model: mujoco.MjModel, geom: int) -> int:
    """Returns the number of triangles of a geom; 0 if it is drawn without triangles."""
    data = int(model.geom_dataid[geom])
    if int(model.geom_type[geom]) == _GEOM.mjGEOM_HFIELD:
        return field_triangles(int(model.hfield_nrow[data]), int(model.hfield_ncol[data]))
    return int(model.mesh_facenum[data]) if _has_mesh(model, geom) else 0


def site_triangles(model: mujoco.MjModel, site: int) -> int:
    """Returns the number of triangles of a site; 0 if it is drawn without triangles."""
    mesh = _mesh_of_site(model, site)
    return 0 if mesh is None else int(model.mesh_facenum[mesh])


def _mesh_of_site(model: mujoco.MjModel, site: int) -> int | None:
    """Returns the mesh of a site; None if the site has another shape."""
    return int(model.site_dataid[site]) if model.site_type[site] == _GEOM.mjGEOM_MESH else None


def _has_mesh(model: mujoco.MjModel, geom: int) -> bool:
    """Returns whether a geom is drawn as a mesh; this includes SDFs."""
    kinds = _GEOM.mjGEOM_MESH, _GEOM.mjGEOM_SDF
    return int(model.geom_type[geom]) in kinds and int(model.geom_dataid[geom]) >= 0


def mesh_corners(model: mujoco.MjModel, mesh: int) -> Any:
    """Returns the corners of a mesh's triangles in m, shape (3 n, 3)."""
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = model.mesh_vert[first : first + count]
    first, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    return vertices[model.mesh_face[first : first + count]].reshape(-1, 3)


def field_corners(model: mujoco.MjModel, field: int) -> Any:
    """Returns the corners of a height field's triangles in m, shape (3 n, 3).

    Includes the sides, but not the bottom.
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
    """Returns the number of triangles of a height field, including its sides."""
    return 2 * ((rows - 1) * (columns - 1) + 2 * (rows - 1) + 2 * (columns - 1))


def _grid_corners(points: Any) -> Any:
    """Returns the corners of two triangles for each cell of a grid of points."""
    a, b, c, d = points[:-1, :-1], points[:-1, 1:], points[1:, 1:], points[1:, :-1]
    return np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3)
