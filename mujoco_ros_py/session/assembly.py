"""Assembles a simulation of its parts: model, plugins, feed, rendering; and reloads it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from ..config import SessionConfig
from ..engine import guard_bindings
from ..engine.resources import register_shipped
from ..errors import ConfigError
from ..plugins import HostedPlugin, NoRos, PluginHost, RosConnection, SessionParts
from ..processes import Worker
from ..rendering import RenderLoop
from ..simulation import Listener, Lockstep, SavedState, Simulation, SnapshotFeed
from .derived_options import render_options, thread_scheduling
from .loader import Loader, busy
from .preparation import Prepare, prepare_nothing
from .reload_queue import ReloadQueue
from .session_content import SessionContent
from .watched_threads import WatchedThreads
from .world import Entity, Spawn, World

Result = TypeVar('Result')
_log = logging.getLogger(__name__)

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
        noise_secret: bytes = b'',
        wall_rate_hz: float = 1000.0,
        lockstep: Lockstep | None = None,
        begin: SavedState | None = None,
    ) -> None:
        """Makes the simulation and its threads, which begin with `start`.

        `worker` is a process for models (`ModelCompiler.TASK`), if one has been started. In a
        `protected` simulation no plugin publishes ground truth, and noise depends on the
        `noise_secret`. Followers are called `wall_rate_hz` times per second of wall time at most.
        The first load begins in the state `begin`, if there is one, and not at the start.
        """
        guard_bindings()
        register_shipped()
        config = content.config
        self.simulation = _simulation(config, listener, lockstep, protected=protected)
        self.feed = SnapshotFeed(self.simulation, wall_rate_hz)
        self.rendering = RenderLoop(self.simulation, render_options(config))
        self.parts = self._parts(config, ros or NoRos(), protected, noise_secret)
        self._loader = Loader(content, self.simulation, self.rendering, self.parts, worker, begin)
        self.threads = WatchedThreads(
            self.simulation, self.feed, self.simulation.exchange.feed, self.rendering
        )
        self.threads.report(self.simulation.exchange.tell_left_out)
        self.threads.report(self.simulation.step_limit.look)
        self._loads = ReloadQueue(self._loader.tidy)
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
        self._loads.start()
        self.threads.start()
        started = self.reload()
        started.add_done_callback(self._follow)
        return started

    def reload(self, prepare: Prepare = prepare_nothing) -> Future[list[str]]:
        """Reads the content again and loads it; if that fails, what runs goes on untouched.

        Reloads are made one after the other, on a thread of their own. The future has sentences
        about the plugins. `prepare()` may change the content just before, and returns a function
        that takes that back if the reload fails.
        """
        return self._loads.submit(lambda: self._loader.load(prepare))

    def change(self, prepare: Prepare = prepare_nothing) -> Future[list[str]]:
        """Reads the content again and goes on with it: what there was keeps its state.

        Time and epoch go on. If the model does not compile, or another error occurs, what runs
        goes on untouched. The future has sentences about the plugins. `prepare` is that of
        `reload`.
        """
        return self._loads.submit(lambda: self._loader.change(prepare))

    def spawn(self, spawns: Sequence[Spawn]) -> Future[tuple[Entity, ...]]:
        """Goes on with more entities, all of them or none; the future has them.

        It fails with EntityError, ConfigError, ModelError and, with `strict`, PluginError; nothing
        has changed then.
        """
        return self._loads.submit(lambda: self._loader.spawn(spawns))

    def delete(self, names: Sequence[str]) -> Future[tuple[Entity, ...]]:
        """Goes on without these entities, and without their plugins; the future has them."""
        return self._loads.submit(lambda: self._loader.delete(names))

    def between_loads(self, function: Callable[[Loader], Result]) -> Future[Result]:
        """Calls a function, on the thread of loads, which may load and wait for the physics."""
        return self._loads.submit(lambda: function(self._loader))

    @property
    def model_name(self) -> str:
        """The path of the model that runs, or the name of what it was made from."""
        return self._loader.model_name

    @property
    def loading(self) -> bool:
        """Whether a model is being loaded."""
        return self._loader.loading

    @property
    def unloaded(self) -> bool:
        """Whether the world was unloaded, and nothing has been loaded since."""
        return self._loader.unloaded

    @property
    def ended(self) -> bool:
        """Whether the end has begun."""
        return self._loads.closed

    @property
    def world(self) -> World:
        """The entities of the model that runs."""
        return self._loader.world

    @property
    def host(self) -> PluginHost:
        """The plugins that run."""
        return self._loader.host

    @property
    def content(self) -> SessionContent:
        """The content that the next load reads."""
        return self._loader.content

    @content.setter
    def content(self, content: SessionContent) -> None:
        self._loader.content = content

    def configure(self, hosted: HostedPlugin, config: Any) -> Future[ConfigError | None]:
        """Gives a plugin other live values, between the next two steps.

        The future has the error by which the plugin refuses them, or None.
        """
        return self.simulation.hold(lambda: self.host.configure(hosted, config))

    def configured(self, hosted: HostedPlugin, config: Any) -> ConfigError | None:
        """As `configure`, and waits; raises SimulationError if the physics thread is busy."""
        return self._loader.carry_out(self.configure(hosted, config))

    def busy(self) -> str:
        """Returns a sentence that tells why a command was not started."""
        return busy(self.simulation)

    def close(self) -> bool:
        """Unloads the plugins and ends all threads; False if a plugin keeps them from ending."""
        self.threads.close()
        self.feed.close()
        return self.end()

    def end(self) -> bool:
        """Unloads the plugins and ends the simulation; False if a plugin keeps it from ending."""
        self._loads.close()
        self._loader.close()
        self._end = min(self._end, time.monotonic() + _UNLOAD_S)
        ended = self.simulation.close(max(0.0, self._end - time.monotonic()))
        if not ended:
            doing = self.simulation.doing()
            _log.error('the plugins are not unloaded: the physics thread is in %s', doing)
        left = max(_RENDER_S, self._end - time.monotonic())
        return self.rendering.close(left) and ended

    def _parts(
        self, config: SessionConfig, ros: RosConnection, protected: bool, noise_secret: bytes
    ) -> SessionParts:
        """Gathers what plugins are given of this session."""
        return SessionParts(
            simulation=self.simulation,
            feed=self.feed,
            rendering=self.rendering if config.render_offscreen else None,
            ros=ros,
            frame_prefix=config.frame_prefix,
            protected=protected,
            noise_secret=noise_secret,
        )

    def _follow(self, started: Future[list[str]]) -> None:
        if started.exception() is None:
            self.feed.start()


def _simulation(
    config: SessionConfig,
    listener: Listener | None,
    lockstep: Lockstep | None,
    *,
    protected: bool,
) -> Simulation:
    """Makes the simulation that a configuration describes; it is not started yet."""
    return Simulation(
        paused=not config.unpause,
        realtime=config.realtime,
        busy_wait_s=config.busy_wait,
        num_steps=config.num_steps,
        scheduling=thread_scheduling(config),
        idle=config.update_in_pause,
        listener=listener,
        lockstep=lockstep,
        ends_unstable=protected,
        step_time_limit_s=config.step_time_limit,
        command_limit=config.command_limit,
        ros_time_continues=config.time_after_reset == 'continue',
    )
