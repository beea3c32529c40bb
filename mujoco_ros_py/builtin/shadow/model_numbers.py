"""Finds the numbers of a compiled model by the places of an identification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np

from ...simulation import name_of

_PLACE = re.compile(r'(?:(?P<kind>[a-z]+):)?(?P<name>.+)\.(?P<key>\w+)(?:\[(?P<index>\d+)\])?')
_OBJECTS = mujoco.mjtObj
_KINDS = {
    'joint': _OBJECTS.mjOBJ_JOINT,
    'geom': _OBJECTS.mjOBJ_GEOM,
    'actuator': _OBJECTS.mjOBJ_ACTUATOR,
    'tendon': _OBJECTS.mjOBJ_TENDON,
}
_OF_DOFS = 'damping', 'armature', 'frictionloss'
_GAINS = {
    'kp': (('actuator_gainprm', 0, 1.0), ('actuator_biasprm', 1, -1.0)),
    'kv': (('actuator_biasprm', 2, -1.0),),
}


class Number(NamedTuple):
    """A number in an array of the model."""

    field: str
    row: int
    at: int
    factor: float
    """The change of the number per change of the place."""


def numbers_of(model: mujoco.MjModel, place: str) -> list[Number]:
    """Returns the numbers that a place sets; empty if the compiled model has no such number."""
    found = _PLACE.fullmatch(place)
    if found is None:
        return []
    name, key, index = found['name'], found['key'], int(found['index'] or 0)
    if key == 'mass' and name.endswith('.inertial'):
        body = mujoco.mj_name2id(
            model, _OBJECTS.mjOBJ_BODY, name.removesuffix('.inertial').removeprefix('body:')
        )
        return [Number('body_mass', body, 0, 1.0)] if body >= 0 else []
    kinds = [found['kind']] if found['kind'] in _KINDS else list(_KINDS)
    for kind in kinds:
        row = mujoco.mj_name2id(model, _KINDS[kind], name)
        if row >= 0 and (made := _numbers(model, kind, row, key, index)):
            return made
    return []


def _numbers(model: mujoco.MjModel, kind: str, row: int, key: str, index: int) -> list[Number]:
    if kind == 'actuator' and key in _GAINS:
        return [Number(field, row, at, factor) for field, at, factor in _GAINS[key]]
    if kind == 'joint' and key in _OF_DOFS:
        field, row = f'dof_{key}', int(model.jnt_dofadr[row])
    else:
        field = f'{"jnt" if kind == "joint" else kind}_{key}'
    array = getattr(model, field, None)
    if array is None or array.dtype.kind != 'f' or index >= np.size(array[row]):
        return []
    return [Number(field, row, index, 1.0)]


@contextmanager
def changed(model: mujoco.MjModel, changes: list[tuple[Number, float]]) -> Iterator[None]:
    """Adds to numbers of a model, and restores them at the end."""
    before = [np.array(getattr(model, number.field)[number.row]) for number, _ in changes]
    try:
        for number, change in changes:
            rows = getattr(model, number.field)
            row = np.array(rows[number.row]).reshape(-1)
            row[number.at] += change * number.factor
            rows[number.row] = row.reshape(np.shape(rows[number.row]))
        yield
    finally:
        for (number, _), values in reversed(list(zip(changes, before, strict=True))):
            getattr(model, number.field)[number.row] = values


def scalar_joints(model: mujoco.MjModel, prefix: str) -> dict[str, int]:
    """Returns the ids of hinges and slides by name, without the prefix."""
    scalar = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)
    names: dict[int, Any] = {
        joint: name_of(model, _OBJECTS.mjOBJ_JOINT, joint)
        for joint in range(model.njnt)
        if int(model.jnt_type[joint]) in scalar
    }
    return {
        name.removeprefix(prefix): joint
        for joint, name in names.items()
        if name and name.startswith(prefix)
    }
