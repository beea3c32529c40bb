"""Assembles a simulation: model, plugins, and the threads beside the physics; how it reloads."""

from __future__ import annotations

import logging
import time
from concurrent.futures import Future, wait
from typing import Any

import mujoco

from ..config import SessionConfig
from ..engine import guard_bindings
from ..engine.resources import allow_hosts, register_shipped
from ..errors import ConfigError, EndedError, RenderingError, SimulationError
from ..isolation import Worker
from ..plugins import Communication, HostedPlugin, PluginHost, Silence, Surroundings
from ..rendering import RenderLoop
from ..simulation import (
    InitialState,
    Listener,
    ModelCompiler,
    ModelSource,
    Simulation,
    SnapshotFeed,
    compile_model,
)
from .content import Content
from .engine_plugins import compile_with_plugins, switch_on
from .fingerprint import fingerprint
from .memory import give_back
from .reloads import Reloads
from .settings import model_limits, render_options
from .threads import Threads

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""A command that the physics thread has not taken up by then is taken back."""
_UNLOAD_S = 1.5
"""How long the end waits for the plugins."""
_RENDER_S = 0.3
"""How long it waits for the render thread, whatever the plugins took."""


class Assembly:
    """A whole simulation, with all that runs beside it; from a node or a session, which own it.

    `start`, then `close`; between them it runs by itself. Commands to the physics go to
    `simulation`, and their futures tell what became of them.
    """

    def __init__(
        self,
        content: Content,
        *,
        listener: Listener | None = None,
        communication: Communication | None = None,
        worker: Worker | None = None,
        protected: bool = False,
        idle: bool = True,
        wall_rate_hz: float = 1000.0,
    ) -> None:
        """`worker` is a process for models (`ModelCompiler.TASK`), if one has been started.

        `protected` and `idle` are those of `Surroundings` and `Simulation`; a simulation much
        faster than real time is followed `wall_rate_hz` times a second at most.
        """
        guard_bindings()
        register_shipped()
        config = content.config
        self.content = content
        self.simulation = Simulation(
            paused=not config.unpause,
            realtime=config.realtime,
            busy_wait_s=config.busy_wait,
            num_steps=config.num_steps,
            idle=idle,
            listener=listener,
        )
        self.feed = SnapshotFeed(self.simulation, wall_rate_hz)
        self.rendering = RenderLoop(self.simulation, render_options(config))
        self.surroundings = Surroundings(
            simulation=self.simulation,
            feed=self.feed,
            rendering=self.rendering if config.render_offscreen else None,
            communication=communication or Silence(),
            frame_prefix=config.frame_prefix,
            protected=protected,
        )
        self.host = PluginHost([], self.surroundings)
        self.threads = Threads(self.simulation, self.feed, self.rendering)
        self._compiler = _compiler(config, worker)
        self._renders: bool | None = None
        """Whether there is OpenGL; not known before a model has cameras."""
        self._reloads = Reloads(self._reload)
        self._fingerprint = b''
        """That of the model that runs, as it was compiled."""
        self._end = float('inf')
        """When the plugins must be unloaded, on the monotonic clock."""

    def start(self) -> Future[list[str]]:
        """Loads model and plugins; done when the simulation runs (or waits, if paused)."""
        self.simulation.start()
        self._reloads.start()
        self.threads.start()
        started = self.reload()
        started.add_done_callback(self._follow)
        return started

    def reload(self) -> Future[list[str]]:
        """Reads the content again; what cannot be read leaves untouched what runs.

        One reload after the other, on a thread of their own. The future has what there is to say
        of the plugins.
        """
        return self._reloads.submit()

    def configure(self, hosted: HostedPlugin, config: Any) -> Future[ConfigError | None]:
        """Hands a plugin other live values, between the next two steps.

        The future has the reason of the plugin if it keeps what it has.
        """
        return self.simulation.hold(lambda: self.host.configure(hosted, config))

    def busy(self) -> str:
        """Why a command was not taken up."""
        return f'the physics thread is busy (in {self.simulation.doing()}); nothing was done'

    def close(self) -> bool:
        """Ends all threads, plugins unloaded; False if one of the plugins keeps them from it."""
        self.threads.close()
        self.feed.close()
        return self.end()

    def end(self) -> bool:
        """Ends the simulation, plugins unloaded; False if one of these keeps it from that."""
        self._reloads.close()
        if self._compiler is not None:
            self._compiler.close()
        self._end = min(self._end, time.monotonic() + _UNLOAD_S)
        ended = self.simulation.close(max(0.0, self._end - time.monotonic()))
        if not ended:
            doing = self.simulation.doing()
            _log.error('the plugins are not unloaded: the physics thread is in %s', doing)
        left = max(_RENDER_S, self._end - time.monotonic())
        return self.rendering.close(left) and ended

    def _follow(self, started: Future[list[str]]) -> None:
        if started.exception() is None:
            self.feed.start()

    def _reload(self) -> list[str]:
        config = self.content.config
        allow_hosts(config.http_hosts)
        switch_on(config.engine_plugins, boundscheck=config.boundscheck)
        source, initial = self.content.source(), self.content.initial()
        model = compile_with_plugins(source, lambda source: self._compile(source, initial))
        found = fingerprint(model)
        host = self._new_host(config, model, same_model=found == self._fingerprint)
        host.check()
        self._swap(model, host, initial, beside=config.strict)
        self._fingerprint = found
        give_back()
        _log.info(
            'loaded %s: %d bodies, %d joints, %d actuators; %d of %d plugins ready',
            source.name, model.nbody, model.njnt, model.nu, host.loaded, len(host.configured),
        )  # fmt: skip
        return host.summary

    def _compile(self, source: ModelSource, initial: InitialState) -> mujoco.MjModel:
        if self._compiler is None:
            return compile_model(source)
        return self._compiler.compile(source, initial)

    def _new_host(
        self, config: SessionConfig, model: mujoco.MjModel, *, same_model: bool
    ) -> PluginHost:
        plugins = self.content.plugins(model.ncam > 0 and self._can_render())
        for refusal in plugins.refusals:
            _log.error('not registered: %s', refusal)
        host = PluginHost(
            plugins.configs,
            self.surroundings,
            classes=plugins.classes,
            boundscheck=config.boundscheck,
            strict=config.strict,
            same_model=same_model,
        )
        host.unregistered = tuple(map(str, plugins.refusals))
        host.instantiate()
        return host

    def _can_render(self) -> bool:
        """Opens the context, once; without OpenGL the simulation goes on and says so once."""
        if self._renders is None:
            renders = self.content.config.render_offscreen
            try:
                if renders:
                    _log.info('rendering with %s', self._open_graphics())
            except RenderingError as error:
                renders = False
                _log.warning('running without cameras: %s', error)
            self._renders = renders  # not known while the physics thread is busy
        return self._renders

    def _open_graphics(self) -> str:
        """What draws; opened while nothing steps, as it holds the interpreter and a core."""
        opened = self.simulation.hold(self.rendering.graphics)
        self._await(opened)
        return opened.result().name

    def _swap(
        self, model: mujoco.MjModel, host: PluginHost, initial: InitialState, beside: bool
    ) -> None:
        if self._reloads.closed:
            raise EndedError('the simulation is shutting down')
        loaded = self.simulation.load(model, host, initial, beside=beside)
        self._await(loaded)
        loaded.result()
        self.host = host
        self.content.loaded(host.configured)

    def _await(self, command: Future[Any]) -> None:
        """Raises SimulationError if the physics thread does not take it up."""
        if not wait([command], PATIENCE_S).done and command.cancel():
            raise SimulationError(self.busy())


def _compiler(config: SessionConfig, worker: Worker | None) -> ModelCompiler | None:
    """What compiles models in another process; None: they are compiled in this one."""
    if config.model_guard:
        return ModelCompiler(model_limits(config), worker)
    if worker is not None:
        worker.close()
    return None
