"""Converts MuJoCo's skin files to arrays and back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from struct import pack, unpack_from
from typing import Any, NamedTuple

import numpy as np

from .. import Element

MAX_BODY_NAME_LENGTH = 40

__all__ = ['MAX_BODY_NAME_LENGTH', 'Bone', 'Skin', 'parse', 'serialize']

Array = np.ndarray[Any, Any]


class Bone(NamedTuple):
    """A bone of a skin; it moves with one body."""

    body: Callable[[], Element]
    bindpos: Array
    """The position of the body in the bind pose, in m; shape (3,)."""
    bindquat: Array
    """The rotation of the body in the bind pose: a quaternion (w, x, y, z), shape (4,)."""
    vertex_ids: Array
    vertex_weights: Array


class Skin(NamedTuple):
    """The content of a skin file."""

    vertices: Array
    """The vertices in m, shape (n, 3)."""
    texcoords: Array
    """The texture coordinates, shape (n, 2) or (0, 2)."""
    faces: Array
    """The vertex indices of the faces, shape (n, 3)."""
    bones: list[Bone]


class _Reader:
    """Reads consecutive values from a file."""

    def __init__(self, contents: bytes) -> None:
        self._contents = contents
        self._offset = 0

    def numbers(self, count: int, dtype: str = '<i4') -> Array:
        found = np.frombuffer(self._contents, dtype, count, self._offset)
        self._offset += found.nbytes
        return found

    def text(self) -> str:
        (found,) = unpack_from(f'{MAX_BODY_NAME_LENGTH}s', self._contents, self._offset)
        self._offset += MAX_BODY_NAME_LENGTH
        return str(found.split(b'\0')[0], 'utf-8')


def parse(contents: bytes, body_getter: Callable[[str], Element]) -> Skin:
    """Parses a skin file; `body_getter` looks up a body by name on demand.

    Raises ValueError if the file is truncated.
    """
    file = _Reader(contents)
    vertices, texcoords, faces, bones = file.numbers(4).tolist()
    return Skin(
        file.numbers(3 * vertices, '<f4').reshape(-1, 3),
        file.numbers(2 * texcoords, '<f4').reshape(-1, 2),
        file.numbers(3 * faces).reshape(-1, 3),
        [_bone(file, body_getter) for _ in range(bones)],
    )


def _bone(file: _Reader, body_getter: Callable[[str], Element]) -> Bone:
    body = partial(body_getter, file.text())
    place = file.numbers(7, '<f4').astype(float)
    (count,) = file.numbers(1).tolist()
    return Bone(body, place[:3], place[3:], file.numbers(count), file.numbers(count, '<f4'))


def serialize(skin: Skin) -> bytes:
    """Converts a skin to a skin file. Raises ValueError for body names longer than 40 bytes."""
    header = [len(part) for part in skin]
    bones = (piece for bone in skin.bones for piece in _pieces(bone))
    return b''.join(
        [
            pack('<4i', *header),
            _bytes(skin.vertices, '<f4'),
            _bytes(skin.texcoords, '<f4'),
            _bytes(skin.faces, '<i4'),
            *bones,
        ]
    )


def _pieces(bone: Bone) -> list[bytes]:
    name = str(bone.body().full_identifier).encode()
    if len(name) > MAX_BODY_NAME_LENGTH:
        raise ValueError(
            f'body names in a skin file must be at most {MAX_BODY_NAME_LENGTH} bytes, got {name!r}'
        )
    return [
        name.ljust(MAX_BODY_NAME_LENGTH, b'\0'),
        _bytes(bone.bindpos, '<f4'),
        _bytes(bone.bindquat, '<f4'),
        pack('<i', len(bone.vertex_ids)),
        _bytes(bone.vertex_ids, '<i4'),
        _bytes(bone.vertex_weights, '<f4'),
    ]


def _bytes(array: Array, dtype: str) -> bytes:
    return np.asarray(array, dtype).tobytes()
