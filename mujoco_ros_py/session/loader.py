"""Loads, replaces and changes the running world."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

import mujoco

from ..config import SessionConfig
from ..errors import EndedError, RenderingError, SimulationError
from ..plugins.host import PluginHost, SessionParts
from ..processes import Worker
from ..simulation import (
    InitialState,
    ModelSource,
    SavedState,
    compile_model,
    urdf_text,
)
from ..simulation.rendering import RenderLoop
from .content import SessionContent
from .fingerprint import fingerprint
from .model_maker import ModelMaker
from .module_renewal import Renewal, renewed_modules
from .process_memory import give_back
from .reload_queue import ENDING, Prepare, ReloadQueue, prepare_nothing, prepared
from .world import Entity, World

Result = TypeVar('Result')
_log = logging.getLogger(__name__)

START_TIMEOUT_S = 2.0
"""A command that the physics thread has not started after this time, in seconds, is cancelled."""
_REPLACED = 64 * 2**20
"""How many bytes of replaced models can accumulate before the garbage collector is run."""


class Loader:
    """Loads a session's content into its simulation, on the loader thread.

    Any thread may read the current state, and call the methods that return futures. `tell` and the
    methods whose names end with `_here` are for the loader thread. If one of these raises, the
    running world stays unchanged.
    """

    def __init__(
        self,
        content: SessionContent,
        rendering: RenderLoop,
        parts: SessionParts,
        worker: Worker | None,
        begin: SavedState | None = None,
    ) -> None:
        """See `Assembly` for `worker` and `begin`."""
        self.content = content
        """The content that the next load reads."""
        self.simulation, self.parts = parts.simulation, parts
        self.host = PluginHost([], parts)
        """The running plugins."""
        self.world = World()
        """The entities of the running model."""
        self.loading = False
        """Whether a model is being loaded."""
        self.unloaded = False
        """Whether the world was unloaded and replaced with an empty one."""
        self._loads = ReloadQueue(self._tidy)
        self._models = ModelMaker(content.config, worker)
        self._rendering = rendering
        self._can_draw: bool | None = None
        """Whether images can be rendered; None before the first model with cameras."""
        self._fingerprint = b''
        """The fingerprint of the running model, as compiled."""
        self.model_name = ''
        """The path of the running model, or the name of its source."""
        self._urdf = ''
        """The URDF text that the loaded model was read from; empty for other formats."""
        self._gone: list[mujoco.MjData] = []
        """The data of replaced models, which `_tidy` frees when no caller waits for an answer."""
        self._begin = begin
        self._replaced = 0
        """The bytes of models replaced since memory was last returned to the system."""
        self.told: list[str] | None = None
        """Messages about problems in loads, changes and resets; None if no caller collects
        them."""

    @property
    def ended(self) -> bool:
        """Whether the shutdown has begun."""
        return self._loads.closed

    def reload(self, prepare: Prepare = prepare_nothing) -> Future[list[str]]:
        """Reads the content again and loads it. On failure the running world stays unchanged.

        Reloads run one at a time. The future returns messages about the plugins and about initial
        values. `prepare()` is called just before the reload and can change the content; it returns
        a function that undoes the change if the reload fails.
        """
        return self._loads.submit(lambda: self.load_here(prepare))

    def between_loads(self, function: Callable[[], Result]) -> Future[Result]:
        """Calls a function on the loader thread, where it can call `load_here` and the like."""
        return self._loads.submit(function)

    def load_here(self, prepare: Prepare = prepare_nothing) -> list[str]:
        """Like `reload`, but runs at once; call it on the loader thread."""
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

    def unload_here(self) -> None:
        """Replaces the model and the plugins with an empty world until the next load."""
        source, plugins = ModelSource(), PluginHost([], self.parts)
        model = compile_model(source)
        loaded = self.simulation.load(model, plugins, InitialState())
        self._take_effect(loaded, plugins, fingerprint(model))
        self.world.begin(source, model, self._fingerprint)
        self.unloaded, self.model_name = True, ''
        give_back()

    def change(self, prepare: Prepare = prepare_nothing) -> Future[list[str]]:
        """Reads the content again and switches to it; elements of both models keep their state.

        The time and the epoch continue; spawned entities are removed. If the model does not
        compile, or another error occurs, the running world stays unchanged. The future returns
        messages about the plugins. For `prepare`, see `reload`.
        """
        return self._loads.submit(lambda: self._change_here(prepare))

    def _change_here(self, prepare: Prepare) -> list[str]:
        with prepared(prepare):
            source, model = self._models.make(self.content, self.content.initial())
            digest, urdf = fingerprint(model), urdf_text(source)
            with discarding(self._new_host(self.content.config, model, urdf)) as host:
                self._go_on(model, host, digest)
        self._urdf = urdf
        self.world.begin(source, model, digest)
        self.unloaded = False
        self.model_name = source.location
        return host.summary

    def tell(self, sentences: list[str]) -> None:
        """Adds messages to the answer of the current load, change or reset."""
        if self.told is not None:
            self.told += sentences

    def carry_out(self, command: Future[Result]) -> Result:
        """Waits for a simulation command, and returns its result.

        Raises SimulationError if the physics thread does not start the command in time.
        """
        if not wait([command], START_TIMEOUT_S).done and command.cancel():
            raise SimulationError(self.busy())
        return command.result()

    def busy(self) -> str:
        """Returns a message that explains why a command was not started."""
        return f'the physics thread is busy (in {self.simulation.doing()}); nothing was done'

    def _tidy(self) -> None:
        """Frees replaced models. Runs when no caller is waiting for an answer."""
        self._gone.clear()
        if self._replaced > _REPLACED:
            self._replaced = 0
            give_back()

    def end_loads(self) -> None:
        """Ends the loader thread and the process for models; a load in progress fails."""
        self._loads.close()
        self.world.close()
        self._models.close()

    def _go_on(self, model: mujoco.MjModel, host: PluginHost, digest: bytes) -> None:
        """Continues the simulation with a changed model."""
        host.out = {each.name for each in self.host.plugins if each.refused}
        host.check()
        strict = self.content.config.strict
        change = self.simulation.change(model, host, beside=strict)
        self._gone.append(self._take_effect(change, host, digest))
        self._replaced += mujoco.mj_sizeModel(model)

    def _load_anew(self, config: SessionConfig, modules: Renewal | None) -> list[str]:
        """Loads the model and the plugins; returns the messages of `Simulation.load`.

        `modules` are the edited modules to import again.
        """
        self._models.admit(config)
        initial = self.content.initial()
        source, model = self._models.make(self.content, initial)
        digest = fingerprint(model)
        urdf, same_model = urdf_text(source), digest == self._fingerprint
        made = self._new_host(config, model, urdf, same_model=same_model, anew=True)
        with discarding(made) as host:
            host.check()
            if modules is not None:
                modules.complete()
            if self.ended:
                raise EndedError(ENDING)
            strict, begin = config.strict, self._begin
            loaded = self.simulation.load(model, host, initial, beside=strict, begin=begin)
            problems = self._take_effect(loaded, host, digest)
        for problem in problems if begin is not None else ():
            _log.warning('initial state: %s', problem)
        self._begin = None
        self._urdf = urdf
        self.world.begin(source, model, digest)
        self.model_name = source.location
        _log.info(
            'loaded %s: %d bodies, %d joints, %d actuators; %d of %d plugins ready',
            source.name, model.nbody, model.njnt, model.nu, *host.counts,
        )  # fmt: skip
        return problems

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
        """Creates the plugins of the content and of spawned entities for a model.

        `urdf` is the text of the loaded model if it is a URDF. With `anew`, the content reads its
        list of plugins again.
        """
        cameras = model.ncam > 0 and self._draws(config.render_offscreen)
        plugins = self.content.plugins(cameras, entities, anew=anew)
        for refusal in plugins.refusals:
            _log.error('not registered: %s', refusal)
        host = PluginHost(
            plugins.configs,
            self.parts,
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

    def _draws(self, wanted: bool) -> bool:
        """Returns whether images are wanted and can be rendered; logs once if they can't be.

        Raises SimulationError while the physics thread is busy; the next call tries again.
        """
        if self._can_draw is None:
            try:
                if wanted:  # between steps, because opening OpenGL would delay a step
                    opened = self.carry_out(
                        self.simulation.between_steps(self._rendering.graphics)
                    )
                    _log.info('rendering with %s', opened.name)
            except RenderingError as error:
                wanted = False
                _log.warning('running without cameras: %s', error)
            self._can_draw = wanted
        return self._can_draw

    def _take_effect(self, command: Future[Result], host: PluginHost, digest: bytes) -> Result:
        """Waits until the model runs, records it as the running model, and returns the result."""
        done = self.carry_out(command)
        self.host, self._fingerprint = host, digest
        self.content.loaded(host.configured)
        return done


@contextmanager
def discarding(host: PluginHost) -> Iterator[PluginHost]:
    """Closes everything that the plugins have created if the context ends with an exception."""
    try:
        yield host
    except BaseException:
        host.discard()
        raise
