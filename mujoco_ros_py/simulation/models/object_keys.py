"""Keys that identify the same object in two models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from typing import Any

import mujoco
import numpy as np

from .object_names import given_name, given_names

_Object = mujoco.mjtObj
_PLUGIN_OWNERS = {
    'body_plugin': _Object.mjOBJ_BODY,
    'geom_plugin': _Object.mjOBJ_GEOM,
    'actuator_plugin': _Object.mjOBJ_ACTUATOR,
    'sensor_plugin': _Object.mjOBJ_SENSOR,
}
"""The arrays with the plugin instances of objects, and the kind of these objects."""


class ObjectKeys:
    """The keys of the objects of a model, by kind and in the order of their ids.

    The key of a named object is its name. The key of an unnamed object consists of its owner, such
    as its body, and its index among the unnamed objects of this owner.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = self._model = model
        """The model of the objects."""

    @cached_property
    def bodies(self) -> list[Hashable]:
        """The keys of bodies, starting with the world."""
        keys: list[Hashable] = []
        parents, counts = self._model.body_parentid.tolist(), Counter[Hashable]()
        for body, name in enumerate(given_names(self._model, _Object.mjOBJ_BODY)):
            above = keys[parents[body]] if body else None
            keys.append(name or _numbered(above, counts))
        return keys

    @cached_property
    def trees(self) -> list[Hashable]:
        """The keys of kinematic trees, which are the keys of their first bodies."""
        return [self.bodies[first] for first in self._model.tree_bodyadr]

    @cached_property
    def joints(self) -> list[Hashable]:
        """The keys of joints."""
        return self._of_bodies(_Object.mjOBJ_JOINT, self._model.jnt_bodyid)

    @cached_property
    def dofs(self) -> list[Hashable]:
        """The keys of degrees of freedom: the joint, its type, and the index within the joint."""
        first, kinds = self._model.jnt_dofadr, self._model.jnt_type
        owners = self._model.dof_jntid
        return [(self.joints[j], int(kinds[j]), k - int(first[j])) for k, j in enumerate(owners)]

    @cached_property
    def positions(self) -> list[Hashable]:
        """The keys of the numbers in `qpos`: the joint, its type, the index within the joint."""
        model = self._model
        ends = np.append(model.jnt_qposadr[1:], model.nq)
        spans = zip(self.joints, model.jnt_type, model.jnt_qposadr, ends, strict=True)
        return [
            (key, int(kind), k) for key, kind, first, end in spans for k in range(int(end - first))
        ]

    @cached_property
    def geoms(self) -> list[Hashable]:
        """The keys of geoms."""
        return self._of_bodies(_Object.mjOBJ_GEOM, self._model.geom_bodyid)

    @cached_property
    def sites(self) -> list[Hashable]:
        """The keys of sites."""
        return self._of_bodies(_Object.mjOBJ_SITE, self._model.site_bodyid)

    @cached_property
    def cameras(self) -> list[Hashable]:
        """The keys of cameras."""
        return self._of_bodies(_Object.mjOBJ_CAMERA, self._model.cam_bodyid)

    @cached_property
    def lights(self) -> list[Hashable]:
        """The keys of lights."""
        return self._of_bodies(_Object.mjOBJ_LIGHT, self._model.light_bodyid)

    @cached_property
    def pairs(self) -> list[Hashable]:
        """The keys of contact pairs. The owner of an unnamed pair is the pair of its geoms."""
        first, second = self._model.pair_geom1, self._model.pair_geom2
        return self._keys(
            _Object.mjOBJ_PAIR,
            lambda i: (self.geoms[first[i]], self.geoms[second[i]]),
        )

    @cached_property
    def materials(self) -> list[Hashable]:
        """The keys of materials. Materials always have names."""
        return self._keys(_Object.mjOBJ_MATERIAL, lambda _: '')

    @cached_property
    def tendons(self) -> list[Hashable]:
        """The keys of tendons."""
        return self._keys(_Object.mjOBJ_TENDON, lambda _: '')

    @cached_property
    def flexes(self) -> list[Hashable]:
        """The keys of flexes."""
        return self._keys(_Object.mjOBJ_FLEX, lambda _: '')

    @cached_property
    def actuators(self) -> list[Hashable]:
        """The keys of actuators. The owner of an unnamed actuator is the object it acts on."""
        model = self._model
        return self._keys(
            _Object.mjOBJ_ACTUATOR,
            lambda i: self._object(_transmitted(model, i), int(model.actuator_trnid[i, 0])),
        )

    @cached_property
    def controls(self) -> list[Hashable]:
        """The keys of controls: the actuator, and the index among its controls."""
        model = self._model
        if not hasattr(model, 'actuator_ctrlnum'):  # MuJoCo 3 has one control per actuator
            return self.actuators
        return [
            (key, k)
            for key, count in zip(self.actuators, model.actuator_ctrlnum, strict=True)
            for k in range(int(count))
        ]

    @cached_property
    def sensors(self) -> list[Hashable]:
        """The keys of sensors. The owner of an unnamed sensor is its type and its object."""
        model = self._model
        return self._keys(
            _Object.mjOBJ_SENSOR,
            lambda i: (
                int(model.sensor_type[i]),
                self._object(model.sensor_objtype[i], int(model.sensor_objid[i])),
            ),
        )

    @cached_property
    def equalities(self) -> list[Hashable]:
        """The keys of equalities. The owner of an unnamed equality is its type and its objects."""
        return self._keys(_Object.mjOBJ_EQUALITY, self._ends)

    @cached_property
    def plugins(self) -> list[Hashable]:
        """The keys of engine plugin instances. An unnamed instance has exactly one owner."""
        keys: dict[int, Hashable] = dict(self._owned()) if self._model.nplugin else {}
        names = given_names(self._model, _Object.mjOBJ_PLUGIN)
        return [name or keys.get(index, index) for index, name in enumerate(names)]

    def _of_bodies(self, kind: mujoco.mjtObj, owners: Any) -> list[Hashable]:
        return self._keys(kind, lambda i: self.bodies[owners[i]])

    def _keys(self, kind: mujoco.mjtObj, owner: Callable[[int], Hashable]) -> list[Hashable]:
        counts = Counter[Hashable]()
        return [
            name or _numbered(owner(index), counts)
            for index, name in enumerate(given_names(self._model, kind))
        ]

    def _object(self, kind: int | mujoco.mjtObj, index: int) -> Hashable:
        """Returns a key for an object that another object refers to."""
        kind = _Object(kind)
        if index < 0 or kind == _Object.mjOBJ_UNKNOWN:
            return int(kind)
        if kind in (_Object.mjOBJ_BODY, _Object.mjOBJ_XBODY):
            return int(kind), self.bodies[index]
        return int(kind), given_name(self._model, kind, index) or index

    def _ends(self, equality: int) -> Hashable:
        """Returns the type of an equality and the keys of its two objects."""
        model = self._model
        kind = model.eq_objtype[equality]
        first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
        kinds = int(model.eq_type[equality])
        return kinds, self._object(kind, first), self._object(kind, second)

    def _owned(self) -> Iterator[tuple[int, Hashable]]:
        for array, kind in _PLUGIN_OWNERS.items():
            for index, instance in enumerate(getattr(self._model, array)):
                if instance >= 0:
                    yield int(instance), (array, self._object(kind, index))


def _numbered(owner: Hashable, counts: Counter[Hashable]) -> Hashable:
    counts[owner] += 1
    return owner, counts[owner]


def _transmitted(model: mujoco.MjModel, actuator: int) -> mujoco.mjtObj:
    """Returns the kind of the object that an actuator acts on."""
    kinds = {
        mujoco.mjtTrn.mjTRN_JOINT: _Object.mjOBJ_JOINT,
        mujoco.mjtTrn.mjTRN_JOINTINPARENT: _Object.mjOBJ_JOINT,
        mujoco.mjtTrn.mjTRN_SLIDERCRANK: _Object.mjOBJ_SITE,
        mujoco.mjtTrn.mjTRN_TENDON: _Object.mjOBJ_TENDON,
        mujoco.mjtTrn.mjTRN_SITE: _Object.mjOBJ_SITE,
        mujoco.mjtTrn.mjTRN_BODY: _Object.mjOBJ_BODY,
    }
    return kinds.get(mujoco.mjtTrn(model.actuator_trntype[actuator]), _Object.mjOBJ_UNKNOWN)
