"""Trials of the models of entities, each by itself, before one comes into the world."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import mujoco

from ..simulation import ModelSource
from .engine_plugin_loading import compile_with_plugins
from .world import Spawn, check_resource


class EntityTrials:
    """Compiles the models of entities; one thread calls the methods.

    A text that names no file is not compiled again if it was the last that compiled.
    """

    def __init__(self, compile_: Callable[[ModelSource], mujoco.MjModel]) -> None:
        self._compile = compile_
        self._last: tuple[ModelSource | None, int] = None, 0
        """The text that was tried last, and the bytes of its model."""

    def sizes(self, spawns: Sequence[Spawn]) -> list[int]:
        """Tries the model of each request; returns the bytes that each takes. Raises as `size`."""
        tried: list[tuple[ModelSource, int]] = []
        for spawn in spawns:
            if all(spawn.source != source for source, _ in tried):
                tried.append((spawn.source, self.size(spawn.source)))
        return [next(size for source, size in tried if source == spawn.source) for spawn in spawns]

    def size(self, source: ModelSource) -> int:
        """Compiles the model of an entity; returns the bytes that it takes.

        Raises EntityError and ModelError.
        """
        last, size = self._last
        if source != last:
            check_resource(source)
            size = mujoco.mj_sizeModel(compile_with_plugins(source, self._compile))
            self._last = (source, size) if source.self_contained else (None, 0)
        return size
