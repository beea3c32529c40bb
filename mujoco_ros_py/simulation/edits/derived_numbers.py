"""Recomputes derived numbers of a model, such as bounding boxes and subtree masses."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np

from .given_numbers import Array, unit_quat

_GEOM = mujoco.mjtGeom
_ENDLESS = 1e10
"""The half size of the bounding box that MuJoCo gives to planes, in m."""


def renew_bounds(model: mujoco.MjModel, geom: int) -> None:
    """Recomputes the bounding sphere of a geom, and all bounding boxes that contain it."""
    center, half = _box(model, geom)
    model.geom_aabb[geom] = np.concatenate([center, half])
    model.geom_rbound[geom] = _radius(model, geom, center, half)
    _renew_tree(model, int(model.geom_bodyid[geom]))


def _box(model: mujoco.MjModel, geom: int) -> tuple[Array, Array]:
    """Returns the center and half sizes of a geom's bounding box, in the geom's frame."""
    kind, (x, y, z) = _kind(model, geom), model.geom_size[geom]
    if kind == _GEOM.mjGEOM_PLANE:
        half = _ENDLESS / 2
        return np.array([0.0, 0.0, -half]), np.array([_ENDLESS, _ENDLESS, half])
    if kind in (_GEOM.mjGEOM_MESH, _GEOM.mjGEOM_HFIELD, _GEOM.mjGEOM_SDF):
        return model.geom_aabb[geom, :3].copy(), model.geom_aabb[geom, 3:].copy()
    sizes = {
        _GEOM.mjGEOM_SPHERE: (x, x, x),
        _GEOM.mjGEOM_CAPSULE: (x, x, x + y),
        _GEOM.mjGEOM_CYLINDER: (x, x, y),
    }
    return np.zeros(3), np.array(sizes.get(kind, (x, y, z)))


def _radius(model: mujoco.MjModel, geom: int, center: Array, half: Array) -> float:
    """Returns the radius of a geom's bounding sphere; 0 for planes, as in MuJoCo."""
    kind, (x, y, _) = _kind(model, geom), model.geom_size[geom]
    if kind == _GEOM.mjGEOM_PLANE:
        return 0.0
    if kind in (_GEOM.mjGEOM_SPHERE, _GEOM.mjGEOM_CAPSULE, _GEOM.mjGEOM_ELLIPSOID):
        return float(half.max())
    if kind == _GEOM.mjGEOM_CYLINDER:
        return float(np.hypot(x, y))
    return float(np.linalg.norm(np.abs(center) + half))


def _kind(model: mujoco.MjModel, geom: int) -> mujoco.mjtGeom:
    return _GEOM(int(model.geom_type[geom]))


def _renew_tree(model: mujoco.MjModel, body: int) -> None:
    """Recomputes the tree of bounding boxes of a body, from its leaves (the geoms) to its root."""
    first, count = int(model.body_bvhadr[body]), int(model.body_bvhnum[body])
    for node in reversed(range(first, first + count)):  # children before their parents
        if (geom := int(model.bvh_nodeid[node])) >= 0:
            low, high = _corners(model, body, geom)
        else:
            boxes = [model.bvh_aabb[first + child] for child in model.bvh_child[node]]
            low = np.min([box[:3] - box[3:] for box in boxes], axis=0)
            high = np.max([box[:3] + box[3:] for box in boxes], axis=0)
        model.bvh_aabb[node] = np.concatenate([(low + high) / 2, (high - low) / 2])


def _corners(model: mujoco.MjModel, body: int, geom: int) -> tuple[Array, Array]:
    """Returns the lowest and highest corner of a geom's box, in the body's inertial frame."""
    center, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
    own, inertial = _matrix(model.geom_quat[geom]), _matrix(model.body_iquat[body])
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    corners = (center + signs * half) @ own.T + model.geom_pos[geom] - model.body_ipos[body]
    turned = corners @ inertial
    return turned.min(axis=0), turned.max(axis=0)


def _matrix(quat: Array) -> Array:
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, quat)
    return matrix.reshape(3, 3)


def renew_constants(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Recomputes the constants that depend on masses, inertias, and the bodies of constraints.

    MuJoCo computes them from the reference configuration, which it writes to `data`. This function
    restores `qpos` and the mocap poses; all other data need a forward pass afterwards.
    """
    kept = data.qpos.copy(), data.mocap_pos.copy(), data.mocap_quat.copy()
    for body in range(model.nbody):
        if (mocap := model.body_mocapid[body]) >= 0:
            data.mocap_pos[mocap] = model.body_pos[body]
            data.mocap_quat[mocap] = unit_quat('body_quat', model.body_quat[body])
    try:
        mujoco.mj_setConst(model, data)
    finally:
        data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = kept
