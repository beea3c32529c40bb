"""Reads and sets the parameters of equality constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco

from ...errors import ConfigError
from ..models.object_names import given_name
from .derived_numbers import renew_constants
from .edit import Edit, ModelChange
from .given_numbers import Array, finite, unit_quat
from .named_elements import find_element

_OBJECT = mujoco.mjtObj
_TYPE = mujoco.mjtEq
_NAMES = {
    int(_TYPE.mjEQ_CONNECT): 'connect',
    int(_TYPE.mjEQ_WELD): 'weld',
    int(_TYPE.mjEQ_JOINT): 'joint',
    int(_TYPE.mjEQ_TENDON): 'tendon',
}
_COEFFICIENTS = 5
_KEEP = -1.0
_ORIGIN = (0.0, 0.0, 0.0)
_UNTURNED = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class EqualityParameters:
    """The parameters of an equality constraint. Each type of constraint uses some of them."""

    name: str
    """The name of the constraint."""
    type: int
    """The type, as MuJoCo's number (`mjtEq`)."""
    active: bool
    """Whether the constraint is enforced."""
    elements: tuple[str, str] = ('', '')
    """The names of the two bodies, sites, joints or tendons. When setting, an empty name keeps the
    current element."""
    solimp: Sequence[float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """The solver's impedance parameters. If `solimp` and `solref` are all zeros, both keep their
    current values."""
    solref: Sequence[float] = (0.0, 0.0)
    """The solver's reference parameters."""
    anchor: Sequence[float] = _ORIGIN
    """The anchor in m, in the frame of the first body (connect) or of the second body (weld)."""
    relative_position: Sequence[float] = _ORIGIN
    """The position of a weld's second body in m, in the frame of the first body."""
    relative_quat: Sequence[float] = _UNTURNED
    """The orientation of a weld's second body in the frame of the first body (w, x, y, z)."""
    torquescale: float = 0.0
    """The torque scale of a weld; -1 keeps the current value."""
    polycoef: Sequence[float] = ()
    """The five coefficients of a joint or tendon constraint; empty to keep the current values."""


def read_equality(model: mujoco.MjModel, data: mujoco.MjData, name: str) -> EqualityParameters:
    """Returns the parameters of a constraint. Raises ConfigError for an unknown name."""
    number = find_element(model, _OBJECT.mjOBJ_EQUALITY, 'equality constraint', name)
    kind, values = int(model.eq_type[number]), model.eq_data[number]
    spatial, welds = _is_spatial(kind), kind == _TYPE.mjEQ_WELD
    scalar = kind in (_TYPE.mjEQ_JOINT, _TYPE.mjEQ_TENDON)
    objects = model.eq_obj1id[number], model.eq_obj2id[number]
    first, second = (_element_name(model, number, int(each)) for each in objects)
    return EqualityParameters(
        name=name,
        type=kind,
        active=bool(data.eq_active[number]),
        elements=(first, second),
        solimp=model.eq_solimp[number].copy(),
        solref=model.eq_solref[number].copy(),
        anchor=values[:3].copy() if spatial else _ORIGIN,
        relative_position=values[3:6].copy() if welds else _ORIGIN,
        relative_quat=values[6:10].copy() if welds else _UNTURNED,
        torquescale=float(values[10]) if welds else 0.0,
        polycoef=values[:_COEFFICIENTS].copy() if scalar else (),
    )


def set_equality(
    model: mujoco.MjModel, data: mujoco.MjData, given: EqualityParameters, edit: Edit
) -> str:
    """Sets all parameters of a constraint; returns a clause for `Edit.done`.

    Raises ConfigError, and sets nothing, if the constraint or an element is unknown, if the type
    differs from the type of the constraint, or if a number is invalid.
    """
    number = find_element(model, _OBJECT.mjOBJ_EQUALITY, 'equality constraint', given.name)
    kind, where = int(model.eq_type[number]), f'equality constraint {given.name!r}'
    if given.type != kind:
        raise ConfigError(f'{where} has the type {_NAMES.get(kind, kind)}, got type {given.type}')
    objects = [_element(model, number, where, name) for name in given.elements]
    values = _values(model.eq_data[number].copy(), kind, where, given)
    solver = finite(f'solver parameters of {where}', [*given.solimp, *given.solref])
    for field_, found in zip((model.eq_obj1id, model.eq_obj2id), objects, strict=True):
        if found is not None:
            field_[number] = found
    model.eq_data[number] = values
    if solver.any():
        model.eq_solimp[number], model.eq_solref[number] = solver[:5], solver[5:]
    data.eq_active[number] = given.active
    if _is_spatial(kind):
        renew_constants(model, data)  # also computes the anchor in the frame of the other body
    edit.changed(ModelChange('equality', number))
    return f'{where} set'


def _values(values: Array, kind: int, where: str, given: EqualityParameters) -> Array:
    """Returns the row of `eq_data` with the given parameters written into it."""
    if _is_spatial(kind):
        values[:3] = finite(f'anchor of {where}', given.anchor)
    if kind == _TYPE.mjEQ_WELD:
        values[3:6] = finite(f'relpose of {where}', given.relative_position)
        values[6:10] = unit_quat(f'relpose of {where}', given.relative_quat)
        if (scale := float(finite(f'torquescale of {where}', [given.torquescale])[0])) != _KEEP:
            if scale < 0:
                raise ConfigError(f'torquescale of {where} must be >= 0, got {scale:g}')
            values[10] = scale
    if not _is_spatial(kind) and len(given.polycoef):
        if len(given.polycoef) != _COEFFICIENTS:
            came = len(given.polycoef)
            raise ConfigError(f'polycoef of {where} must have {_COEFFICIENTS} numbers, got {came}')
        values[:_COEFFICIENTS] = finite(f'polycoef of {where}', given.polycoef)
    return values


def _is_spatial(kind: int) -> bool:
    return kind in (_TYPE.mjEQ_CONNECT, _TYPE.mjEQ_WELD)


def _element_kind(model: mujoco.MjModel, number: int) -> mujoco.mjtObj:
    """Returns the object type of a constraint's elements."""
    kind = int(model.eq_type[number])
    if kind == _TYPE.mjEQ_JOINT:
        return _OBJECT.mjOBJ_JOINT
    if kind == _TYPE.mjEQ_TENDON:
        return _OBJECT.mjOBJ_TENDON
    return _OBJECT(int(model.eq_objtype[number]))


def _element_name(model: mujoco.MjModel, number: int, element: int) -> str:
    """Returns the name of an element; empty for an unnamed or missing element."""
    known = element >= 0 and int(model.eq_type[number]) in _NAMES
    return given_name(model, _element_kind(model, number), element) if known else ''


def _element(model: mujoco.MjModel, number: int, where: str, name: str) -> int | None:
    """Returns the id of a named element, or None for an empty name."""
    if not name:
        return None
    kind = _element_kind(model, number)
    return find_element(model, kind, f'{kind.name[6:].lower()} of {where}', name)
