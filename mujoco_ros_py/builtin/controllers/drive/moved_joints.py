"""Finds joints that actuators move indirectly, for example through a tendon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np

from ....simulation import given_name
from .actuator_laws import JOINTS, address_of, disabled
from .model_joints import scalar_joints

_BODY, _SITE = int(mujoco.mjtTrn.mjTRN_BODY), int(mujoco.mjtTrn.mjTRN_SITE)
_TENDON, _WRAPPED = int(mujoco.mjtTrn.mjTRN_TENDON), int(mujoco.mjtWrap.mjWRAP_JOINT)
_POSES, _FARTHEST = 4, 0.5
"""The number of poses at which moments are computed, and the largest distance in rad or m of these
poses from the model's initial pose. A moment that is 0 at all these poses counts as always 0."""
_ROUNDING = 1e-9
"""Moments up to this share of the actuator's largest moment count as 0."""


def movers(model: mujoco.MjModel) -> dict[str, list[int]]:
    """Finds joints without an actuator of their own that other actuators move indirectly.

    Returns the ids of the other actuators by joint name. These actuators are on tendons, on
    cranks, or on sites with a reference. Actuators on a body, or on a site without a reference, do
    not count, because they exert external forces like BodyWrench.
    """
    kinds = model.actuator_trntype
    enabled = [each for each in range(len(kinds)) if not disabled(model, each)]
    owned = {int(model.actuator_trnid[each, 0]) for each in enabled if kinds[each] in JOINTS}
    elsewhere = [each for each in enabled if _moves_parts(model, each)]
    if not elsewhere:
        return {}
    moments, found = _moments(model), {}
    for name, joint in scalar_joints(model).items():
        moved = moments[:, model.jnt_dofadr[joint]]
        by = [each for each in elsewhere if moved[_outputs(model, each)].any()]
        if by and joint not in owned:
            found[name] = by
    return found


def joints_on(model: mujoco.MjModel, actuator: int) -> frozenset[str]:
    """Returns the names of the joints that an actuator drives, directly or by a fixed tendon."""
    target = int(model.actuator_trnid[actuator, 0])
    joints = [target] if model.actuator_trntype[actuator] in JOINTS else []
    if model.actuator_trntype[actuator] == _TENDON:
        begin = int(model.tendon_adr[target])
        wraps = range(begin, begin + int(model.tendon_num[target]))
        joints = [int(model.wrap_objid[k]) for k in wraps if model.wrap_type[k] == _WRAPPED]
    names = (given_name(model, mujoco.mjtObj.mjOBJ_JOINT, joint) for joint in joints)
    return frozenset(filter(None, names))


def moved_joints(model: mujoco.MjModel, actuators: Iterable[int]) -> frozenset[str]:
    """Returns the names of the joints that at least one of these actuators moves indirectly.

    Joints with an actuator of their own are not included.
    """
    given = set(actuators)
    return frozenset(name for name, by in movers(model).items() if given.intersection(by))


def _moves_parts(model: mujoco.MjModel, actuator: int) -> bool:
    """Returns whether an actuator moves joints indirectly, and not by an external force."""
    kind = model.actuator_trntype[actuator]
    if kind == _SITE:
        return bool(model.actuator_trnid[actuator, 1] >= 0)
    return kind != _BODY and kind not in JOINTS


def _outputs(model: mujoco.MjModel, actuator: int) -> slice:
    """Returns the rows of the moment matrix that belong to an actuator."""
    first = address_of(model, 'actuator_outadr', actuator, actuator)
    return slice(first, first + address_of(model, 'actuator_outnum', actuator, 1))


def _moments(model: mujoco.MjModel) -> np.ndarray[Any, Any]:
    """Returns whether each actuator output (row) has a moment on each dof (column)."""
    data, random = mujoco.MjData(model), np.random.default_rng(0)
    largest = np.zeros((len(data.actuator_length), model.nv))
    for pose in range(_POSES):
        data.qpos[:] = model.qpos0
        way = random.uniform(-_FARTHEST, _FARTHEST, model.nv)
        mujoco.mj_integratePos(model, data.qpos, way, pose / (_POSES - 1))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_tendon(model, data)
        mujoco.mj_transmission(model, data)
        np.maximum(largest, np.abs(_dense(model, data)), out=largest)
    moved: np.ndarray[Any, Any] = largest > _ROUNDING * largest.max(
        axis=1, keepdims=True, initial=0.0
    )
    return moved


def _dense(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray[Any, Any]:
    """Returns MuJoCo's sparse matrix of actuator moments as a dense matrix."""
    dense = np.zeros((len(data.actuator_length), model.nv))
    sparse = data.moment_rownnz, data.moment_rowadr, data.moment_colind.ravel()
    mujoco.mju_sparse2dense(dense, data.actuator_moment.ravel(), *sparse)
    return dense
