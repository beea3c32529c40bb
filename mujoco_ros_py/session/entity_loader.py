"""Spawns, deletes and moves entities in the running world, which is recompiled each time."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from functools import cache

import mujoco

from ..errors import EntityError
from ..processes import MIB
from ..simulation import ModelSource, Option, check_engine, read_options
from .loader import Loader, discarding
from .world import Draft, Entity, Pose, Spawn

_log = logging.getLogger(__name__)
_COMPOSED = b'composed'
"""Stands for the fingerprint of a composed model. No model in a file has this fingerprint, so a
reload always replaces the composed model."""


class EntityLoader(Loader):
    """A loader that can also add, remove and move entities."""

    def spawn(self, spawns: Sequence[Spawn]) -> Future[tuple[Entity, ...]]:
        """Adds all of these entities, or none of them; the future returns the entities.

        The future fails with EntityError, ConfigError, ModelError or, with `strict`, PluginError.
        The world is then unchanged.
        """
        return self._loads.submit(lambda: self.spawn_here(spawns))

    def delete(self, names: Sequence[str]) -> Future[tuple[Entity, ...]]:
        """Removes these entities and their plugins; the future returns the entities.

        The future fails with EntityError or ModelError.
        """
        return self._loads.submit(lambda: self.delete_here(names))

    def spawn_here(self, spawns: Sequence[Spawn]) -> tuple[Entity, ...]:
        """Like `spawn`, but runs at once; call it on the loader thread."""
        config, sizes = self.content.config, self._models.sizes(spawns)
        limit = config.model_memory_limit * MIB if config.model_guard else None
        draft = self.world.spawn(spawns, sizes, limit, cache(self._running_options))
        for entity in draft.changed:
            self._tell_unkept(entity)
        return self._change_world(draft)

    def delete_here(self, names: Iterable[str]) -> tuple[Entity, ...]:
        """Like `delete`, but runs at once; call it on the loader thread."""
        return self._change_world(self.world.delete(names))

    def place_here(self, name: str, pose: Pose) -> None:
        """Sets the pose of an entity in the model. Raises EntityError and ModelError."""
        self._change_world(self.world.place(name, pose))

    def entity_model_here(self, source: ModelSource) -> mujoco.MjModel:
        """Compiles the model of an entity as it would be spawned; its body has the id 1.

        Raises EntityError and ModelError.
        """
        self._models.size(source)
        return self.world.entity_model(source)

    def restore_world_here(self) -> None:
        """Restores the loaded model: removes spawned entities, and brings back deleted ones."""
        if self.world.altered:
            self._change_world(self.world.restored())

    def _change_world(self, draft: Draft) -> tuple[Entity, ...]:
        config, entities = self.content.config, draft.spawned
        if config.strict:
            check_engine(draft.model, 'the world with its entities')
        before = self.host.refusals
        made = self._new_host(config, draft.model, self._urdf, entities=entities)
        with discarding(made) as host:
            self._go_on(draft.model, host, _COMPOSED)
        self.world.keep(draft)
        self.tell(self.host.lost(before))
        return draft.changed

    def _running_options(self) -> list[Option]:
        return self.carry_out(self.simulation.submit(lambda model, data: read_options(model)))

    def _tell_unkept(self, entity: Entity) -> None:
        """Logs the options of an entity that differ from the world's.

        With `strict_options`, raises EntityError instead.
        """
        if not entity.unkept:
            return
        told = f'entity {entity.name}: {"; ".join(entity.unkept)}'
        if self.content.config.strict_options:
            raise EntityError(f'{told} (strict_options)')
        _log.warning('%s', told)
