"""What render callbacks add to pictures, as bytes that another process can read."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import mujoco

from ...engine import scene_geoms
from ...simulation import Snapshot

MOST_GEOMS = 1000
"""The largest number of added geoms that are shown; Studio takes 1024."""
_ROOM = 10_000
"""The room for geoms in a scene, as for images: a callback that adds too many is taken out."""


def most_bytes() -> int:
    """Returns the size in bytes of the largest number of geoms that are shown."""
    return MOST_GEOMS * int(scene_geoms(mujoco.MjvScene()).dtype.itemsize)


class DrawnGeoms:
    """Has render callbacks add to an empty scene; one thread uses it."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._scene: mujoco.MjvScene | None = None

    def paint(self, painters: Sequence[Callable[..., object]], snapshot: Snapshot) -> bytes:
        """Returns the geoms that the callbacks add at a moment of the model; empty: none."""
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
    """Makes geoms of MuJoCo from what `DrawnGeoms` returns; one thread uses it."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._scene = mujoco.MjvScene(model, MOST_GEOMS)
        self._all = list(self._scene.geoms)

    def read(self, content: bytes) -> list[mujoco.MjvGeom]:
        """Returns the geoms, which are valid until the next call."""
        return self._all[: copy_geoms(content, self._scene)]


def copy_geoms(content: bytes, scene: mujoco.MjvScene) -> int:
    """Has a scene of other geoms show these alone, and returns their number.

    Raises ValueError for more geoms than there may be, or than the scene has room for.
    """
    scene.ngeom = most = min(MOST_GEOMS, scene.maxgeom)
    memory = scene_geoms(scene)
    count = len(content) // int(memory.dtype.itemsize)
    scene.ngeom = 0
    if count > most:
        raise ValueError(f'{count} geoms are more than there may be')
    ctypes.memmove(memory.ctypes.data, content, count * memory.dtype.itemsize)
    scene.ngeom = count
    return count
