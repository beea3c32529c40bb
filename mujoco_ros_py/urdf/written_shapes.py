"""The geoms of a model, as visuals and collisions of URDF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from .mesh_references import MeshReferences
from .rigid_transforms import RigidTransform, numbers

_BOX, _SPHERE, _CAPSULE, _CYLINDER, _MESH = (
    int(getattr(mujoco.mjtGeom, f'mjGEOM_{name}'))
    for name in ('BOX', 'SPHERE', 'CAPSULE', 'CYLINDER', 'MESH')
)
_SEEN = 3
"""The number of groups of geoms that MuJoCo shows by default, which are the first ones."""
_DEFAULT = 0.5, 0.5, 0.5, 1.0
"""The colour of a geom that has none of its own."""

Part = tuple[str, dict[str, str], RigidTransform]
"""The element of a shape, its attributes, and its pose in the frame of the geom."""


class WrittenShapes:
    """Adds the geoms of bodies to links, and the materials that they need to a <robot>.

    Planes, height fields, ellipsoids and SDFs are left out, as URDF has no such shapes.
    """

    def __init__(
        self, robot: Any, model: mujoco.MjModel, meshes: MeshReferences, capsules: bool
    ) -> None:
        self._robot = robot
        self._model = model
        self._meshes = meshes
        self._capsules = capsules
        self._materials: dict[tuple[float, ...], str] = {}

    def add(self, link: Any, body: int) -> None:
        """Adds the visuals and the collisions of a body."""
        first, count = int(self._model.body_geomadr[body]), int(self._model.body_geomnum[body])
        for geom in range(first, first + count) if first >= 0 else ():
            place = RigidTransform.of(self._model.geom_pos[geom], self._model.geom_quat[geom])
            for part in self._parts(geom):
                if self._model.geom_group[geom] < _SEEN:
                    self._add(link, 'visual', place, part, self._material(geom))
                if self._model.geom_contype[geom] or self._model.geom_conaffinity[geom]:
                    self._add(link, 'collision', place, part, None)

    def _add(
        self, link: Any, kind: str, place: RigidTransform, part: Part, material: str | None
    ) -> None:
        tag, attributes, within = part
        made = etree.SubElement(link, kind)
        if found := place.then(within).origin():
            etree.SubElement(made, 'origin', **found)
        etree.SubElement(etree.SubElement(made, 'geometry'), tag, **attributes)
        if material is not None:
            etree.SubElement(made, 'material', name=material)

    def _parts(self, geom: int) -> Iterator[Part]:
        kind, size = int(self._model.geom_type[geom]), self._model.geom_size[geom]
        here = RigidTransform.of()
        if kind == _BOX:
            yield 'box', {'size': numbers(2 * size)}, here
        elif kind == _SPHERE:
            yield 'sphere', {'radius': numbers(size[:1])}, here
        elif kind == _CYLINDER or (kind == _CAPSULE and self._capsules):
            tag = 'cylinder' if kind == _CYLINDER else 'capsule'
            yield tag, _round(size), here
        elif kind == _CAPSULE:
            yield 'cylinder', _round(size), here
            for end in (-size[1], size[1]):
                yield 'sphere', {'radius': numbers(size[:1])}, RigidTransform.of((0, 0, end))
        elif kind == _MESH:
            found = self._meshes.of(int(self._model.geom_dataid[geom]))
            if found is not None:
                uri, within, scale = found
                factors = {} if scale == (1.0, 1.0, 1.0) else {'scale': numbers(scale)}
                yield 'mesh', {'filename': uri, **factors}, within

    def _material(self, geom: int) -> str:
        own = tuple(round(float(value), 6) for value in self._model.geom_rgba[geom])
        material = int(self._model.geom_matid[geom])
        if own == _DEFAULT and material >= 0:
            own = tuple(round(float(value), 6) for value in self._model.mat_rgba[material])
        if own not in self._materials:
            name = self._materials[own] = f'color_{len(self._materials) + 1}'
            made = etree.SubElement(self._robot, 'material', name=name)
            etree.SubElement(made, 'color', rgba=numbers(np.clip(own, 0.0, 1.0)))
        return self._materials[own]


def _round(size: Any) -> dict[str, str]:
    return {'radius': numbers(size[:1]), 'length': numbers([2 * size[1]])}
