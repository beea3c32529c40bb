"""Converts the visuals and collisions of links to geoms."""

from __future__ import annotations

from typing import Any

from ..mjcf import Element, RootElement
from .appearance import Appearance
from .gazebo import LinkTags
from .mesh_assets import MeshAssets
from .robot import Link, Pose, Shape
from .rotations import quaternion
from .tag import Vector

VISUAL, COLLISION = 'visual', 'collision'
"""The default classes of the geoms."""


def add_classes(model: RootElement) -> None:
    """Adds the default classes of geoms: visuals do not collide, and no geom has mass."""
    visual = model.default.add('default', dclass=VISUAL)
    visual.geom.set_attributes(group=2, contype=0, conaffinity=0, mass=0)
    collision = model.default.add('default', dclass=COLLISION)
    collision.geom.set_attributes(group=3, mass=0)


def placed(pose: Pose) -> dict[str, Any]:
    """Returns the attributes for a pose, without a zero position or rotation."""
    found: dict[str, Any] = {}
    if any(pose.xyz):
        found['pos'] = pose.xyz
    if any(pose.rpy):
        found['quat'] = quaternion(pose.rpy)
    return found


class Geoms:
    """Adds geoms to the bodies of links."""

    def __init__(self, meshes: MeshAssets, appearance: Appearance) -> None:
        self._meshes = meshes
        self._appearance = appearance
        self._names: set[str] = set()

    def add(self, body: Element, link: Link, tags: LinkTags) -> None:
        """Adds the geoms of a link to its body."""
        rough: dict[str, Any] = {}
        if tags.friction is not None:  # with the priority, the other geom's friction is ignored
            rough = {'friction': [tags.friction], 'priority': 1}
        for shape in link.collisions:
            self._collision(body, shape, rough)
        for shape in link.visuals:
            self._visual(body, shape, tags.rgba)

    def _collision(self, body: Element, shape: Shape, rough: dict[str, Any]) -> None:
        name = self._name(shape)
        for of in self._shapes(shape, as_one=True):
            body.add('geom', **name, dclass=COLLISION, **of, **placed(shape.pose), **rough)

    def _visual(self, body: Element, shape: Shape, rgba: Vector | None) -> None:
        """Adds the geoms of a visual; Gazebo's colour `rgba` overrides all others."""
        one = rgba is not None or (shape.material is not None and shape.material.rgba is not None)
        for of in self._shapes(shape, as_one=one):
            own = rgba or of.pop('rgba', None)
            look = self._appearance.attributes(shape.tag, shape.material, own)
            body.add('geom', dclass=VISUAL, **of, **placed(shape.pose), **look)

    def _name(self, shape: Shape) -> dict[str, str]:
        """Returns the name of a collision as an attribute, if the name exists and is free."""
        name = shape.name.replace('/', '_')
        if not name or name in self._names:
            return {}
        self._names.add(name)
        return {'name': name}

    def _shapes(self, shape: Shape, *, as_one: bool) -> list[dict[str, Any]]:
        """Returns the shape attributes of the geoms."""
        if shape.kind == 'mesh':
            return [
                {'type': 'mesh', 'mesh': part.name} | ({'rgba': part.rgba} if part.rgba else {})
                for part in self._meshes.parts(shape, as_one=as_one)
            ]
        if shape.kind == 'box':
            return [{'type': 'box', 'size': [length / 2 for length in shape.size]}]
        if shape.kind == 'sphere':
            return [{'type': 'sphere', 'size': shape.size}]
        radius, length = shape.size
        return [{'type': shape.kind, 'size': (radius, length / 2)}]
