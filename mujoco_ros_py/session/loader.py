"""Loads models and plugins into a simulation, and changes what runs."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from functools import cache, partial
from typing import TypeVar

import mujoco

from ..config import SessionConfig
from ..engine.resources import HostGrant
from ..errors import EndedError, EntityError, SimulationError
from ..isolation import MIB, Worker
from ..plugins import PluginHost, SessionParts
from ..rendering import RenderLoop
from ..simulation import (
    InitialState,
    ModelSource,
    Option,
    SavedState,
    Simulation,
    check_engine,
    compile_model,
    read_options,
)
from .derived_options import model_compiler
from .engine_plugin_loading import compile_with_plugins, switch_on
from .entity_trials import EntityTrials
from .graphics import Graphics
from .model_fingerprint import fingerprint
from .module_renewal import Renewal, renewed_modules
from .preparation import Prepare, prepare_nothing, prepared
from .process_memory import give_back
from .reload_queue import ENDING
from .session_content import SessionContent
from .urdf_texts import urdf_text
from .world import Draft, Entity, Pose, Spawn, World

Result = TypeVar('Result')
_log = logging.getLogger(__name__)

START_TIMEOUT_S = 2.0
"""The time in seconds after which a command that the physics thread has not started is
cancelled."""
_COMPOSED = b'composed'
"""Stands for the fingerprint of a model that no reload can find in its files."""
_REPLACED = 64 * 2**20
"""The bytes of replaced models that may wait for Python's collector."""


class Loader:
    """Has a simulation run what a content describes; one thread calls the methods.

    If a method raises, what runs goes on untouched.
    """

    def __init__(
        self,
        content: SessionContent,
        simulation: Simulation,
        rendering: RenderLoop,
        parts: SessionParts,
        worker: Worker | None,
        begin: SavedState | None = None,
    ) -> None:
        """`worker` and `begin` are those of `Assembly`."""
        self.content = content
        self.host = PluginHost([], parts)
        """The plugins that run."""
        self.world = World()
        """The entities of the model that runs."""
        self.closed = False
        self.loading = False
        """Whether a model is being loaded."""
        self.unloaded = False
        """Whether the world was unloaded, and an empty one runs in its place."""
        self._simulation, self._parts = simulation, parts
        self._compiler = model_compiler(content.config, worker)
        self._hosts = HostGrant()
        self._graphics = Graphics(simulation, rendering, self.carry_out)
        self._fingerprint = b''
        """The fingerprint of the model that runs, as it was compiled."""
        self.model_name = ''
        """The path of the model that runs, or the name of what it was made from."""
        self._urdf = ''
        """The text of the URDF that the loaded model was read from; empty for other models."""
        self._trials = EntityTrials(partial(self._compile, initial=InitialState()))
        self._gone: list[mujoco.MjData] = []
        """The data of models that were replaced, until the change is answered."""
        self._begin = begin
        self._replaced = 0
        """The bytes of models that were replaced since memory was given back."""
        self.told: list[str] | None = None
        """Sentences about what loads, changes and resets have cost, if somebody asks for them."""

    def load(self, prepare: Prepare = prepare_nothing) -> list[str]:
        """Reads the content and loads it; returns sentences about plugins and initial values.

        `prepare()` is called before, and returns what takes back its work if the load fails.
        """
        self.loading = True
        try:
            with prepared(prepare):
                config = self.content.config
                at_start = not self._fingerprint
                with renewed_modules(config.reload_modules, at_start=at_start) as modules:
                    skipped = self._load_anew(config, modules)
            self.unloaded = False
            self.tell([*self.host.lost(), *skipped])
        finally:
            self.loading = False
        give_back()
        return [*self.host.summary, *skipped]

    def unload(self) -> None:
        """Replaces model and plugins by an empty world, until the next load."""
        source, plugins = ModelSource(), PluginHost([], self._parts)
        model = compile_model(source)
        loaded = self._simulation.load(model, plugins, InitialState())
        self._take_effect(loaded, plugins, fingerprint(model))
        self.world.begin(source, model, self._fingerprint)
        self.unloaded, self.model_name = True, ''
        give_back()

    def change(self, prepare: Prepare = prepare_nothing) -> list[str]:
        """Reads the content again and goes on with it; returns sentences about the plugins.

        What there was keeps its state; time and epoch go on. Spawned entities are gone. `prepare`
        is that of `load`.
        """
        with prepared(prepare):
            source, model = self._compiled(self.content.initial())
            digest, urdf = fingerprint(model), urdf_text(source)
            with _discarding(self._new_host(self.content.config, model, urdf)) as host:
                self._go_on(model, host, digest)
        self._urdf = urdf
        self.world.begin(source, model, digest)
        self.unloaded = False
        self.model_name = source.place
        return host.summary

    def spawn(self, spawns: Sequence[Spawn]) -> tuple[Entity, ...]:
        """Goes on with more entities, all of them or none; returns them.

        Raises EntityError, ConfigError, ModelError and, with `strict`, PluginError.
        """
        config, sizes = self.content.config, self._trials.sizes(spawns)
        limit = config.model_memory_limit * MIB if config.model_guard else None
        draft = self.world.spawn(spawns, sizes, limit, cache(self._running_options))
        for entity in draft.changed:
            self._tell_unkept(entity)
        return self._change_world(draft)

    def delete(self, names: Iterable[str]) -> tuple[Entity, ...]:
        """Goes on without these entities; returns them. Raises EntityError and ModelError."""
        return self._change_world(self.world.delete(names))

    def place(self, name: str, pose: Pose) -> None:
        """Goes on with an entity at another pose, in the model. Raises as `delete`."""
        self._change_world(self.world.place(name, pose))

    @property
    def failure(self) -> str:
        """The fatal error that has stopped the simulation; empty if there is none."""
        return self._simulation.status().failure

    def entity_model(self, source: ModelSource) -> mujoco.MjModel:
        """Compiles the model of an entity, as it would be spawned; its body has the id 1.

        Raises EntityError and ModelError.
        """
        self._trials.size(source)
        return self.world.entity_model(source)

    def restore_world(self) -> None:
        """Goes on without what was spawned, and with what was deleted of the loaded model."""
        if self.world.altered:
            self._change_world(self.world.restored())

    def tell(self, sentences: list[str]) -> None:
        """Adds sentences to the answer to whoever has asked for a load, a change or a reset."""
        if self.told is not None:
            self.told += sentences

    def carry_out(self, command: Future[Result]) -> Result:
        """Waits for a command of the simulation, and returns its result.

        Raises SimulationError if the physics thread does not start it.
        """
        if not wait([command], START_TIMEOUT_S).done and command.cancel():
            raise SimulationError(busy(self._simulation))
        return command.result()

    def tidy(self) -> None:
        """Frees what changes have replaced; nobody waits for that."""
        self._gone.clear()
        if self._replaced > _REPLACED:
            self._replaced = 0
            give_back()

    def close(self) -> None:
        """Ends the process for models; a load that is under way fails."""
        self.closed = True
        self.world.close()
        self._hosts.end()
        if self._compiler is not None:
            self._compiler.close()

    def _change_world(self, draft: Draft) -> tuple[Entity, ...]:
        config, entities = self.content.config, draft.spawned
        if config.strict:
            check_engine(draft.model, 'the world with its entities')
        before = self.host.refusals
        made = self._new_host(config, draft.model, self._urdf, entities=entities)
        with _discarding(made) as host:
            self._go_on(draft.model, host, _COMPOSED)
        self.world.keep(draft)
        self.tell(self.host.lost(before))
        return draft.changed

    def _running_options(self) -> list[Option]:
        return self.carry_out(self._simulation.submit(lambda model, data: read_options(model)))

    def _tell_unkept(self, entity: Entity) -> None:
        """Logs the options that an entity does not find; with `strict_options` it is refused."""
        if not entity.unkept:
            return
        told = f'entity {entity.name}: {"; ".join(entity.unkept)}'
        if self.content.config.strict_options:
            raise EntityError(f'{told} (strict_options)')
        _log.warning('%s', told)

    def _go_on(self, model: mujoco.MjModel, host: PluginHost, digest: bytes) -> None:
        """Has the simulation go on with a changed model."""
        host.out = {each.name for each in self.host.plugins if each.refused}
        host.check()
        strict = self.content.config.strict
        change = self._simulation.change(model, host, beside=strict)
        self._gone.append(self._take_effect(change, host, digest))
        self._replaced += mujoco.mj_sizeModel(model)

    def _load_anew(self, config: SessionConfig, modules: Renewal | None) -> list[str]:
        """Loads model and plugins; returns what `Simulation.load` says.

        `modules` are the edited modules that are imported anew.
        """
        self._hosts.allow(config.http_hosts)
        switch_on(config.engine_plugins, boundscheck=config.boundscheck)
        initial = self.content.initial()
        source, model = self._compiled(initial)
        digest = fingerprint(model)
        urdf, same_model = urdf_text(source), digest == self._fingerprint
        made = self._new_host(config, model, urdf, same_model=same_model, anew=True)
        with _discarding(made) as host:
            host.check()
            if modules is not None:
                modules.complete()
            if self.closed:
                raise EndedError(ENDING)
            strict, begin = config.strict, self._begin
            loaded = self._simulation.load(model, host, initial, beside=strict, begin=begin)
            problems = self._take_effect(loaded, host, digest)
        for problem in problems if begin is not None else ():
            _log.warning('the state to begin with: %s', problem)
        self._begin = None
        self._urdf = urdf
        self.world.begin(source, model, digest)
        self.model_name = source.place
        _log.info(
            'loaded %s: %d bodies, %d joints, %d actuators; %d of %d plugins ready',
            source.name, model.nbody, model.njnt, model.nu, *host.counts,
        )  # fmt: skip
        return problems

    def _compiled(self, initial: InitialState) -> tuple[ModelSource, mujoco.MjModel]:
        """Compiles the model of the content."""
        source = self.content.source()
        model = compile_with_plugins(source, lambda source: self._compile(source, initial))
        if self.content.config.strict:
            check_engine(model, source.name)
            initial.check(model)
        return source, model

    def _compile(self, source: ModelSource, initial: InitialState) -> mujoco.MjModel:
        if self._compiler is None:
            return compile_model(source)
        return self._compiler.compile(source, initial)

    def _new_host(
        self,
        config: SessionConfig,
        model: mujoco.MjModel,
        urdf: str,
        *,
        entities: Sequence[Entity] = (),
        same_model: bool = False,
        anew: bool = False,
    ) -> PluginHost:
        """Makes the plugins of the content and of spawned entities for a model.

        `urdf` is the text that the loaded model was read from, if that is a URDF. With `anew` the
        content reads its list of plugins again.
        """
        cameras = model.ncam > 0 and self._graphics.there(config.render_offscreen)
        plugins = self.content.plugins(cameras, entities, anew=anew)
        for refusal in plugins.refusals:
            _log.error('not registered: %s', refusal)
        host = PluginHost(
            plugins.configs,
            self._parts,
            classes=plugins.classes,
            boundscheck=config.boundscheck,
            strict=config.strict,
            same_model=same_model,
            urdfs={'': urdf} | {each.group.prefix: each.urdf for each in entities},
        )
        host.unregistered, host.missing = tuple(map(str, plugins.refusals)), plugins.missing
        if config.reload_modules and anew:
            made = (each.config.type for each in self.host.plugins if each.plugin is not None)
            host.check_classes(set(made))
        host.instantiate()
        return host

    def _take_effect(self, command: Future[Result], host: PluginHost, digest: bytes) -> Result:
        """Waits until the model runs, notes what runs from then on, and returns the result."""
        done = self.carry_out(command)
        self.host, self._fingerprint = host, digest
        self.content.loaded(host.configured)
        return done


@contextmanager
def _discarding(host: PluginHost) -> Iterator[PluginHost]:
    """Closes what the plugins have created if they are not loaded in the end."""
    try:
        yield host
    except BaseException:
        host.discard()
        raise


def busy(simulation: Simulation) -> str:
    """Returns a sentence that tells why a command was not started."""
    return f'the physics thread is busy (in {simulation.doing()}); nothing was done'
