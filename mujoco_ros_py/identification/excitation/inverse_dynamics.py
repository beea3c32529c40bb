"""Efforts of motions, their derivatives by inertial parameters, and distances of bodies."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..sequences import Array
from .sines import Motion

BARYCENTRIC = 10
"""Mass, mass times center of mass (3), and moments xx, yy, zz, xy, xz, yz about the origin of the
body, in its frame. Efforts are linear in them."""
CLEARANCE_M = 0.02
"""The distance of bodies below which a motion is avoided."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Efforts:
    """The efforts that a motion needs at each time."""

    efforts: Array
    """The efforts of the moved joints."""
    regressor: Array
    """The derivatives of the efforts by the barycentric parameters of all bodies: times, joints,
    bodies times 10."""
    intrusion: float
    """How far bodies come closer to each other than the clearance, in m, as a sum over time; pairs
    that are close at the start do not count."""


class InverseDynamics:
    """Computes efforts; all other joints stay at their start."""

    def __init__(self, model: mujoco.MjModel, qpos: Array, dofs: list[int]) -> None:
        self._model, self._start, self._dofs = copy.copy(model), qpos, dofs
        # near contacts are found, and exert no forces
        self._model.geom_margin[:] = CLEARANCE_M
        self._model.geom_gap[:] = CLEARANCE_M
        self._data = mujoco.MjData(self._model)
        joints = [int(model.dof_jntid[dof]) for dof in dofs]
        self._places = [int(model.jnt_qposadr[joint]) for joint in joints]
        self._ancestors = _ancestors(model, dofs)
        self._at_start = self._close_pairs()

    def efforts(self, motion: Motion, *, regressor: bool = True) -> Efforts:
        """Returns the efforts of a motion."""
        model, data = self._model, self._data
        names = ('cvel', 'cacc', 'cdof', 'xpos', 'xmat', 'subtree_com', 'qfrc_inverse')
        rows: dict[str, list[Any]] = {name: [] for name in names}
        intrusion = 0.0
        for q, v, a in zip(motion.q, motion.v, motion.a, strict=True):
            data.qpos[:], data.qvel[:], data.qacc[:] = self._start, 0.0, 0.0
            data.qpos[self._places], data.qvel[self._dofs], data.qacc[self._dofs] = q, v, a
            mujoco.mj_inverse(model, data)
            if regressor:
                mujoco.mj_rnePostConstraint(model, data)
            for name in names:
                rows[name].append(getattr(data, name).copy())
            intrusion += self._intrusion()
        found = {name: np.array(each) for name, each in rows.items()}
        return Efforts(
            efforts=found['qfrc_inverse'][:, self._dofs],
            regressor=self._regressor(found) if regressor else np.zeros(0),
            intrusion=intrusion,
        )

    def _close_pairs(self) -> set[tuple[int, int]]:
        """Returns the pairs of geoms that are close at the start."""
        self._data.qpos[:] = self._start
        mujoco.mj_forward(self._model, self._data)
        pairs = self._data.contact.geom[: self._data.ncon]
        return {(int(one), int(other)) for one, other in pairs}

    def _intrusion(self) -> float:
        """Returns how far bodies are closer than the clearance, as a sum over pairs of geoms."""
        if not self._data.ncon:
            return 0.0
        contacts = self._data.contact
        return sum(
            max(CLEARANCE_M - float(distance), 0.0)
            for pair, distance in zip(contacts.geom, contacts.dist, strict=True)
            if (int(pair[0]), int(pair[1])) not in self._at_start
        )

    def _regressor(self, found: dict[str, Array]) -> Array:
        """Returns the derivatives of the efforts, from velocities and accelerations of bodies."""
        root = found['subtree_com'][:, self._model.body_rootid]
        offset = found['xpos'] - root
        axes = found['xmat'].reshape(*offset.shape, 3)
        omega, alpha = found['cvel'][..., :3], found['cacc'][..., :3]
        velocity = found['cvel'][..., 3:] + np.cross(omega, offset)
        # MuJoCo's linear acceleration includes gravity, and is that of the moving frame
        linear = found['cacc'][..., 3:] + np.cross(alpha, offset) + np.cross(omega, velocity)
        force, moment = _body_regressors(
            *(np.einsum('tbji,tbj->tbi', axes, each) for each in (omega, alpha, linear))
        )
        turn = found['cdof'][:, self._dofs, :3]
        slide = found['cdof'][:, self._dofs, None, 3:] + np.cross(
            turn[:, :, None], offset[:, None]
        )
        by_force = np.einsum('tbji,tdbj->tdbi', axes, slide)
        by_moment = np.einsum('tbji,tdj->tdbi', axes, turn)
        columns = np.einsum('tdbi,tbip->tdbp', by_force, force)
        columns += np.einsum('tdbi,tbip->tdbp', by_moment, moment)
        columns *= self._ancestors[None, :, :, None]
        flat: Array = columns.reshape(*columns.shape[:2], -1)
        return flat


def barycentric(model: mujoco.MjModel) -> Array:
    """Returns the barycentric parameters of all bodies, one row for each body."""
    rows = np.zeros((model.nbody, BARYCENTRIC))
    for body in range(model.nbody):
        mass, center = float(model.body_mass[body]), model.body_ipos[body]
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, model.body_iquat[body])
        axes = matrix.reshape(3, 3)
        inertia = axes @ np.diag(model.body_inertia[body]) @ axes.T
        inertia += mass * (center @ center * np.eye(3) - np.outer(center, center))
        moments = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        rows[body] = np.concatenate([[mass], mass * center, moments])
    return rows


def _body_regressors(omega: Array, alpha: Array, linear: Array) -> tuple[Array, Array]:
    """Returns the derivatives of force and moment on a body, at its origin and in its axes."""
    spin, turn = _skew(omega), _skew(alpha)
    zero = np.zeros((*omega.shape, 6))
    force = np.concatenate([linear[..., None], turn + spin @ spin, zero], axis=-1)
    moment = np.concatenate(
        [np.zeros((*omega.shape, 1)), -_skew(linear), _moments(alpha) + spin @ _moments(omega)],
        axis=-1,
    )
    return force, moment


def _skew(vectors: Array) -> Array:
    """Returns the matrices of cross products with vectors."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    matrices: Array = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    return matrices


def _moments(vectors: Array) -> Array:
    """Returns the matrices that turn moments of inertia into the inertia times these vectors."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = [[x, zero, zero, y, z, zero], [zero, y, zero, x, zero, z], [zero, zero, z, zero, x, y]]
    matrices: Array = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    return matrices


def _ancestors(model: mujoco.MjModel, dofs: list[int]) -> Array:
    """Returns 1 for each degree of freedom and each body that it moves."""
    moves = np.zeros((len(dofs), model.nbody))
    for row, dof in enumerate(dofs):
        for body in range(1, model.nbody):
            above = body
            while above and above != model.dof_bodyid[dof]:
                above = int(model.body_parentid[above])
            moves[row, body] = float(above != 0)
    return moves
