"""The inertia of shapes by distance, which MuJoCo does not take from where their mesh is.

MuJoCo moves the frame of any other mesh into its centre of mass and along its principal axes. The
mesh of a plugin stays where its field is. Yet MuJoCo takes the origin as its centre of mass, and
gives its principal moments of inertia to the axes x, y and z in descending order.
"""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

Array = np.ndarray[Any, Any]

_OFF_CENTRE, _OFF_MOMENT = 0.01, 0.05
"""How wrong an inertia may be: the centre of mass in radii of the geom, and the moments as a share
of the largest one."""


def shape_inertial(model: mujoco.MjModel, geom: str | int) -> dict[str, Any]:
    """Returns the attributes of `<inertial>` for a body whose only geom is a shape by distance.

    These are `pos` and `fullinertia` of the mesh in the frame of the body, and the `mass` that the
    body has in the model. `geom` is a name or an id.
    """
    return _inertial(model, int(model.geom(geom).id))


def inertia_warning(model: Any, geom: int, body: str) -> str:
    """Returns what is wrong with the inertia of a shape; empty if nothing is.

    `model` has the arrays of an MjModel, and `body` is the name of the geom's body.
    """
    if not _has_wrong_inertia(model, geom):
        return ''
    missing = 'an <inertial>, unless it has one'
    if model.body_geomnum[model.geom_bodyid[geom]] == 1:
        texts = {
            name: ' '.join(f'{float(number) + 0.0:.6g}' for number in np.atleast_1d(values))
            for name, values in _inertial(model, geom).items()
        }
        missing = f'<inertial {" ".join(f"{name}={texts[name]!r}" for name in texts)}/>'
    return (
        "MuJoCo takes the shape's origin as its centre of mass, and its axes as principal axes,"
        f' which they are not; give body {body!r} {missing}'
    )


def _has_wrong_inertia(model: Any, geom: int) -> bool:
    """Returns whether MuJoCo has given the body of a shape an inertia that its mesh has not.

    The inertia of a body that does not move does not matter, and that of an `<inertial>` is right
    by definition. A body with several geoms counts as one without `<inertial>`.
    """
    body = int(model.geom_bodyid[geom])
    if model.body_weldid[body] == 0 or model.body_mass[body] < mujoco.mjMINVAL:
        return False
    if model.geom_dataid[geom] < 0:
        return False
    center, tensor = _centre_and_inertia(model, geom)
    if not np.isfinite(tensor).all():  # the mesh has no volume
        return False
    place, turn = model.geom_pos[geom], _matrix(model.geom_quat[geom])
    own, given = _matrix(model.body_iquat[body]), model.body_inertia[body]
    is_guess = np.allclose(own, turn) and np.allclose(model.body_ipos[body], place)
    if model.body_geomnum[body] == 1 and not (is_guess and (np.diff(given) <= 0.0).all()):
        return False
    moments = np.linalg.eigvalsh(tensor)[::-1]
    guess, scale = turn @ np.diag(moments) @ turn.T, moments[0]
    off_centre = np.linalg.norm(center - place) > _OFF_CENTRE * model.geom_rbound[geom]
    return bool(off_centre or np.abs(tensor - guess).max() > _OFF_MOMENT * scale)


def _inertial(model: Any, geom: int) -> dict[str, Any]:
    center, tensor = _centre_and_inertia(model, geom)
    indices = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)
    return {
        'pos': center.tolist(),
        'mass': float(model.body_mass[model.geom_bodyid[geom]]),
        'fullinertia': [float(tensor[at]) for at in indices],
    }


def _centre_and_inertia(model: Any, geom: int) -> tuple[Array, Array]:
    """Returns the centre of mass of a geom's mesh, and its inertia about it, in the body's frame.

    The mass is that of the body. The mesh is a sum of tetrahedra with a corner in the origin
    (F. Tonon, 2004).
    """
    mesh, body = int(model.geom_dataid[geom]), int(model.geom_bodyid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    vertices = np.asarray(model.mesh_vert, float)[first : first + count]
    first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
    corners = vertices[np.asarray(model.mesh_face)[first : first + count]]
    volumes = np.linalg.det(corners) / 6.0
    sums = corners.sum(axis=1)
    volume = volumes.sum()
    center = volumes @ sums / 4.0 / volume
    spread = np.einsum('n,nci,ncj->ij', volumes, corners, corners)
    spread = (spread + np.einsum('n,ni,nj->ij', volumes, sums, sums)) / 20.0 / volume
    spread -= np.outer(center, center)
    turn = _matrix(model.geom_quat[geom])
    inertia = float(model.body_mass[body]) * (np.trace(spread) * np.eye(3) - spread)
    return model.geom_pos[geom] + turn @ center, turn @ inertia @ turn.T


def _matrix(quat: Array) -> Array:
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quat, float))
    return matrix.reshape(3, 3)
