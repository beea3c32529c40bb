"""Finds or writes the mesh files that a URDF refers to."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

import mujoco
import numpy as np

from ..engine.resources import local_path
from ..errors import ConfigError
from .model_names import mesh_name
from .rigid_transforms import RigidTransform
from .rotations import Array

_URI = re.compile(r'[a-zA-Z][a-zA-Z0-9+.-]*://')
_NOT_IN_FILES = re.compile(r'[^A-Za-z0-9_.-]')
_LONGEST, _DIGITS = 100, 16
"""The maximum length of the mesh name in a file name, and the length of the content's digest."""

_TOLERANCE = 1e-5
"""The allowed distance between matching float32 vertices, relative to the size of the mesh."""

MeshReference = tuple[str, RigidTransform, tuple[float, ...]]
"""The URI of a file, the pose of the file's frame in the geom's frame, and the scale."""


class MeshReferences:
    """Finds a file for each mesh, or writes the mesh to a folder.

    `files` maps mesh names to paths, for meshes whose path the compiled model does not store.
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
        """Returns the reference to a mesh; None if it has no usable file and no folder is set."""
        model, name = self._model, mesh_name(self._model, mesh)
        uri = self._mesh_uri(name, self._files.get(name) or _path(model, mesh))
        place = None if uri is None else _place_of_file(model, mesh, uri)
        if uri is not None and place is not None:
            return uri, place, tuple(map(float, model.mesh_scale[mesh]))
        if self._folder is None:
            return None
        path = _written(self._folder, name, stl(model, mesh))
        return path.resolve().as_uri(), RigidTransform.of(), (1.0, 1.0, 1.0)


def _place_of_file(model: mujoco.MjModel, mesh: int, uri: str) -> RigidTransform | None:
    """Returns the pose of a mesh file's frame in the frame of the mesh's geoms.

    A compiled model does not keep the `refpos` and `refquat` of its meshes, so this compares the
    vertices of the file with the vertices of the model. Returns None if no rigid transform aligns
    them, for example with `refquat` and a nonuniform scale: MuJoCo rotates before it scales. If
    MuJoCo cannot read the file or the vertex counts differ, assumes that the mesh has no `refpos`
    and `refquat`.
    """
    usual = RigidTransform.of(model.mesh_pos[mesh], model.mesh_quat[mesh]).inverse()
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = np.asarray(model.mesh_vert[first : first + count], float)
    of_file = _vertices_of_file(uri, model.mesh_scale[mesh])
    if of_file is None or of_file.shape != vertices.shape:
        return usual
    tolerance = _TOLERANCE * float(np.ptp(vertices, axis=0).max())

    def fits(place: RigidTransform) -> bool:
        moved = of_file @ place.rotation.T + place.position
        return bool(np.abs(moved - vertices).max() <= tolerance)

    return next(filter(fits, (usual, _best_place(of_file, vertices))), None)


def _vertices_of_file(uri: str, scale: Array) -> Array | None:
    """Returns the scaled vertices of a file in its own frame; None if MuJoCo cannot read it."""
    try:
        path = Path(unquote(urlsplit(uri).path)) if uri.startswith('file:') else local_path(uri)
        if not path.is_file():
            return None
        spec = mujoco.MjSpec()
        shell = mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL  # accepts meshes without volume
        spec.add_mesh(name='mesh', file=str(path.absolute()), scale=scale, inertia=shell)
        model = spec.compile()
    except (ConfigError, ValueError):
        return None
    own = RigidTransform.of(model.mesh_pos[0], model.mesh_quat[0])
    scaled: Array = model.mesh_vert @ own.rotation.T + own.position
    return scaled


def _best_place(points: Array, targets: Array) -> RigidTransform:
    """Returns the pose that best maps `points` to `targets` (W. Kabsch, 1976)."""
    middle, target = points.mean(axis=0), targets.mean(axis=0)
    u, _, vt = np.linalg.svd((targets - target).T @ (points - middle))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt
    return RigidTransform(target - rotation @ middle, rotation)


def stl(model: mujoco.MjModel, mesh: int) -> bytes:
    """Returns a mesh as a binary STL file, in the frame of the mesh's geoms."""
    first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    vertices = np.asarray(model.mesh_vert[first : first + count])
    first, count = model.mesh_faceadr[mesh], model.mesh_facenum[mesh]
    faces = np.asarray(model.mesh_face[first : first + count])
    row = np.dtype([('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('rest', '<u2')])
    triangles = np.zeros(len(faces), row)
    triangles['corners'] = vertices[faces]
    return bytes(80) + len(faces).to_bytes(4, 'little') + triangles.tobytes()


def _written(folder: Path, name: str, content: bytes) -> Path:
    """Writes a file atomically, unless it exists, and returns its path.

    The name depends on the content, because programs such as RViz cache files by name.
    """
    digest = hashlib.sha256(content).hexdigest()[:_DIGITS]
    path = folder / f'{_NOT_IN_FILES.sub("_", name)[:_LONGEST]}_{digest}.stl'
    if not path.is_file() or path.stat().st_size != len(content):
        with tempfile.NamedTemporaryFile(dir=folder, suffix='.part', delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
    return path


def _uri_of_file(name: str, path: str) -> str | None:
    """Returns a URI unchanged, or converts the absolute path of an existing file to a URI."""
    if _URI.match(path):
        return path
    return Path(path).as_uri() if path.startswith('/') and Path(path).is_file() else None


def _path(model: mujoco.MjModel, mesh: int) -> str:
    """Returns the file path that the model stores for a mesh; empty if it has no file."""
    start = int(model.mesh_pathadr[mesh])
    if start < 0:
        return ''
    return bytes(model.paths[start:].partition(b'\0')[0]).decode(errors='surrogateescape')
