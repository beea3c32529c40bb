"""Keys by which the objects of one model are found again in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator

import mujoco

from .object_names import given_name

_Object = mujoco.mjtObj
_PLUGIN_OWNERS = {
    'body_plugin': _Object.mjOBJ_BODY,
    'geom_plugin': _Object.mjOBJ_GEOM,
    'actuator_plugin': _Object.mjOBJ_ACTUATOR,
    'sensor_plugin': _Object.mjOBJ_SENSOR,
}
"""The arrays that name the plugin instance of an object, with the kind of the object."""


class ObjectKeys:
    """The keys of the objects of a model, by kind and in the order of their ids.

    An object is known by its name. One without a name is known by what it belongs to, such as its
    body, and by its place among those that also belong to that and have no name.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self.bodies = self._bodies()
        self.joints = self._keys(
            _Object.mjOBJ_JOINT, model.njnt, lambda i: self.bodies[model.jnt_bodyid[i]]
        )
        self.actuators = self._keys(
            _Object.mjOBJ_ACTUATOR,
            len(model.actuator_trntype),
            lambda i: self._object(_transmitted(model, i), int(model.actuator_trnid[i, 0])),
        )
        self.sensors = self._keys(
            _Object.mjOBJ_SENSOR,
            model.nsensor,
            lambda i: (
                int(model.sensor_type[i]),
                self._object(model.sensor_objtype[i], int(model.sensor_objid[i])),
            ),
        )
        self.equalities = self._keys(_Object.mjOBJ_EQUALITY, model.neq, self._ends)
        self.tendons = self._keys(_Object.mjOBJ_TENDON, model.ntendon, lambda _: '')
        self.flexes = self._keys(_Object.mjOBJ_FLEX, model.nflex, lambda _: '')
        self.plugins = self._plugins()
        self.trees = [self.bodies[first] for first in model.tree_bodyadr]

    def _bodies(self) -> list[Hashable]:
        keys: list[Hashable] = []
        parents, counts = self._model.body_parentid, Counter[Hashable]()
        for body in range(self._model.nbody):
            name = given_name(self._model, _Object.mjOBJ_BODY, body)
            above = keys[parents[body]] if body else None
            keys.append(name or _numbered(above, counts))
        return keys

    def _keys(
        self, kind: mujoco.mjtObj, count: int, owner: Callable[[int], Hashable]
    ) -> list[Hashable]:
        counts = Counter[Hashable]()
        return [
            given_name(self._model, kind, index) or _numbered(owner(index), counts)
            for index in range(count)
        ]

    def _object(self, kind: int | mujoco.mjtObj, index: int) -> Hashable:
        """Returns what tells which object is meant."""
        kind = _Object(kind)
        if index < 0 or kind == _Object.mjOBJ_UNKNOWN:
            return int(kind)
        if kind in (_Object.mjOBJ_BODY, _Object.mjOBJ_XBODY):
            return int(kind), self.bodies[index]
        return int(kind), given_name(self._model, kind, index) or index

    def _ends(self, equality: int) -> Hashable:
        """Returns what tells which two objects an equality ties."""
        model = self._model
        kind = model.eq_objtype[equality]
        first, second = int(model.eq_obj1id[equality]), int(model.eq_obj2id[equality])
        kinds = int(model.eq_type[equality])
        return kinds, self._object(kind, first), self._object(kind, second)

    def _plugins(self) -> list[Hashable]:
        """Returns the keys of plugin instances: one without a name has a single owner."""
        keys: dict[int, Hashable] = dict(self._owned()) if self._model.nplugin else {}
        kind = _Object.mjOBJ_PLUGIN
        return [
            given_name(self._model, kind, index) or keys.get(index, index)
            for index in range(self._model.nplugin)
        ]

    def _owned(self) -> Iterator[tuple[int, Hashable]]:
        for array, kind in _PLUGIN_OWNERS.items():
            for index, instance in enumerate(getattr(self._model, array)):
                if instance >= 0:
                    yield int(instance), (array, self._object(kind, index))


def _numbered(owner: Hashable, counts: Counter[Hashable]) -> Hashable:
    counts[owner] += 1
    return owner, counts[owner]


def _transmitted(model: mujoco.MjModel, actuator: int) -> mujoco.mjtObj:
    """Returns the kind of object on which an actuator acts."""
    kinds = {
        mujoco.mjtTrn.mjTRN_JOINT: _Object.mjOBJ_JOINT,
        mujoco.mjtTrn.mjTRN_JOINTINPARENT: _Object.mjOBJ_JOINT,
        mujoco.mjtTrn.mjTRN_SLIDERCRANK: _Object.mjOBJ_SITE,
        mujoco.mjtTrn.mjTRN_TENDON: _Object.mjOBJ_TENDON,
        mujoco.mjtTrn.mjTRN_SITE: _Object.mjOBJ_SITE,
        mujoco.mjtTrn.mjTRN_BODY: _Object.mjOBJ_BODY,
    }
    return kinds.get(mujoco.mjtTrn(model.actuator_trntype[actuator]), _Object.mjOBJ_UNKNOWN)
