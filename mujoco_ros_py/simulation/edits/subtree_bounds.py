"""Computes the bounding box of a top-level body with its whole subtree."""

from __future__ import annotations

import mujoco
import numpy as np

from .given_numbers import Array

_GEOM = mujoco.mjtGeom


def subtree_bounds(
    model: mujoco.MjModel, data: mujoco.MjData, body: int
) -> tuple[Array, Array] | None:
    """Returns a subtree's lowest and highest corner, in m, in the frame of its top-level body.

    The box encloses all geoms of the subtree at their current poses. It is the smallest possible
    box, unless the subtree has a height field. Both corners are zero if the subtree has no geoms.
    Returns None if a geom is infinite, such as a plane.
    """
    own = data.xmat[body].reshape(3, 3)
    geoms = [int(each) for each in np.flatnonzero(model.body_rootid[model.geom_bodyid] == body)]
    if any(model.geom_type[geom] == _GEOM.mjGEOM_PLANE for geom in geoms):
        return None
    boxes = [_box(model, data, geom, own, data.xpos[body]) for geom in geoms]
    if not boxes:
        return np.zeros(3), np.zeros(3)
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def _box(
    model: mujoco.MjModel, data: mujoco.MjData, geom: int, own: Array, origin: Array
) -> tuple[Array, Array]:
    """Returns the corners of a geom's bounding box along the axes of another frame."""
    turn = own.T @ data.geom_xmat[geom].reshape(3, 3)
    center = own.T @ (data.geom_xpos[geom] - origin)
    if model.geom_type[geom] == _GEOM.mjGEOM_MESH and model.geom_dataid[geom] >= 0:
        mesh = int(model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        corners = model.mesh_vert[first : first + count] @ turn.T + center
        return corners.min(axis=0), corners.max(axis=0)
    half = _half(model, geom, turn)
    if half is None:
        middle, sizes = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
        center, half = center + turn @ middle, np.abs(turn) @ sizes
    return center - half, center + half


def _half(model: mujoco.MjModel, geom: int, turn: Array) -> Array | None:
    """Returns the half sizes of a primitive's bounding box; None for other types of geoms."""
    kind, (x, y, _) = _GEOM(int(model.geom_type[geom])), model.geom_size[geom]
    axis = np.abs(turn[:, 2])
    if kind == _GEOM.mjGEOM_SPHERE:
        return np.full(3, x)
    if kind == _GEOM.mjGEOM_CAPSULE:
        return np.asarray(x + y * axis)
    if kind == _GEOM.mjGEOM_CYLINDER:
        return np.asarray(y * axis + x * np.sqrt(np.maximum(0.0, 1.0 - axis**2)))
    if kind == _GEOM.mjGEOM_ELLIPSOID:
        return np.asarray(np.linalg.norm(turn * model.geom_size[geom], axis=1))
    if kind == _GEOM.mjGEOM_BOX:
        return np.asarray(np.abs(turn) @ model.geom_size[geom])
    return None
