"""Reads the triangles and colours of GLB files, which MuJoCo does not read."""

from __future__ import annotations

import json
import struct
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np

from .left_out import LeftOut
from .rotations import Array
from .tag import Vector
from .triangles import Triangles

_LIBRARY, _DRACO = 'trimesh', 'DracoPy'
_DRACO_EXTENSION = 'KHR_draco_mesh_compression'
_OF_SHAPES = (
    'EXT_mesh_gpu_instancing', 'EXT_meshopt_compression', _DRACO_EXTENSION,
    'KHR_mesh_quantization', 'KHR_meshopt_compression',
)  # fmt: skip
"""glTF extensions that change a file's triangles."""
_LAYOUT = struct.Struct('<4sIII4s')
"""The layout of the header: magic word, version, length, then the JSON chunk's length and type."""
_BROKEN = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError,
    RuntimeError, TypeError, ValueError, struct.error,
)  # fmt: skip
"""The errors that trimesh raises for a file that it cannot read."""


def missing_for(content: bytes) -> str | None:
    """Returns the library or glTF extension that is missing to read a file, or None.

    Raises ValueError if the content is not a GLB file.
    """
    if find_spec(_LIBRARY) is None:
        return f"the library {_LIBRARY}: pip install 'mujoco_ros_py[glb]'"
    required = _head(content).required & set(_OF_SHAPES)
    if find_spec(_DRACO) is not None:
        required.discard(_DRACO_EXTENSION)
    return f'an extension of glTF: {min(required)}' if required else None


def read_glb(content: bytes, left_out: LeftOut) -> list[Triangles]:
    """Returns the triangles of a GLB file in m, grouped by colour.

    Nodes keep their poses in the scene. As in RViz, the up axis is not converted. Raises
    ValueError if the file has no triangles or cannot be read.
    """
    import trimesh

    head = _head(content)
    try:
        scene = trimesh.load_scene(BytesIO(content), file_type='glb', process=False)
        nodes = [scene.graph[name] for name in scene.graph.nodes_geometry]
        meshes = [(place, scene.geometry[name]) for place, name in nodes]
    except _BROKEN as error:
        raise ValueError(f'trimesh cannot read the file: {error}') from None
    found: dict[Vector | None, list[Triangles]] = {}
    for place, mesh in meshes:
        if isinstance(mesh, trimesh.Trimesh) and len(mesh.faces):
            found.setdefault(_rgba(mesh), []).append(_placed(mesh, np.asarray(place)))
    if not found:
        raise ValueError('the scene has no triangles')
    if head.has_images:
        left_out.add('textures of GLB files')
    return [Triangles.joined(parts, rgba) for rgba, parts in found.items()]


class _Head(NamedTuple):
    required: set[str]
    """The extensions that a reader must support."""
    has_images: bool


def _head(content: bytes) -> _Head:
    """Parses the JSON chunk of a GLB file. Raises ValueError if the file is not GLB."""
    if len(content) < _LAYOUT.size or not content.startswith(b'glTF'):
        raise ValueError('not a GLB file')
    _, _, _, length, _ = _LAYOUT.unpack_from(content)
    try:
        document = json.loads(content[_LAYOUT.size : _LAYOUT.size + length])
        outside = any('uri' in buffer for buffer in document.get('buffers', ()))
        required = set(map(str, document.get('extensionsRequired', ())))
        has_images = bool(document.get('images'))
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f'not a GLB file: {error}') from None
    if outside:
        raise ValueError('its buffers are in another file, which is not supported')
    return _Head(required, has_images)


def _placed(mesh: Any, place: Array) -> Triangles:
    vertices = np.asarray(mesh.vertices) @ place[:3, :3].T + place[:3, 3]
    faces = np.asarray(mesh.faces)
    if not 0 <= faces.min() <= faces.max() < len(vertices):
        raise ValueError(
            f'a triangle refers to vertex {faces.max()}, but there are only {len(vertices)}'
        )
    if not np.isfinite(vertices).all():
        raise ValueError('a vertex is not finite')
    if np.linalg.det(place[:3, :3]) < 0:
        faces = faces[:, ::-1]
    return Triangles(vertices=vertices.astype(np.float32), faces=faces.astype(np.int32))


def _rgba(mesh: Any) -> Vector | None:
    """Returns the colour of a mesh; None if it has no colour, or a texture."""
    material = getattr(mesh.visual, 'material', None)
    if getattr(material, 'baseColorTexture', None) is not None:
        return None
    color = getattr(material, 'baseColorFactor', None)
    if color is None and mesh.visual.kind in ('face', 'vertex'):
        color = mesh.visual.main_color
    if color is None:
        return None
    red, green, blue, alpha = (float(value) / 255 for value in color)
    return red, green, blue, alpha if getattr(material, 'alphaMode', None) == 'BLEND' else 1.0
