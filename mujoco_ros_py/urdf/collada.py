"""Reads the triangles and colours of Collada files, which MuJoCo does not read.

This is a parser of our own because pycollada 0.9, which trimesh uses, loses geometry: parts whose
material has a missing texture (the foot of ANYmal B), every scene with `instance_node`, and
sources with unnamed parameters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from .left_out import LeftOut
from .rotations import Array
from .tag import Vector
from .triangles import Triangles

_DEEPEST, _MOST_NODES = 1000, 100_000
_KINDS = 'triangles', 'polylist', 'polygons', 'tristrips', 'trifans'


def read_collada(content: bytes, left_out: LeftOut) -> list[Triangles]:
    """Returns the triangles of a Collada file in m, grouped by colour.

    Nodes keep their poses in the scene. As in RViz, the file's unit is applied and its up axis is
    ignored. Raises ValueError if the file has no triangles or cannot be read.
    """
    root = _parsed(content)
    unit = root.find('./asset/unit')
    meter = 1.0 if unit is None else float(unit.get('meter', '1'))
    found: dict[Vector | None, list[Triangles]] = {}
    for place, geometry, bound in _instances(root):
        for primitive in geometry:
            rgba = bound.get(primitive.material)
            found.setdefault(rgba, []).append(_placed(primitive, place, meter))
    if not found:
        raise ValueError('the scene has no triangles')
    if root.find('.//library_images//image') is not None:
        left_out.add('the textures of Collada files')
    return [Triangles.joined(parts, rgba) for rgba, parts in found.items()]


def _parsed(content: bytes) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise ValueError(f'not well-formed: {error.msg}') from None
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
    return root


def _placed(primitive: _Primitive, place: Array, meter: float) -> Triangles:
    vertices = (primitive.vertices @ place[:3, :3].T + place[:3, 3]) * meter
    turned = np.linalg.det(place[:3, :3]) < 0
    faces = primitive.faces[:, ::-1] if turned else primitive.faces
    return Triangles(vertices=vertices.astype(np.float32), faces=faces.astype(np.int32))


def _instances(
    root: etree._Element,
) -> Iterator[tuple[Array, list[_Primitive], dict[str, Vector]]]:
    """Yields each geometry in the scene: its pose, triangles, and colours by material symbol."""
    by_id = {element.get('id'): element for element in root.iter() if element.get('id')}
    shapes = {each.get('id'): _primitives(each, by_id) for each in root.iter('geometry')}
    rgba = _colors(root, by_id)
    scene = _named(root.find('./scene/instance_visual_scene'), by_id)
    if scene is None:
        scene = root.find('.//visual_scene')
    if scene is None:  # a file without a scene shows all its geometries
        yield from ((np.eye(4), shape, {}) for shape in shapes.values())
        return
    waiting: deque[tuple[etree._Element, Array, tuple[etree._Element, ...]]] = deque(
        (node, np.eye(4), (node,)) for node in scene.iterchildren('node')
    )
    count = 0
    while waiting:
        node, above, path = waiting.popleft()
        place, count = above @ _transform(node), count + 1
        if count > _MOST_NODES:
            raise ValueError(f'the scene has more than {_MOST_NODES:,} nodes')
        for instance in node.iterchildren('instance_geometry'):
            shape = shapes.get(instance.get('url', '').lstrip('#'), [])
            yield place, shape, _symbols(instance, rgba)
        below = [*node.iterchildren('node')]
        below += [_named(each, by_id) for each in node.iterchildren('instance_node')]
        for each in filter(lambda found: found is not None, below):
            if len(path) > _DEEPEST or any(each is outer for outer in path):
                raise ValueError(f'node {each.get("id")!r} is nested in itself, or too deeply')
            waiting.append((each, place, (*path, each)))


def _named(instance: etree._Element, by_id: dict[str, etree._Element]) -> etree._Element | None:
    return None if instance is None else by_id.get(instance.get('url', '').lstrip('#'))


def _transform(node: etree._Element) -> Array:
    """Returns the transformation of a node: the product of its transform elements."""
    place = np.eye(4)
    for element in node:
        if element.tag not in ('matrix', 'translate', 'rotate', 'scale'):
            continue
        values = np.array((element.text or '').split(), float)
        step = np.eye(4)
        if element.tag == 'matrix':
            step = values.reshape(4, 4)
        elif element.tag == 'translate':
            step[:3, 3] = values
        elif element.tag == 'scale':
            step[:3, :3] = np.diag(values)
        else:
            x, y, z, angle = values
            step[:3, :3] = _about(np.array([x, y, z]), np.radians(angle))
        place = place @ step
    return place


def _about(axis: Array, angle: float) -> Array:
    """Returns the rotation matrix for an angle in radians about an axis."""
    length = np.linalg.norm(axis)
    if length == 0.0:
        return np.eye(3)
    x, y, z = axis / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def _colors(root: etree._Element, by_id: dict[str, etree._Element]) -> dict[str, Vector]:
    """Maps material ids to diffuse colours; skips materials without a diffuse colour."""
    found = {}
    for material in root.iter('material'):
        instance = material.find('./instance_effect')
        url = '' if instance is None else instance.get('url', '').lstrip('#')
        effect = by_id.get(url)
        color = None if effect is None else effect.find('.//diffuse/color')
        if color is not None and color.text:
            values = [min(max(float(value), 0.0), 1.0) for value in color.text.split()]
            found[material.get('id', '')] = (*values[:3], 1.0)
    return found


def _symbols(instance: etree._Element, rgba: dict[str, Vector]) -> dict[str, Vector]:
    """Maps the material symbols of a geometry to the colours that the instance assigns."""
    found = {}
    for bound in instance.iter('instance_material'):
        color = rgba.get(bound.get('target', '').lstrip('#'))
        if color is not None:
            found[bound.get('symbol', '')] = color
    return found


@dataclass(frozen=True, kw_only=True, slots=True)
class _Primitive:
    """Triangles of one material, in the frame of their geometry."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    material: str
    """The symbol of the material; empty if the triangles have no material."""


def _primitives(geometry: etree._Element, by_id: dict[str, etree._Element]) -> list[_Primitive]:
    """Returns the triangles of a geometry. Raises ValueError for malformed numbers."""
    found = []
    for element in geometry.iter(*_KINDS):
        vertices = _positions(element, by_id)
        faces = _faces(element)
        if vertices is None or not len(faces):
            continue
        if not 0 <= faces.min() <= faces.max() < len(vertices):
            wrong = faces.min() if faces.min() < 0 else faces.max()
            raise ValueError(
                f'a triangle refers to vertex {wrong}, but there are only {len(vertices)}'
            )
        used, numbers = np.unique(faces, return_inverse=True)
        found.append(
            _Primitive(
                vertices=vertices[used],
                faces=numbers.reshape(faces.shape),
                material=element.get('material', ''),
            )
        )
    return found


def _positions(
    element: etree._Element, by_id: dict[str, etree._Element]
) -> NDArray[np.float64] | None:
    vertex = element.find("./input[@semantic='VERTEX']")
    if vertex is None:
        return None
    vertices = by_id.get(vertex.get('source', '').lstrip('#'))
    position = None if vertices is None else vertices.find("./input[@semantic='POSITION']")
    source = None if position is None else by_id.get(position.get('source', '').lstrip('#'))
    if source is None or (numbers := source.find('./float_array')) is None:
        return None
    accessor = source.find('./technique_common/accessor')
    stride = 3 if accessor is None else int(accessor.get('stride', '3'))
    if stride < 3:
        raise ValueError(f'the stride of positions must be at least 3, got {stride}')
    values = np.array((numbers.text or '').split(), float)
    return values[: len(values) // stride * stride].reshape(-1, stride)[:, :3]


def _faces(element: etree._Element) -> NDArray[np.int64]:
    inputs = element.findall('./input')
    width = 1 + max((int(each.get('offset', '0')) for each in inputs), default=0)
    (vertex,) = (each for each in inputs if each.get('semantic') == 'VERTEX')
    offset = int(vertex.get('offset', '0'))
    lists = [np.array((each.text or '').split(), np.int64) for each in element.findall('./p')]
    corners = [numbers[offset::width] for numbers in lists]
    if element.tag == 'triangles':
        joined = np.concatenate(corners) if corners else np.empty(0, np.int64)
        return joined[: len(joined) // 3 * 3].reshape(-1, 3)
    if element.tag == 'polylist':
        counts = np.array((element.findtext('./vcount') or '').split(), np.int64)
        corners = np.split(corners[0], np.cumsum(counts)[:-1]) if corners else []
    strips = element.tag == 'tristrips'
    made = [_strip(each) if strips else _fan(each) for each in corners]
    return np.concatenate(made) if made else np.empty((0, 3), np.int64)


def _fan(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the triangles of a polygon or fan; the first corner belongs to all of them."""
    count = max(len(corners) - 2, 0)
    first = np.repeat(corners[:1], count)
    return np.stack([first, corners[1 : count + 1], corners[2 : count + 2]], axis=1)


def _strip(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the triangles of a strip; flips every second one, so that all face the same way."""
    count = max(len(corners) - 2, 0)
    made = np.stack([corners[k : count + k] for k in range(3)], axis=1)
    made[1::2] = made[1::2, [1, 0, 2]]
    return made
