"""Converts the geoms that render callbacks draw to bytes for the viewer process, and back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import mujoco

from ...engine import scene_geoms
from ...simulation import Snapshot

MOST_GEOMS = 1000
"""The maximum number of geoms that are sent to the viewer; MuJoCo Studio accepts up to 1024."""
_ROOM = 10_000
"""The maximum number of geoms that callbacks may draw; a callback that exceeds it is disabled."""


def most_bytes() -> int:
    """Returns the size in bytes of `MOST_GEOMS` geoms."""
    return MOST_GEOMS * int(scene_geoms(mujoco.MjvScene()).dtype.itemsize)


class DrawnGeoms:
    """Runs render callbacks on an empty scene; use it from one thread."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._scene: mujoco.MjvScene | None = None

    def paint(self, painters: Sequence[Callable[..., object]], snapshot: Snapshot) -> bytes:
        """Returns the geoms that the callbacks add to a snapshot, as bytes."""
        if not painters:
            return b''
        if self._scene is None:
            self._scene = mujoco.MjvScene(self._model, _ROOM)
        scene, self._scene.ngeom = self._scene, 0
        snapshot.update()
        for painter in painters:
            painter(snapshot.model, snapshot.data, scene)
        geoms = scene_geoms(scene)[:MOST_GEOMS]
        return ctypes.string_at(geoms.ctypes.data, geoms.nbytes) if len(geoms) else b''


class ShownGeoms:
    """Converts the bytes of `DrawnGeoms` to MuJoCo's geoms; use it from one thread."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._scene = mujoco.MjvScene(model, MOST_GEOMS)
        self._all = list(self._scene.geoms)

    def read(self, content: bytes) -> list[mujoco.MjvGeom]:
        """Returns the geoms; they are valid until the next call."""
        return self._all[: copy_geoms(content, self._scene)]


def copy_geoms(content: bytes, scene: mujoco.MjvScene) -> int:
    """Replaces the geoms of a scene with the geoms in `content`; returns their number.

    Raises ValueError for more geoms than `MOST_GEOMS`, or than the scene's capacity.
    """
    scene.ngeom = most = min(MOST_GEOMS, scene.maxgeom)
    memory = scene_geoms(scene)
    count = len(content) // int(memory.dtype.itemsize)
    scene.ngeom = 0
    if count > most:
        raise ValueError(f'{count} geoms do not fit into the scene')
    ctypes.memmove(memory.ctypes.data, content, count * memory.dtype.itemsize)
    scene.ngeom = count
    return count
