"""Carries values that were changed in a running model over to another model."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from typing import Any

import mujoco
import numpy as np

from ...mujoco_internals import ModelNumbers
from ..edits.derived_numbers import renew_bounds
from ..models.object_keys import ObjectKeys

_Array = np.ndarray[Any, Any]

TUNABLE: Mapping[str, tuple[str, ...]] = {
    'bodies': (
        'body_pos', 'body_quat', 'body_ipos', 'body_iquat', 'body_mass', 'body_subtreemass',
        'body_inertia', 'body_invweight0', 'body_gravcomp', 'body_user',
    ),
    'joints': (
        'jnt_solref', 'jnt_solimp', 'jnt_pos', 'jnt_axis', 'jnt_stiffness', 'jnt_range',
        'jnt_actfrcrange', 'jnt_margin', 'jnt_user', 'jnt_limited', 'jnt_actfrclimited',
        'jnt_actgravcomp', 'jnt_stiffnesspoly', 'jnt_springyield', 'jnt_group',
    ),
    'dofs': (
        'dof_solref', 'dof_solimp', 'dof_frictionloss', 'dof_armature', 'dof_damping',
        'dof_dampingpoly', 'dof_invweight0', 'dof_M0',
    ),
    'positions': ('qpos0', 'qpos_spring'),
    'geoms': (
        'geom_type', 'geom_contype', 'geom_conaffinity', 'geom_condim', 'geom_group',
        'geom_priority', 'geom_size', 'geom_pos', 'geom_quat', 'geom_friction', 'geom_solref',
        'geom_solimp', 'geom_solmix', 'geom_margin', 'geom_gap', 'geom_fluid', 'geom_rgba',
        'geom_adhesion', 'geom_surfacevel', 'geom_castshadow', 'geom_user',
    ),
    'pairs': (
        'pair_dim', 'pair_solref', 'pair_solreffriction', 'pair_solimp', 'pair_margin', 'pair_gap',
        'pair_friction', 'pair_adhesion',
    ),
    'flexes': (
        'flex_contype', 'flex_conaffinity', 'flex_condim', 'flex_priority', 'flex_solmix',
        'flex_solref', 'flex_solimp', 'flex_friction', 'flex_margin', 'flex_gap', 'flex_damping',
        'flex_edgestiffness', 'flex_edgedamping', 'flex_group', 'flex_rgba',
    ),
    'sites': ('site_size', 'site_pos', 'site_quat', 'site_group', 'site_rgba', 'site_user'),
    'cameras': (
        'cam_pos', 'cam_quat', 'cam_fovy', 'cam_ipd', 'cam_sensorsize', 'cam_intrinsic', 'cam_user'
    ),
    'lights': (
        'light_type', 'light_castshadow', 'light_active', 'light_bulbradius', 'light_intensity',
        'light_range', 'light_pos', 'light_dir', 'light_attenuation', 'light_cutoff',
        'light_exponent', 'light_ambient', 'light_diffuse', 'light_specular',
    ),
    'materials': (
        'mat_emission', 'mat_specular', 'mat_shininess', 'mat_reflectance', 'mat_metallic',
        'mat_roughness', 'mat_texrepeat', 'mat_texuniform', 'mat_rgba',
    ),
    'equalities': ('eq_solref', 'eq_solimp', 'eq_data', 'eq_active0'),
    'tendons': (
        'tendon_range', 'tendon_margin', 'tendon_stiffness', 'tendon_damping', 'tendon_armature',
        'tendon_frictionloss', 'tendon_lengthspring', 'tendon_invweight0', 'tendon_rgba',
        'tendon_width', 'tendon_limited', 'tendon_solref_lim', 'tendon_solimp_lim',
        'tendon_solref_fri', 'tendon_solimp_fri', 'tendon_actfrclimited', 'tendon_actfrcrange',
        'tendon_dampingpoly', 'tendon_stiffnesspoly', 'tendon_springyield', 'tendon_group',
        'tendon_user',
    ),
    'actuators': (
        'actuator_dynprm', 'actuator_gainprm', 'actuator_biasprm', 'actuator_actlimited',
        'actuator_forcelimited', 'actuator_forcerange', 'actuator_actrange', 'actuator_gear',
        'actuator_cranklength', 'actuator_damping', 'actuator_dampingpoly', 'actuator_armature',
        'actuator_lengthrange', 'actuator_group', 'actuator_user',
    ),
    'controls': ('actuator_ctrllimited', 'actuator_ctrlrange'),
    'sensors': ('sensor_cutoff', 'sensor_noise', 'sensor_user'),
}  # fmt: skip
"""The arrays that may change while a model runs, by the kind of object that a row belongs to."""
_DEFAULTS = mujoco.MjOption()
_OPTIONS = [
    name
    for name in dir(_DEFAULTS)
    if not name.startswith('_') and isinstance(getattr(_DEFAULTS, name), np.ndarray | int | float)
]
"""The names of the options."""
_SORTS = {'joints': 'jnt_type', 'equalities': 'eq_type'}
"""For each kind of element whose values only fit elements of the same type, the array of types."""
_WITH_BOUNDS = 'geom_type', 'geom_size', 'geom_pos', 'geom_quat'


class TunedValues:
    """A copy of a model's values as compiled, to find the values that were changed later."""

    def __init__(self, model: mujoco.MjModel) -> None:
        """Copies the values that may change: all except textures, meshes and height fields."""
        self._numbers = ModelNumbers(model)
        self._options = copy(model.opt)

    def carry(self, running: mujoco.MjModel, other: mujoco.MjModel) -> None:
        """Copies the values that have changed in the running model to another model.

        Elements are matched by `ObjectKeys`. Values that do not fit are skipped, for example the
        values of a weld that is a joint coupling in the other model.
        """
        if not self._numbers.changed:
            return
        for name in _OPTIONS:
            now = getattr(running.opt, name)
            if _bytes(now) != _bytes(getattr(self._options, name)):
                setattr(other.opt, name, now)
        changed = {
            kind: found
            for kind, names in TUNABLE.items()
            if (found := [name for name in names if self._differs(name, running)])
        }
        old, new = ObjectKeys(running), ObjectKeys(other)
        for kind, names in changed.items():
            places = _places(kind, running, other, getattr(old, kind), getattr(new, kind))
            for name in names:
                self._carry_rows(name, running, other, places)

    def _differs(self, name: str, running: mujoco.MjModel) -> bool:
        now = getattr(running, name, None)
        return now is not None and not _same(self._numbers.before(name), now).all()

    def _carry_rows(
        self,
        name: str,
        running: mujoco.MjModel,
        other: mujoco.MjModel,
        places: Mapping[int, int],
    ) -> None:
        now, target = getattr(running, name), getattr(other, name)
        if now.shape[1:] != target.shape[1:]:
            return
        for row in np.flatnonzero(~_same(self._numbers.before(name), now)).tolist():
            place = places.get(row)
            if place is None:
                continue
            target[place] = now[row]
            if name in _WITH_BOUNDS:
                renew_bounds(other, place)


def _places(
    kind: str,
    running: mujoco.MjModel,
    other: mujoco.MjModel,
    old: Sequence[Hashable],
    new: Sequence[Hashable],
) -> dict[int, int]:
    """Maps the rows of a kind in the running model to the rows in the other model."""
    there = {key: row for row, key in enumerate(new)}
    found = {row: there[key] for row, key in enumerate(old) if key in there}
    sort = _SORTS.get(kind)
    if sort is None:
        return found
    before, after = getattr(running, sort), getattr(other, sort)
    return {row: place for row, place in found.items() if before[row] == after[place]}


def _same(before: _Array, now: _Array) -> _Array:
    """Returns for each row whether all its numbers are unchanged."""
    if not before.size:
        return np.ones(len(before), bool)
    equal = np.asarray((before == now) | (np.isnan(before) & np.isnan(now)))
    return np.asarray(equal.reshape(len(before), -1).all(axis=1))


def _bytes(value: Any) -> bytes:
    return np.asarray(value).tobytes()
