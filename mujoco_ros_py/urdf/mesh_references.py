"""The names that a URDF has for the meshes of a model."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import mujoco
import numpy as np

from .model_names import mesh_name
from .rigid_transforms import RigidTransform

_URI = re.compile(r'[a-zA-Z][a-zA-Z0-9+.-]*://')
_NOT_IN_FILES = re.compile(r'[^A-Za-z0-9_.-]')
_LONGEST, _DIGITS = 100, 16
"""How many characters of the name of a mesh, and of the digest of its content, a file name has."""

MeshReference = tuple[str, RigidTransform, tuple[float, ...]]
"""The URI of a file, the pose of its frame in that of the geom, and its scale."""


class MeshReferences:
    """Finds a file for each mesh, or writes one into a folder.

    `files` has the paths of files that the model itself does not know, by the names of meshes.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        files: Mapping[str, str],
        mesh_uri: Callable[[str, str], str | None] | None,
        mesh_folder: str | None,
    ) -> None:
        self._model = model
        self._files = files
        self._mesh_uri = mesh_uri or _uri_of_file
        self._folder = None if mesh_folder is None else Path(mesh_folder)

    def of(self, mesh: int) -> MeshReference | None:
        """Returns the reference to a mesh; None if there is no file and no folder for one."""
        model, name = self._model, mesh_name(self._model, mesh)
        uri = self._mesh_uri(name, self._files.get(name) or _path(model, mesh))
        if uri is not None:
            moved = RigidTransform.of(model.mesh_pos[mesh], model.mesh_quat[mesh])
            return uri, moved.inverse(), tuple(map(float, model.mesh_scale[mesh]))
        if self._folder is None:
            return None
        path = _written(self._folder, name, stl(model, mesh))
        return path.resolve().as_uri(), RigidTransform.of(), (1.0, 1.0, 1.0)


def stl(model: mujoco.MjModel, mesh: int) -> bytes:
    """Returns the content of a binary STL file of a mesh, in the frame of its geoms."""
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = np.asarray(model.mesh_vert[first : first + count])
    first, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    faces = np.asarray(model.mesh_face[first : first + count])
    row = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('rest', '<u2')])
    triangles = np.zeros(len(faces), row)
    triangles['corners'] = vertices[faces]
    return bytes(80) + len(faces).to_bytes(4, 'little') + triangles.tobytes()


def _written(folder: Path, name: str, content: bytes) -> Path:
    """Returns the path of a file with this content, which appears as a whole.

    Another content has another name, as programs keep what they have read under a name.
    """
    digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
    path = folder / f'{_NOT_IN_FILES.sub("_", name)[:_LONGEST]}_{digest}.stl'
    if not path.is_file() or path.stat().st_size != len(content):
        with tempfile.NamedTemporaryFile(dir=folder, suffix='.part', delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    return path


def _uri_of_file(name: str, path: str) -> str | None:
    """Returns the URI of a file that exists at an absolute path, or a URI as it is."""
    if _URI.match(path):
        return path
    return Path(path).as_uri() if path.startswith('/') and Path(path).is_file() else None


def _path(model: mujoco.MjModel, mesh: int) -> str:
    """Returns the path that the model has for a mesh; empty if it has none."""
    start = int(model.mesh_pathadr[mesh])
    if start < 0:
        return ''
    return bytes(model.paths[start:].partition(b'\0')[0]).decode(errors='surrogateescape')
