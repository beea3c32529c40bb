"""The entities of a world, and its model as entities are added, removed and moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import mujoco

from ...config.wording import unknown
from ...errors import EntityError, ModelError, SpawnFault
from ...mujoco_log import told_once
from ...processes import MIB
from ...simulation import ModelSource, Option, embed_textures
from .entity import Entity, Pose, Spawn, own_entities, prefixes

if TYPE_CHECKING:  # imported at run time only when needed: they import all of MJCF
    from ...mjcf import RootElement
    from .composition import Composition
    from .parts import Blueprint, Part

MAX_ENTITIES = 2000
"""The maximum number of spawned entities: the more exist, the longer it takes to attach one."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A changed world that is not in use yet; `World.keep` activates it."""

    model: mujoco.MjModel
    parts: Mapping[str, Part]
    """The spawned entities by name."""
    own: tuple[Entity, ...]
    """The entities of the loaded model that still exist."""
    changed: tuple[Entity, ...]
    """The spawned, deleted or moved entities, in the order of the request."""
    placed: Mapping[str, Pose]
    """The poses of bodies that were moved since the model was loaded, by body name."""

    @property
    def spawned(self) -> list[Entity]:
        """All spawned entities, including the new ones."""
        return [part.entity for part in self.parts.values()]


class World:
    """The entities of the running model: its own top-level bodies, and the spawned entities.

    All methods except `entities` and `find` are for the loader thread.
    """

    def __init__(self) -> None:
        self._source, self._digest = ModelSource(), b''
        self._all_own: tuple[Entity, ...] = ()
        self._own: tuple[Entity, ...] = ()
        self._parts: Mapping[str, Part] = {}
        self._placed: Mapping[str, Pose] = {}
        self._base: RootElement | None = None
        self._composition: Composition | None = None
        self._drafted: Composition | None = None
        self._kept = ExitStack()
        self._last: tuple[ModelSource, Blueprint | None] = ModelSource(), None
        """The text that was read last, and its blueprint."""
        self._prefixes: frozenset[str] = frozenset()
        """Prefixes, up to the slash, of names in the loaded model. Entities must not have these
        names."""
        self._added: Mapping[str, Part] = {}
        """The new entities of a draft that may never be activated."""

    @property
    def entities(self) -> list[Entity]:
        """The entities, starting with those of the loaded model."""
        return [*self._own, *(part.entity for part in tuple(self._parts.values()))]

    def find(self, name: str) -> Entity:
        """Returns an entity. Raises EntityError, which lists the existing entities."""
        found = {entity.name: entity for entity in self.entities}
        if name not in found:
            raise EntityError(unknown('entity', name, found), SpawnFault.NOT_FOUND)
        return found[name]

    def begin(self, source: ModelSource, model: mujoco.MjModel, digest: bytes) -> None:
        """Replaces all entities with the bodies of a new model, whose fingerprint is `digest`."""
        self.close()
        self._source, self._digest, self._parts, self._placed = source, digest, {}, {}
        self._own = self._all_own = tuple(own_entities(model))
        self._prefixes = prefixes(model)

    def close(self) -> None:
        """Releases the composed models, and closes their files."""
        self._base = self._composition = self._drafted = None
        self._drop_added()
        for part in self._parts.values():
            part.kept.close()
        self._kept.close()

    @property
    def source(self) -> ModelSource:
        """The source of the model that was loaded."""
        return self._source

    def entity_model(self, source: ModelSource) -> mujoco.MjModel:
        """Compiles the model of an entity on its own. Raises EntityError and ModelError."""
        from .parts import read_blueprint

        try:
            with ExitStack() as kept:
                return read_blueprint(source, kept).compile()
        except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as error:
            raise ModelError(f'{source.name}: {told_once(error)}') from error

    def spawn(
        self,
        spawns: Sequence[Spawn],
        sizes: Sequence[int],
        limit: int | None,
        running: Callable[[], list[Option]],
    ) -> Draft:
        """Returns the world with more entities; `running` returns the simulation's options.

        `sizes` are the sizes of their models in bytes. The models of all spawned entities together
        can take up to `limit` bytes (None: no limit). Raises EntityError, ConfigError and
        ModelError.
        """
        if len(self._parts) + len(spawns) > MAX_ENTITIES:
            raise EntityError(
                f'a world can have at most {MAX_ENTITIES} spawned entities, got'
                f' {len(self._parts)} existing and {len(spawns)} new ones'
            )
        added: dict[str, Part] = {}
        _refuse_too_much([part.size for part in self._parts.values()], sizes, limit)
        self._drop_added()
        self._added = added
        for spawn, size in zip(spawns, sizes, strict=True):
            part = self._part(spawn, size, added)
            added[part.entity.name] = part

        def attach(made: Composition) -> None:
            for part in added.values():
                part.attach_to(made)

        model = self._edited(attach)
        self._added = {name: part.in_world(model, running) for name, part in added.items()}
        changed = tuple(part.entity for part in self._added.values())
        return Draft(model, {**self._parts, **self._added}, self._own, changed, self._placed)

    def delete(self, names: Iterable[str]) -> Draft:
        """Returns the world without these entities. Raises EntityError and ModelError."""
        gone = [self.find(name) for name in dict.fromkeys(names)]
        parts = {name: part for name, part in self._parts.items() if part.entity not in gone}
        own = tuple(entity for entity in self._own if entity not in gone)

        def detach(made: Composition) -> None:
            for entity in gone:
                made.detach(entity)

        bodies = {entity.body for entity in gone}
        placed = {body: pose for body, pose in self._placed.items() if body not in bodies}
        return Draft(self._edited(detach), parts, own, tuple(gone), placed)

    def place(self, name: str, pose: Pose) -> Draft:
        """Returns the world with an entity at another pose. Raises EntityError and ModelError."""
        entity = self.find(name)
        model = self._edited(lambda made: made.place(entity, pose))
        placed = {**self._placed, entity.body: pose}
        return Draft(model, self._parts, self._own, (entity,), placed)

    @property
    def altered(self) -> bool:
        """Whether entities were spawned, deleted or moved since the model was loaded."""
        return bool(self._parts or self._placed) or self._own != self._all_own

    def restored(self) -> Draft:
        """Returns the world as it was loaded. Raises EntityError and ModelError."""
        gone = tuple(part.entity for part in self._parts.values())
        back = tuple(entity for entity in self._all_own if entity not in self._own)
        self._composition = self._composed(self._all_own, {}, {})
        return Draft(self._edited(lambda made: None), {}, self._all_own, (*gone, *back), {})

    def keep(self, draft: Draft) -> None:
        """Activates a draft, after the simulation has started to run its model."""
        gone = [
            part
            for parts in (self._parts, self._added)
            for name, part in parts.items()
            if draft.parts.get(name) is not part
        ]
        self._parts, self._own, self._placed = draft.parts, draft.own, draft.placed
        self._added = {}
        for part in gone:
            part.kept.close()
        self._composition, self._drafted = self._drafted, None

    def _part(self, spawn: Spawn, size: int, added: Mapping[str, Part]) -> Part:
        """Creates the model of an entity."""
        from .parts import Part

        with ExitStack() as kept:
            blueprint = self._read(spawn.source, kept)
            name = self._free_name(spawn, spawn.name or blueprint.name, added)
            return Part(
                blueprint.entity(spawn, name),
                blueprint.model,
                blueprint.options,
                spawn.position,
                spawn.orientation,
                size,
                kept.pop_all(),
            )

    def _read(self, source: ModelSource, kept: ExitStack) -> Blueprint:
        """Reads the model of a source, unless it is the text that was read last."""
        from .parts import read_blueprint

        last, blueprint = self._last
        if blueprint is None or source != last:
            blueprint = read_blueprint(source, kept)
            self._last = (source, blueprint) if source.self_contained else (ModelSource(), None)
        return blueprint

    def _free_name(self, spawn: Spawn, name: str, added: Mapping[str, Part]) -> str:
        """Returns the name, with a number appended if it is taken and `renaming` is set."""
        entities = {entity.name for entity in self.entities} | added.keys()
        taken = entities | self._prefixes
        if name not in taken:
            return name
        if not spawn.renaming:
            by = (
                'by another entity'
                if name in entities
                else f'by the model, which has names that begin with {name + "/"!r}'
            )
            raise EntityError(f'the name {name!r} is taken {by}', SpawnFault.NAME_NOT_UNIQUE)
        return next(made for k in count(1) if (made := f'{name}_{k}') not in taken)

    def _drop_added(self) -> None:
        """Closes the files of a draft that was not kept."""
        for part in self._added.values():
            part.kept.close()
        self._added = {}

    def _edited(self, edit: Callable[[Composition], None]) -> mujoco.MjModel:
        """Edits the composition, and returns the compiled model.

        Unless `keep` follows, the next edit composes the world from scratch.
        """
        kept = self._composition or self._composed(self._own, self._parts, self._placed)
        made, self._composition = kept, None
        try:
            edit(made)
            model = embed_textures(made.compile())
        except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as error:
            raise ModelError(f'the world does not compile: {told_once(error)}') from error
        self._drafted = made
        return model

    def _composed(
        self,
        own: tuple[Entity, ...],
        parts: Mapping[str, Part],
        placed: Mapping[str, Pose],
    ) -> Composition:
        """Composes a world. Raises EntityError if the base has changed since it was loaded."""
        from .composition import Composition
        from .reading import read_base

        if self._base is None:
            self._base = read_base(self._source, self._digest, self._kept)
        made = Composition(self._base)
        for entity in self._all_own:
            if entity not in own:
                made.detach(entity)
        for part in parts.values():
            part.attach_to(made)
        there = {each.body: each for each in (*own, *(part.entity for part in parts.values()))}
        for body, pose in placed.items():
            made.place(there[body], pose)
        return made


def _refuse_too_much(there: Sequence[int], new: Sequence[int], limit: int | None) -> None:
    """Raises EntityError if the models of all spawned entities would need too much memory."""
    if limit is not None and sum(there) + sum(new) > limit:
        raise EntityError(
            f'the models of spawned entities can take {limit / MIB:g} MiB in total'
            f' (model_memory_limit), got {sum(there) / MIB:.0f} MiB for the existing and'
            f' {sum(new) / MIB:.0f} MiB for the new ones'
        )
