"""Assembles a simulation of its parts: model, plugins, feed, rendering; and reloads it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import mujoco

from ..config import SessionConfig
from ..engine import guard_bindings
from ..engine.resources import HostGrant, register_shipped
from ..errors import ConfigError, EndedError, RenderingError, SimulationError
from ..isolation import Worker
from ..plugins import HostedPlugin, NoRos, PluginHost, RosConnection, SessionParts
from ..rendering import RenderLoop
from ..simulation import (
    InitialState,
    Listener,
    Lockstep,
    ModelCompiler,
    ModelSource,
    Simulation,
    SnapshotFeed,
    compile_model,
)
from ..user_modules import Renewal
from .derived_options import model_limits, render_options, thread_scheduling
from .engine_plugin_loading import compile_with_plugins, switch_on
from .model_fingerprint import fingerprint
from .module_renewal import renewed_modules
from .process_memory import give_back
from .reload_queue import ReloadQueue
from .session_content import SessionContent
from .watched_threads import WatchedThreads

_log = logging.getLogger(__name__)

START_TIMEOUT_S = 2.0
"""The time in seconds after which a command that the physics thread has not started is
cancelled."""
_UNLOAD_S = 1.5
"""The time in seconds for which the end waits for the plugins."""
_RENDER_S = 0.3
"""The shortest time in seconds for which the end waits for the render thread."""


class Assembly:
    """A whole simulation with all that runs beside it, as a node and a `Session` use it.

    It runs by itself from `start` to `close`. Commands to the physics go to `simulation`.
    """

    def __init__(
        self,
        content: SessionContent,
        *,
        listener: Listener | None = None,
        ros: RosConnection | None = None,
        worker: Worker | None = None,
        protected: bool = False,
        idle: bool = True,
        wall_rate_hz: float = 1000.0,
        lockstep: Lockstep | None = None,
    ) -> None:
        """Makes the simulation and its threads, which begin with `start`.

        `worker` is a process for models (`ModelCompiler.TASK`), if one has been started. In a
        `protected` simulation no plugin publishes ground truth. With `idle`, a forward pass 60
        times a second keeps the data of a pause up to date. Followers are called `wall_rate_hz`
        times per second of wall time at most.
        """
        guard_bindings()
        register_shipped()
        config = content.config
        self.content = content
        self.simulation = _simulation(config, listener, lockstep, idle=idle)
        self.feed = SnapshotFeed(self.simulation, wall_rate_hz)
        self.rendering = RenderLoop(self.simulation, render_options(config))
        self.parts = self._parts(ros or NoRos(), protected=protected)
        self.host = PluginHost([], self.parts)
        self.threads = WatchedThreads(
            self.simulation, self.feed, self.simulation.exchange.feed, self.rendering
        )
        self.threads.report(self.simulation.exchange.tell_left_out)
        self._compiler = _compiler(config, worker)
        self._hosts = HostGrant()
        self._renders: bool | None = None
        """Whether images can be made; None until a model with cameras is loaded."""
        self._reloads = ReloadQueue(self._reload)
        self.model_name = ''
        """The path of the model that runs, or the name of what it was made from."""
        self._fingerprint = b''
        """The fingerprint of the model that runs, as it was compiled."""
        self._end = float('inf')
        """When the plugins must be unloaded, in seconds of the monotonic clock."""

    def start(self) -> Future[list[str]]:
        """Loads model and plugins; the future is done when the simulation runs or is paused.

        The future fails with ConfigError if the system does not permit the scheduling that the
        configuration asks for.
        """
        try:
            self.simulation.start()
        except ConfigError as error:
            refused: Future[list[str]] = Future()
            refused.set_exception(error)
            return refused
        self._reloads.start()
        self.threads.start()
        started = self.reload()
        started.add_done_callback(self._follow)
        return started

    def reload(self, prepare: Callable[[], Callable[[], None]] | None = None) -> Future[list[str]]:
        """Reads the content again and loads it; if that fails, what runs goes on untouched.

        Reloads are made one after the other, on a thread of their own. The future has sentences
        about the plugins. `prepare()` may change the content just before; see `ReloadQueue`.
        """
        return self._reloads.submit(prepare)

    @property
    def loading(self) -> bool:
        """Whether a load or a reload is under way, or waits for others."""
        return self._reloads.loading

    def configure(self, hosted: HostedPlugin, config: Any) -> Future[ConfigError | None]:
        """Gives a plugin other live values, between the next two steps.

        The future has the error by which the plugin refuses them, or None.
        """
        return self.simulation.hold(lambda: self.host.configure(hosted, config))

    def busy(self) -> str:
        """Returns a sentence that tells why a command was not started."""
        return f'the physics thread is busy (in {self.simulation.doing()}); nothing was done'

    def close(self) -> bool:
        """Unloads the plugins and ends all threads; False if a plugin keeps them from ending."""
        self.threads.close()
        self.feed.close()
        return self.end()

    def end(self) -> bool:
        """Unloads the plugins and ends the simulation; False if a plugin keeps it from ending."""
        self._reloads.close()
        self._hosts.end()
        if self._compiler is not None:
            self._compiler.close()
        self._end = min(self._end, time.monotonic() + _UNLOAD_S)
        ended = self.simulation.close(max(0.0, self._end - time.monotonic()))
        if not ended:
            doing = self.simulation.doing()
            _log.error('the plugins are not unloaded: the physics thread is in %s', doing)
        left = max(_RENDER_S, self._end - time.monotonic())
        return self.rendering.close(left) and ended

    def _parts(self, ros: RosConnection, *, protected: bool) -> SessionParts:
        """Gathers what plugins are given of this session."""
        config = self.content.config
        return SessionParts(
            simulation=self.simulation,
            feed=self.feed,
            rendering=self.rendering if config.render_offscreen else None,
            ros=ros,
            frame_prefix=config.frame_prefix,
            protected=protected,
        )

    def _follow(self, started: Future[list[str]]) -> None:
        if started.exception() is None:
            self.feed.start()

    def _reload(self) -> list[str]:
        config = self.content.config
        at_start = not self._fingerprint
        with renewed_modules(config.reload_modules, at_start=at_start) as modules:
            host = self._load_anew(config, modules)
        give_back()
        return host.summary

    def _load_anew(self, config: SessionConfig, modules: Renewal | None) -> PluginHost:
        """Loads model and plugins; `modules` are the edited modules that are imported anew."""
        self._hosts.allow(config.http_hosts)
        switch_on(config.engine_plugins, boundscheck=config.boundscheck)
        source, initial = self.content.source(), self.content.initial()
        model = compile_with_plugins(source, lambda source: self._compile(source, initial))
        found = fingerprint(model)
        host = self._new_host(config, model, same_model=found == self._fingerprint)
        host.check()
        if modules is not None:
            modules.complete()
        self._swap(model, host, initial, beside=config.strict)
        self._fingerprint, self.model_name = found, source.place
        _log.info(
            'loaded %s: %d bodies, %d joints, %d actuators; %d of %d plugins ready',
            source.name, model.nbody, model.njnt, model.nu, host.loaded, len(host.configured),
        )  # fmt: skip
        return host

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
            self.parts,
            classes=plugins.classes,
            boundscheck=config.boundscheck,
            strict=config.strict,
            same_model=same_model,
        )
        host.unregistered = tuple(map(str, plugins.refusals))
        if config.reload_modules:
            made = (each.config.type for each in self.host.plugins if each.plugin is not None)
            host.check_classes(set(made))
        host.instantiate()
        return host

    def _can_render(self) -> bool:
        """Opens the OpenGL context once; if there is none, that is logged once."""
        if self._renders is None:
            renders = self.content.config.render_offscreen
            try:
                if renders:
                    _log.info('rendering with %s', self._open_graphics())
            except RenderingError as error:
                renders = False
                _log.warning('running without cameras: %s', error)
            self._renders = renders  # stays unknown if the physics thread is busy
        return self._renders

    def _open_graphics(self) -> str:
        """Opens OpenGL while nothing steps, as that takes the GIL and a core; returns its name."""
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
        """Waits for a command. Raises SimulationError if the physics thread does not start it."""
        if not wait([command], START_TIMEOUT_S).done and command.cancel():
            raise SimulationError(self.busy())


def _simulation(
    config: SessionConfig, listener: Listener | None, lockstep: Lockstep | None, *, idle: bool
) -> Simulation:
    """Makes the simulation that a configuration describes; it is not started yet."""
    return Simulation(
        paused=not config.unpause,
        realtime=config.realtime,
        busy_wait_s=config.busy_wait,
        num_steps=config.num_steps,
        scheduling=thread_scheduling(config),
        idle=idle,
        listener=listener,
        lockstep=lockstep,
    )


def _compiler(config: SessionConfig, worker: Worker | None) -> ModelCompiler | None:
    """Makes the compiler in another process; None: models are compiled in this one."""
    if config.model_guard:
        return ModelCompiler(model_limits(config), worker)
    if worker is not None:
        worker.close()
    return None
