"""Adds a robot's meshes to the assets of its model."""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import basename, splitext
from typing import Any

import numpy as np

from ..mjcf import Asset, RootElement
from .collada import read_collada
from .files import RobotFiles
from .glb import missing_for, read_glb
from .left_out import LeftOut
from .mujoco_extension import MujocoExtension
from .robot import Shape
from .tag import Vector
from .triangles import Triangles

_AS_THEY_ARE = '.stl', '.obj', '.msh'
_GLB = '.glb'
_SCENES = {'.dae': read_collada, _GLB: read_glb}
"""Readers of formats that hold several coloured parts, by file extension."""
_VERTEX = re.compile(rb'vertex\s+(\S+)\s+(\S+)\s+(\S+)')
_BINARY_HEAD = 84
"""The size in bytes of a binary STL file's header and triangle count."""
_TRIANGLE = 50
_FEWEST = 4
"""The minimum number of vertices that MuJoCo accepts in a file, whether faces use them or not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeshPart:
    """A mesh of the model: a whole file or one part of a file."""

    name: str
    rgba: Vector | None = None
    """The part's colour from the file; None if the file gives no colour."""


class MeshAssets:
    """Adds the meshes of shapes to a model, each mesh once."""

    def __init__(
        self,
        model: RootElement,
        files: RobotFiles,
        extension: MujocoExtension,
        left_out: LeftOut,
    ) -> None:
        self._model = model
        self._files = files
        self._extension = extension
        self._left_out = left_out
        self._parts: dict[Any, list[MeshPart]] = {}
        self._read: dict[str, list[tuple[Asset, Vector | None]]] = {}
        self._taken: set[str] = set()

    def parts(self, shape: Shape, *, as_one: bool) -> list[MeshPart]:
        """Returns the meshes of a shape: one mesh if `as_one`, else one for each colour.

        The list is empty if the format cannot be read; the file is then recorded in `left_out`.
        """
        by_color = not as_one and shape.file.lower().endswith(tuple(_SCENES))
        key = shape.file, shape.size, by_color
        if key not in self._parts:
            found = self._assets(shape, as_one)
            name = splitext(basename(shape.file.replace('\\', '/')))[0].replace('/', '_') or 'mesh'
            self._parts[key] = [self._add(name, *each, shape.size) for each in found]
        return self._parts[key]

    def _add(self, name: str, asset: Asset, rgba: Vector | None, scale: Vector) -> MeshPart:
        free, count = name, 0
        while free in self._taken:
            count += 1
            free = f'{name}_{count}'
        self._taken.add(free)
        scaled: Any = {} if scale == (1.0, 1.0, 1.0) else {'scale': scale}
        self._model.asset.add('mesh', name=free, file=asset, inertia='shell', **scaled)
        return MeshPart(name=free, rgba=rgba)

    def _assets(self, shape: Shape, as_one: bool) -> list[tuple[Asset, Vector | None]]:
        name, extension = splitext(basename(shape.file.replace('\\', '/')))
        kind = extension.lower()
        if kind not in _SCENES and kind not in _AS_THEY_ARE:
            self._left_out.add(f'meshes of the unknown format {extension!r}', shape.file)
            return []
        content = self._files.read(shape.tag, *self._extension.files('mesh', shape.file))
        if kind in _SCENES:
            return self._parts_of(shape, content, kind, name, as_one)
        if kind == '.stl' and _is_stl_text(content):
            return [(Asset(_msh(self._triangles(shape, content)), '.msh', name), None)]
        return [(Asset(content, kind, name), None)]

    def _triangles(self, shape: Shape, content: bytes) -> Triangles:
        try:
            return _read_stl_text(content)
        except ValueError as error:
            raise shape.tag.error(f'{shape.file!r} cannot be read: {error}') from None

    def _parts_of(
        self, shape: Shape, content: bytes, kind: str, name: str, as_one: bool
    ) -> list[tuple[Asset, Vector | None]]:
        try:
            if kind == _GLB and (missing := missing_for(content)):
                self._left_out.add(f'GLB meshes that need {missing}', shape.file)
                return []
            parts = _SCENES[kind](content, self._left_out)
        except (ValueError, OverflowError) as error:
            raise shape.tag.error(f'{shape.file!r} cannot be read: {error}') from None
        if as_one:
            parts = [Triangles.joined(parts)]
        return [(Asset(_msh(part), '.msh', name), part.rgba) for part in parts]


def _is_stl_text(content: bytes) -> bool:
    """Returns whether an STL file is in text format; MuJoCo reads only binary files."""
    if content.lstrip()[:5].lower() != b'solid':
        return False
    count = int.from_bytes(content[80:84], 'little')
    return len(content) != _BINARY_HEAD + count * _TRIANGLE


def _read_stl_text(content: bytes) -> Triangles:
    """Returns the triangles of an STL file in text format."""
    corners = np.array(_VERTEX.findall(content), 'S32').astype(np.float32).reshape(-1, 3)
    vertices, numbers = np.unique(corners, axis=0, return_inverse=True)
    return Triangles(vertices=vertices, faces=numbers.reshape(-1, 3).astype(np.int32))


def _msh(triangles: Triangles) -> bytes:
    """Returns the content of a file in MuJoCo's binary format for meshes."""
    vertices = np.ascontiguousarray(triangles.vertices, '<f4')
    while len(vertices) < _FEWEST:  # a single triangle, for example
        vertices = np.concatenate([vertices, vertices[-1:]])
    head = np.array([len(vertices), 0, 0, len(triangles.faces)], '<i4')
    return head.tobytes() + vertices.tobytes() + triangles.faces.astype('<i4').tobytes()
