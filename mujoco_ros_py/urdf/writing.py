"""Writes models as URDF, for RViz and other programs that read only URDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os.path import abspath
from typing import Any

import mujoco
import numpy as np
from lxml import etree

from ..mjcf import RootElement
from ..mujoco_resources import below, provides
from .joint_chains import JointChains
from .mesh_references import MeshReferences
from .model_names import ModelNames, model_name
from .rigid_transforms import RigidTransform, numbers

_BOX, _SPHERE, _CAPSULE, _CYLINDER, _MESH = (
    int(getattr(mujoco.mjtGeom, f'mjGEOM_{name}'))
    for name in ('BOX', 'SPHERE', 'CAPSULE', 'CYLINDER', 'MESH')
)
_SEEN = 3
"""The number of geom groups, from group 0 up, that MuJoCo shows by default."""
_DEFAULT = 0.5, 0.5, 0.5, 1.0
"""MuJoCo's default colour of a geom."""

_Part = tuple[str, dict[str, str], RigidTransform]
"""The element of a shape, its attributes, and its pose in the geom's frame."""


def to_urdf(
    model: mujoco.MjModel | RootElement,
    *,
    root: str = 'world',
    frame_prefix: str = '',
    body_prefix: str = '',
    joint_prefix: str = '',
    mesh_uri: Callable[[str, str], str | None] | None = None,
    mesh_folder: str | None = None,
    capsules: bool = False,
) -> str:
    """Returns a URDF of the body `root` and all bodies below it.

    Link names match the TF frames that the plugin Transforms publishes: a link is named after its
    body, with `body_prefix` removed and `frame_prefix` added. A joint is named after the model's
    joint, with `joint_prefix` removed.

    `mesh_uri(name, path)` receives the name and path of a mesh in the model, and returns the URI
    to write, or None. By default, the URI refers to the mesh's file, if the file exists. Meshes
    without a URI are written to `mesh_folder` as STL files, whose names depend on their contents.
    Without `mesh_folder`, these meshes are dropped.

    With `capsules`, capsules are written as <capsule>, which only newer programs can read;
    otherwise as a cylinder and two spheres. Raises ValueError for an unknown root, and TypeError
    if `model` is not a model.
    """
    compiled, files = _compiled(model)
    names = ModelNames(compiled, frame_prefix, body_prefix, joint_prefix)
    if root not in names.bodies:
        known = ', '.join(names.bodies)
        raise ValueError(f'root: unknown body {root!r}; known: {known}')
    robot = etree.Element('robot', name=model_name(compiled))
    meshes = MeshReferences(compiled, files, mesh_uri, mesh_folder)
    shapes = _WrittenShapes(robot, compiled, meshes, capsules)
    chains = JointChains(robot, compiled, names)
    first = names.bodies.index(root)
    for body in _below(compiled, first):
        link = etree.SubElement(robot, 'link', name=names.links[body])
        _add_inertial(link, compiled, body)
        shapes.add(link, body)
        if body != first:
            chains.add(body)
    return str(etree.tostring(robot, pretty_print=True, encoding='unicode'))


def _compiled(model: mujoco.MjModel | RootElement) -> tuple[mujoco.MjModel, dict[str, str]]:
    """Returns the compiled model, and the paths of mesh files by mesh name.

    The paths are known only for a RootElement.
    """
    if isinstance(model, mujoco.MjModel):
        return model, {}
    if not isinstance(model, RootElement):
        raise TypeError(f'the model must be MjModel or RootElement, got {type(model).__name__}')
    compiled = mujoco.MjModel.from_xml_string(model.to_xml_string(), model.get_assets())
    files: dict[str, str] = {}
    for mesh in model.find_all('mesh'):
        path = getattr(mesh.file, 'path', None)
        if path:
            place = below(mesh.root.model_dir, path)
            files[str(mesh.full_identifier)] = place if provides(place) else abspath(place)
    return compiled, files


def _below(model: mujoco.MjModel, first: int) -> list[int]:
    """Returns a body and all bodies below it."""
    found = {first}
    for body in range(first + 1, model.nbody):
        if int(model.body_parentid[body]) in found:
            found.add(body)
    return sorted(found)


def _add_inertial(link: Any, model: mujoco.MjModel, body: int) -> None:
    if not model.body_mass[body]:
        return
    place = RigidTransform.of(model.body_ipos[body], model.body_iquat[body])
    inertia = place.rotation @ np.diag(model.body_inertia[body]) @ place.rotation.T
    made = etree.SubElement(link, 'inertial')
    etree.SubElement(made, 'origin', xyz=numbers(place.position), rpy='0 0 0')
    etree.SubElement(made, 'mass', value=numbers([model.body_mass[body]]))
    keys = {'ixx': (0, 0), 'ixy': (0, 1), 'ixz': (0, 2), 'iyy': (1, 1), 'iyz': (1, 2)}
    moments = {key: numbers([inertia[at]]) for key, at in (*keys.items(), ('izz', (2, 2)))}
    etree.SubElement(made, 'inertia', **moments)


class _WrittenShapes:
    """Adds the geoms of bodies to links as visuals and collisions, and their colours to <robot>.

    Planes, height fields, ellipsoids and SDFs are dropped: URDF has no such shapes.
    """

    def __init__(
        self, robot: etree._Element, model: mujoco.MjModel, meshes: MeshReferences, capsules: bool
    ) -> None:
        self._robot = robot
        self._model = model
        self._meshes = meshes
        self._capsules = capsules
        self._materials: dict[tuple[float, ...], str] = {}

    def add(self, link: Any, body: int) -> None:
        """Adds the visuals and collisions of a body to its link."""
        first, count = int(self._model.body_geomadr[body]), int(self._model.body_geomnum[body])
        for geom in range(first, first + count) if first >= 0 else ():
            place = RigidTransform.of(self._model.geom_pos[geom], self._model.geom_quat[geom])
            for part in self._parts(geom):
                if self._model.geom_group[geom] < _SEEN:
                    self._add(link, 'visual', place, part, self._material(geom))
                if self._model.geom_contype[geom] or self._model.geom_conaffinity[geom]:
                    self._add(link, 'collision', place, part, None)

    def _add(
        self, link: Any, kind: str, place: RigidTransform, part: _Part, material: str | None
    ) -> None:
        tag, attributes, within = part
        made = etree.SubElement(link, kind)
        if found := place.then(within).origin():
            etree.SubElement(made, 'origin', **found)
        etree.SubElement(etree.SubElement(made, 'geometry'), tag, **attributes)
        if material is not None:
            etree.SubElement(made, 'material', name=material)

    def _parts(self, geom: int) -> Iterator[_Part]:
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
