"""Meshes that MuJoCo cannot read as they are, and the format that they get."""

from __future__ import annotations

import re

import numpy as np

from .triangles import Triangles

_VERTEX = re.compile(rb'vertex\s+(\S+)\s+(\S+)\s+(\S+)')
_BINARY_HEAD = 84
"""The size in bytes of what is before the triangles of a binary STL file."""
_TRIANGLE = 50
_FEWEST = 4
"""The number of vertices that MuJoCo wants in a file, whether a face has them or not."""


def is_stl_text(content: bytes) -> bool:
    """Returns whether an STL file is text; MuJoCo reads only binary ones."""
    if content.lstrip()[:5].lower() != b'solid':
        return False
    count = int.from_bytes(content[80:84], 'little')
    return len(content) != _BINARY_HEAD + count * _TRIANGLE


def read_stl_text(content: bytes) -> Triangles:
    """Returns the triangles of an STL file that is text."""
    corners = np.array(_VERTEX.findall(content), 'S32').astype(np.float32).reshape(-1, 3)
    vertices, numbers = np.unique(corners, axis=0, return_inverse=True)
    return Triangles(vertices=vertices, faces=numbers.reshape(-1, 3).astype(np.int32))


def msh(triangles: Triangles) -> bytes:
    """Returns the content of a file in MuJoCo's binary format for meshes."""
    vertices = np.ascontiguousarray(triangles.vertices, '<f4')
    while len(vertices) < _FEWEST:  # a single triangle, for example
        vertices = np.concatenate([vertices, vertices[-1:]])
    head = np.array([len(vertices), 0, 0, len(triangles.faces)], '<i4')
    return head.tobytes() + vertices.tobytes() + triangles.faces.astype('<i4').tobytes()
