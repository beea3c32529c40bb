"""Reads the links of a URDF."""

from __future__ import annotations

from .left_out import LeftOut
from .robot import Inertial, Link, Material, Pose, Shape
from .tag import Tag, Vector

_PARTS = 'inertial', 'visual', 'collision'
_MOMENTS = 'ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'
_LENGTHS = {
    'cylinder': ('radius', 'length'),
    'capsule': ('radius', 'length'),
    'sphere': ('radius',),
}


def link_of(tag: Tag, materials: dict[str, Material], left_out: LeftOut) -> Link:
    """Parses a <link> element; `materials` maps names to the robot's shared materials."""
    name = tag.word('name')
    for child in tag.children:
        if child.name not in _PARTS:
            left_out.add(f'<{child.name}> in links', name)
    inertial = tag.first('inertial')
    return Link(
        tag=tag,
        name=name,
        inertial=None if inertial is None else _inertial(inertial),
        visuals=_shapes(tag, 'visual', materials, left_out),
        collisions=_shapes(tag, 'collision', materials, left_out),
    )


def pose_in(tag: Tag) -> Pose:
    """Returns the pose given by the element's <origin>; the identity without <origin>."""
    origin = tag.first('origin')
    if origin is None:
        return Pose()
    return Pose(xyz=origin.numbers('xyz', 3), rpy=origin.numbers('rpy', 3))


def material_of(tag: Tag) -> Material:
    """Parses a <material> element."""
    color, texture = tag.first('color'), tag.first('texture')
    return Material(
        name=tag.attributes.get('name', '').strip(),
        rgba=None if color is None else _rgba(color),
        texture='' if texture is None else texture.word('filename', ''),
    )


def _rgba(color: Tag) -> Vector:
    color.word('rgba')
    values = color.numbers('rgba', 4)
    if not all(0.0 <= value <= 1.0 for value in values):
        raise color.error(f'rgba must be 4 numbers from 0 to 1, got {color.word("rgba")!r}')
    return values


def _inertial(tag: Tag) -> Inertial:
    mass, inertia = tag.first('mass'), tag.first('inertia')
    return Inertial(
        pose=pose_in(tag),
        mass=0.0 if mass is None else mass.number('value'),
        inertia=tuple(0.0 if inertia is None else inertia.number(key, 0.0) for key in _MOMENTS),
    )


def _shapes(
    link: Tag, kind: str, materials: dict[str, Material], left_out: LeftOut
) -> tuple[Shape, ...]:
    found = (_shape(tag, link, materials, left_out) for tag in link.all(kind))
    return tuple(shape for shape in found if shape is not None)


def _shape(tag: Tag, link: Tag, materials: dict[str, Material], left_out: LeftOut) -> Shape | None:
    geometry = tag.required('geometry')
    if not geometry.children:
        left_out.add('geometries without a shape, in links', link.word('name'))
        return None
    of = geometry.children[0]
    if of.name not in (*_LENGTHS, 'box', 'mesh'):
        left_out.add(f'geometries of the unknown kind <{of.name}>, in links', link.word('name'))
        return None
    size = _size(of)
    if of.name != 'mesh' and min(size) <= 0.0:
        left_out.add('shapes with a size of 0 or less, in links', link.word('name'))
        return None
    return Shape(
        tag=of,
        kind=of.name,
        pose=pose_in(tag),
        size=size,
        file=of.word('filename') if of.name == 'mesh' else '',
        name=tag.attributes.get('name', '').strip(),
        material=_material(tag, materials),
    )


def _size(of: Tag) -> Vector:
    if of.name == 'box':
        of.word('size')
        return of.numbers('size', 3)
    if of.name != 'mesh':
        return tuple(of.number(key) for key in _LENGTHS[of.name])
    if len(of.attributes.get('scale', '').split()) == 1:  # one factor for all axes
        return (of.number('scale'),) * 3
    size = of.numbers('scale', 3, (1.0, 1.0, 1.0))
    if 0.0 in size:
        raise of.error(f'scale must be 3 nonzero numbers, got {of.word("scale")!r}')
    return size


def _material(visual: Tag, materials: dict[str, Material]) -> Material | None:
    tag = visual.first('material')
    if tag is None:
        return None
    own = material_of(tag)
    if own.rgba is None and not own.texture:
        return materials.get(own.name, own)
    return own
