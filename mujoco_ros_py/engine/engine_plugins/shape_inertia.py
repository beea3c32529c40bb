"""Warns of wrong inertias of signed distance fields, and computes the right ones.

MuJoCo moves the frame of any other mesh to its centre of mass and principal axes, but keeps the
mesh of a plugin in the frame of its field. Nevertheless MuJoCo takes the origin of this frame as
the centre of mass, and assigns the principal moments of inertia to the axes x, y and z in
descending order.
"""

from __future__ import annotations

import logging
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from .instance import Instance

Array = NDArray[Any]

_OFF_CENTRE, _OFF_MOMENT = 0.01, 0.05
"""The tolerance for the centre of mass, in bounding radii of the geom, and the tolerance for the
moments of inertia, relative to the largest moment."""
_OTHER_RULE = 3.0
"""If a body's moments differ by more than this factor from those of its shape, the body must have
its own <inertial>: MuJoCo's other inertia rules for meshes (legacy, convex, shell) change them
less."""
_log = logging.getLogger(__name__)


class InertiaWarnings:
    """Warns once of each body whose inertia from a shape is wrong."""

    def __init__(self) -> None:
        self._looked_at: set[tuple[str, ...]] = set()
        """The checked cases: names of plugin, instance, geom and body, and the inertia."""

    def look(self, plugin: str, instance: Instance) -> None:
        """Logs a warning for each body that gets a wrong inertia from a shape of the instance."""
        model, kinds = instance.model, mujoco.mjtObj
        for geom in np.flatnonzero(model.geom_plugin == instance.id).tolist():
            body = int(model.geom_bodyid[geom])
            names = instance.label(kinds.mjOBJ_GEOM, geom), instance.label(kinds.mjOBJ_BODY, body)
            per_mass = model.body_inertia[body] / max(model.body_mass[body], mujoco.mjMINVAL)
            numbers = *per_mass, *model.body_ipos[body], *model.geom_pos[geom]
            texts = (f'{number:.6g}' for number in numbers)
            looked_at = plugin, instance.name, *names, *texts
            if looked_at in self._looked_at:  # warns once, not for each mjData
                continue
            self._looked_at.add(looked_at)
            if told := _warning(model, geom, *names):
                _log.warning('engine plugin %s, instance %r: %s', plugin, instance.name, told)


def shape_inertial(model: mujoco.MjModel, geom: str | int) -> dict[str, Any]:
    """Returns the attributes of `<inertial>` for a body whose only geom is a distance field.

    These are `pos` and `fullinertia` of the mesh in the body frame, and the `mass` of the body in
    the model. `geom` is a name or an id. Raises ValueError for other geom types.
    """
    found = model.geom(geom)
    if found.type[0] != mujoco.mjtGeom.mjGEOM_SDF or found.dataid[0] < 0:
        given = mujoco.mjtGeom(int(found.type[0])).name
        raise ValueError(f'geom {geom!r}: the type must be sdf, with a mesh, got {given}')
    return _inertial(model, int(found.id), *_centre_and_inertia(model, int(found.id)))


def _warning(model: mujoco.MjModel, geom: int, name: str, body_name: str) -> str:
    """Returns a warning if the body of a shape has a wrong inertia, else ''.

    `model` is any object with the arrays of an MjModel. The message uses the names of the geom and
    of its body.
    """
    body = int(model.geom_bodyid[geom])
    weld = int(model.body_weldid[body])
    moves = weld > 0 and model.body_mocapid[weld] < 0
    if not moves or model.body_mass[body] < mujoco.mjMINVAL or model.geom_dataid[geom] < 0:
        return ''
    share = _share(model, geom)
    alone = share > 1.0 - 1e-9
    if share < 1e-9 or (alone and not _is_at_the_geom(model, geom)):
        return ''
    center, tensor = _centre_and_inertia(model, geom)
    if not np.isfinite(tensor).all():  # the mesh has no volume
        return ''
    limit = _OFF_CENTRE * model.geom_rbound[geom]
    is_off_centre = bool(np.linalg.norm(center - model.geom_pos[geom]) > limit)
    center = np.round(center, 6)
    wrong = (
        f'body {body_name} has a wrong inertia: MuJoCo takes the origin of geom {name} as its'
        ' centre of mass'
    )
    if not alone and is_off_centre:
        return (
            f'{wrong}, but the shape has its centre of mass at {_text(center)} in the body frame;'
            ' write an <inertial> in the body, unless it has one or the geom has no mass'
        )
    if alone and _has_wrong_inertia(model, geom, tensor, is_off_centre):
        inertial = _inertial(model, geom, center, tensor)
        attributes = ' '.join(f'{key}={_text(each)!r}' for key, each in inertial.items())
        return (
            f'{wrong}, and gives its largest moment of inertia to the x axis and its smallest to'
            f' the z axis; write <inertial {attributes}/> in the body'
        )
    return ''


def _is_at_the_geom(model: mujoco.MjModel, geom: int) -> bool:
    """Returns whether MuJoCo may have computed a body's inertia from its only geom with mass.

    Compares the frames of the inertia and of the geom, because a model does not record whether its
    bodies have an `<inertial>`.
    """
    body = int(model.geom_bodyid[geom])
    return bool(
        np.allclose(model.body_ipos[body], model.geom_pos[geom], rtol=0.0, atol=1e-9)
        and np.allclose(_matrix(model.body_iquat[body]), _matrix(model.geom_quat[geom]))
        and (np.diff(model.body_inertia[body]) <= 0.0).all()
    )


def _share(model: mujoco.MjModel, geom: int) -> float:
    """Returns a geom's share of its body's mass, if MuJoCo computes the mass from geoms.

    The model does not contain the shares, so they are computed from the body's centre of mass. If
    no shares yield this centre, the body has an <inertial>, and the result is 0. If the shares are
    ambiguous, the result is NaN.
    """
    body = int(model.geom_bodyid[geom])
    geoms = np.flatnonzero(model.geom_bodyid == body)
    rows = np.vstack([np.ones(len(geoms)), model.geom_pos[geoms].T])
    center = np.array([1.0, *model.body_ipos[body]])
    shares, _, rank, _ = np.linalg.lstsq(rows, center)
    if not np.allclose(rows @ shares, center, rtol=0.0, atol=1e-9):
        return 0.0
    if rank < len(geoms):
        return float('nan')
    return float(shares[geoms == geom][0]) if shares.min() > -1e-9 else 0.0


def _has_wrong_inertia(
    model: mujoco.MjModel, geom: int, tensor: Array, is_off_centre: bool
) -> bool:
    """Returns whether a body has the inertia that MuJoCo derives from a geom, and it is wrong."""
    moments, given = np.linalg.eigvalsh(tensor)[::-1], model.body_inertia[model.geom_bodyid[geom]]
    if (given > _OTHER_RULE * moments).any() or (moments > _OTHER_RULE * given).any():
        return False  # the body has its own <inertial>
    turn = _matrix(model.geom_quat[geom])
    error = np.abs(tensor - turn @ np.diag(moments) @ turn.T).max()
    return is_off_centre or bool(error > _OFF_MOMENT * moments[0])


def _inertial(model: mujoco.MjModel, geom: int, center: Array, tensor: Array) -> dict[str, Any]:
    indices = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
    return {
        'pos': center.tolist(),
        'mass': float(model.body_mass[model.geom_bodyid[geom]]),
        'fullinertia': [float(tensor[at]) for at in indices],
    }


def _centre_and_inertia(model: mujoco.MjModel, geom: int) -> tuple[Array, Array]:
    """Returns the centre of mass of a geom's mesh and its inertia, in the body frame.

    The inertia is about the centre of mass, and the mass is the body's. The mesh is a sum of
    tetrahedra with a corner in the origin (F. Tonon, 2004).
    """
    mesh, body = int(model.geom_dataid[geom]), int(model.geom_bodyid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = np.asarray(model.mesh_vert, float)[first : first + count]
    first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    corners = vertices[np.asarray(model.mesh_face)[first : first + count]]
    normals = np.cross(corners[:, 1], corners[:, 2])
    volumes = np.einsum('ni,ni->n', corners[:, 0], normals) / 6.0
    sums = corners.sum(axis=1)
    points = np.concatenate([corners.reshape(-1, 3), sums])
    weights = np.concatenate([np.repeat(volumes, 3), volumes])
    with np.errstate(divide='ignore', invalid='ignore'):  # NaN without a volume
        center = volumes @ sums / 4.0 / volumes.sum()
        spread = (points.T * weights) @ points / 20.0 / volumes.sum()
    spread -= np.outer(center, center)
    turn = _matrix(model.geom_quat[geom])
    inertia = float(model.body_mass[body]) * (np.trace(spread) * np.eye(3) - spread)
    return model.geom_pos[geom] + turn @ center, turn @ inertia @ turn.T


def _matrix(quat: Array) -> Array:
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quat, float))
    return matrix.reshape(3, 3)


def _text(values: Any) -> str:
    """Formats numbers, writing rounding errors of vertices as 0."""
    numbers = np.atleast_1d(values)
    is_error = np.abs(numbers) < 1e-5 * np.abs(numbers).max()
    return ' '.join(f'{number:.6g}' for number in np.where(is_error, 0.0, numbers).tolist())
