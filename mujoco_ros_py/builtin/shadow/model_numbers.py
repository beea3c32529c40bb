"""Finds the numbers of a compiled model by the places of an identification."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import mujoco
import numpy as np

from ...simulation import name_of

_PLACE = re.compile(r'(?P<name>.+)\.(?P<key>\w+)(?:\[(?P<index>\d+)\])?')
_INERTIAL, _AXES = '.inertial', 'xyz'
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


def numbers_of(
    model: mujoco.MjModel, place: str, prefix: str = '', parameter: str = ''
) -> list[Number]:
    """Returns the numbers that a place sets; empty if the compiled model has no such number.

    Names in the model have the prefix. For the place `link7.inertial`, the name of the parameter
    says which number of the inertia it is.
    """
    kind, _, rest = place.rpartition(':')
    if rest.endswith(_INERTIAL):
        return _of_inertia(model, f'{prefix}{rest.removesuffix(_INERTIAL)}', parameter)
    found = _PLACE.fullmatch(rest)
    if found is None:
        return []
    name, key, index = f'{prefix}{found["name"]}', found['key'], int(found['index'] or 0)
    if key == 'mass' and name.endswith(_INERTIAL):
        return _of_inertia(model, name.removesuffix(_INERTIAL), 'mass')
    for each in [kind] if kind in _KINDS else _KINDS:
        row = mujoco.mj_name2id(model, _KINDS[each], name)
        if row >= 0 and (made := _numbers(model, each, row, key, index)):
            return made
    return []


def _of_inertia(model: mujoco.MjModel, name: str, parameter: str) -> list[Number]:
    """Returns the numbers of a parameter: `link7.mass`, `link7.center.x` or `link7.inertia.ixy`.

    A product of inertia changes the principal moments, and not the principal axes.
    """
    body = mujoco.mj_name2id(model, _OBJECTS.mjOBJ_BODY, name)
    part = parameter.rpartition('.')[2]
    if body < 0:
        return []
    if part == 'mass':
        return [Number('body_mass', body, 0, 1.0)]
    if part in _AXES:
        return [Number('body_ipos', body, _AXES.index(part), 1.0)]
    if len(part) != 3 or part[0] != 'i' or not set(part[1:]) <= set(_AXES):
        return []
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, model.body_iquat[body])
    one, other = (matrix.reshape(3, 3)[_AXES.index(axis)] for axis in part[1:])
    factors = one * other * (1.0 if part[1] == part[2] else 2.0)
    return [Number('body_inertia', body, k, float(factor)) for k, factor in enumerate(factors)]


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
