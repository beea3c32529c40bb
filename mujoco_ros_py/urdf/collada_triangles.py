"""The triangles of the geometries of Collada files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = 'triangles', 'polylist', 'polygons', 'tristrips', 'trifans'


@dataclass(frozen=True, kw_only=True, slots=True)
class Primitive:
    """Triangles of one material, in the frame of their geometry."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    material: str
    """The symbol of the material; empty for none."""


def primitives(geometry: Any, by_id: dict[str, Any]) -> list[Primitive]:
    """Returns the triangles of a geometry. Raises ValueError for numbers that are none."""
    found = []
    for element in geometry.iter(*_KINDS):
        vertices = _positions(element, by_id)
        faces = _faces(element)
        if vertices is None or not len(faces):
            continue
        if not 0 <= faces.min() <= faces.max() < len(vertices):
            wrong = faces.min() if faces.min() < 0 else faces.max()
            raise ValueError(f'a triangle names vertex {wrong}, there are {len(vertices)}')
        used, numbers = np.unique(faces, return_inverse=True)
        found.append(
            Primitive(
                vertices=vertices[used],
                faces=numbers.reshape(faces.shape),
                material=element.get('material', ''),
            )
        )
    return found


def _positions(element: Any, by_id: dict[str, Any]) -> NDArray[np.float64] | None:
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


def _faces(element: Any) -> NDArray[np.int64]:
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
    """Returns the triangles of a polygon or a fan, all of which have its first corner."""
    count = max(len(corners) - 2, 0)
    first = np.repeat(corners[:1], count)
    return np.stack([first, corners[1 : count + 1], corners[2 : count + 2]], axis=1)


def _strip(corners: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns the triangles of a strip, every second of which is turned."""
    count = max(len(corners) - 2, 0)
    made = np.stack([corners[k : count + k] for k in range(3)], axis=1)
    made[1::2] = made[1::2, [1, 0, 2]]
    return made
