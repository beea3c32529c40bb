"""Reads the triangles and the colours of Collada files, which MuJoCo does not read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
from lxml import etree

from .collada_materials import colors, symbols
from .collada_triangles import Primitive, primitives
from .left_out import LeftOut
from .rotations import Array
from .triangles import Triangles

_DEEPEST, _MOST_NODES = 1000, 100_000


def read_collada(content: bytes, left_out: LeftOut) -> list[Triangles]:
    """Returns the triangles of a Collada file in m, those of each colour together.

    Nodes are where the scene has them. As in RViz, the unit of the file counts and its upward
    axis does not. Raises ValueError for a file without triangles and for one that cannot be read.
    """
    root = _parsed(content)
    unit = root.find('./asset/unit')
    meter = 1.0 if unit is None else float(unit.get('meter', '1'))
    found: dict[Any, list[Triangles]] = {}
    for place, geometry, bound in _instances(root):
        for primitive in geometry:
            rgba = bound.get(primitive.material)
            found.setdefault(rgba, []).append(_placed(primitive, place, meter))
    if not found:
        raise ValueError('the scene has no triangles')
    if root.find('.//library_images//image') is not None:
        left_out.add('the textures of Collada files')
    return [Triangles.joined(parts, rgba) for rgba, parts in found.items()]


def _parsed(content: bytes) -> Any:
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


def _placed(primitive: Primitive, place: Array, meter: float) -> Triangles:
    vertices = (primitive.vertices @ place[:3, :3].T + place[:3, 3]) * meter
    turned = np.linalg.det(place[:3, :3]) < 0
    faces = primitive.faces[:, ::-1] if turned else primitive.faces
    return Triangles(vertices=vertices.astype(np.float32), faces=faces.astype(np.int32))


def _instances(root: Any) -> Iterator[tuple[Array, list[Primitive], dict[str, Any]]]:
    """Yields place, triangles and colours by symbol of each geometry in the scene."""
    by_id = {element.get('id'): element for element in root.iter() if element.get('id')}
    shapes = {each.get('id'): primitives(each, by_id) for each in root.iter('geometry')}
    rgba = colors(root, by_id)
    scene = _named(root.find('./scene/instance_visual_scene'), by_id)
    if scene is None:
        scene = root.find('.//visual_scene')
    if scene is None:  # a file without a scene shows all that it has
        yield from ((np.eye(4), shape, {}) for shape in shapes.values())
        return
    waiting: deque[tuple[Any, Array, tuple[Any, ...]]] = deque(
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
            yield place, shape, symbols(instance, rgba)
        below = [*node.iterchildren('node')]
        below += [_named(each, by_id) for each in node.iterchildren('instance_node')]
        for each in filter(lambda found: found is not None, below):
            if len(path) > _DEEPEST or any(each is outer for outer in path):
                raise ValueError(f'the node {each.get("id")!r} is inside of itself, or too deep')
            waiting.append((each, place, (*path, each)))


def _named(instance: Any, by_id: dict[str, Any]) -> Any:
    return None if instance is None else by_id.get(instance.get('url', '').lstrip('#'))


def _transform(node: Any) -> Array:
    """Returns the transformation of a node, which is the product of its elements."""
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
    """Returns the matrix of the rotation by an angle about an axis."""
    length = np.linalg.norm(axis)
    if length == 0.0:
        return np.eye(3)
    x, y, z = axis / length
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
