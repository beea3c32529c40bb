"""Reads and sets the type, size and friction of a geom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco

from ...errors import ConfigError
from ..models.object_names import name_of
from .derived_numbers import renew_bounds
from .edit import Edit, ModelChange
from .given_numbers import Array, finite

_OBJECT = mujoco.mjtObj.mjOBJ_GEOM
_TYPE = mujoco.mjtGeom
_SIZES = {
    _TYPE.mjGEOM_PLANE: 0,
    _TYPE.mjGEOM_SPHERE: 1,
    _TYPE.mjGEOM_CAPSULE: 2,
    _TYPE.mjGEOM_ELLIPSOID: 3,
    _TYPE.mjGEOM_CYLINDER: 2,
    _TYPE.mjGEOM_BOX: 3,
}
"""The types that a geom can change to, with the number of sizes that must be positive."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GeomProperties:
    """The properties of a geom, and the mass of its body."""

    type: int
    """The type, as MuJoCo's number (`mjtGeom`)."""
    size: Array
    """The three sizes in m. Some types use fewer than three."""
    friction: Array
    """The coefficients of sliding friction, of torsional friction (m) and of rolling friction (m).
    """
    body_mass: float
    """The mass of the body in kg."""


def read_geom(model: mujoco.MjModel, geom: int) -> GeomProperties:
    """Returns the properties of the geom with this id."""
    return GeomProperties(
        type=int(model.geom_type[geom]),
        size=model.geom_size[geom].copy(),
        friction=model.geom_friction[geom].copy(),
        body_mass=float(model.body_mass[model.geom_bodyid[geom]]),
    )


def rub_geom(model: mujoco.MjModel, geom: int, friction: Sequence[float], edit: Edit) -> str:
    """Sets the three friction coefficients of a geom; returns a clause for `Edit.done`.

    Raises ConfigError if a coefficient is negative or not finite.
    """
    name, given = name_of(model, _OBJECT, geom), finite('friction', friction)
    if (given < 0).any():
        raise ConfigError(f'friction of geom {name!r} must be >= 0, got {given.tolist()}')
    model.geom_friction[geom] = given
    edit.changed(ModelChange('geom', geom))
    return f'friction of geom {name!r} set'


def shape_geom(
    model: mujoco.MjModel, geom: int, kind: int | None, size: Sequence[float] | None, edit: Edit
) -> str:
    """Sets the type or the sizes of a geom, or both; returns a clause for `Edit.done`.

    If only the type is given, and it needs more sizes than the geom has, the geom's first size is
    used for the missing sizes. Raises ConfigError for a type that needs an asset, for a plane on a
    moving body, and for invalid sizes.
    """
    name = name_of(model, _OBJECT, geom)
    shape = _checked_type(model, geom, name, kind)
    given = model.geom_size[geom].copy() if size is None else finite('size', size)
    filled = []
    if kind is not None and size is None:
        filled = [k for k in range(1, _SIZES.get(shape, 0)) if given[k] <= 0 < given[0]]
        given[filled] = given[0]
    _check_sizes(name, shape, given, changed=size is not None)
    model.geom_type[geom], model.geom_size[geom] = int(shape), given
    renew_bounds(model, geom)
    edit.changed(ModelChange('geom', geom))
    parts = ' and '.join(['type'] * (kind is not None) + ['size'] * (size is not None))
    added = f', with the size {given[0]:g} instead of 0' if filled else ''
    return f'{parts} of geom {name!r} set{added}'


def _checked_type(model: mujoco.MjModel, geom: int, name: str, kind: int | None) -> mujoco.mjtGeom:
    present = int(model.geom_type[geom])
    wanted = present if kind is None else kind
    known = {int(each): each for each in _SIZES}
    if wanted != present and wanted not in known:
        names = ', '.join(f'{each.name[7:]} ({number})' for number, each in known.items())
        raise ConfigError(f'type of geom {name!r} must be one of {names}, got {wanted}')
    body = int(model.geom_bodyid[geom])
    if wanted == _TYPE.mjGEOM_PLANE != present and model.body_weldid[body] != 0:
        raise ConfigError(f'type of geom {name!r} cannot become PLANE, because its body moves')
    return _TYPE(wanted)


def _check_sizes(name: str, shape: mujoco.mjtGeom, size: Array, *, changed: bool) -> None:
    if shape not in _SIZES:
        if changed:
            word = shape.name[7:]
            raise ConfigError(
                f'size of geom {name!r} cannot be set: a {word} has the size of its asset'
            )
        return
    count = _SIZES[shape]
    if (size < 0).any() or (size[:count] <= 0).any():
        raise ConfigError(
            f'size of geom {name!r} must have {count} numbers above 0 for a {shape.name[7:]},'
            f' got {size.tolist()}'
        )
