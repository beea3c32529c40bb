"""Assembles a simulation from its parts: model, plugins, feed and rendering."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from ..config import SessionConfig
from ..config.wording import summary
from ..engine import guard_bindings
from ..engine.resources import register_shipped
from ..errors import ConfigError
from ..plugins.host import HostedPlugin, NoRos, RosConnection, SessionParts
from ..processes import Worker
from ..simulation import (
    STANDSTILL_S,
    Listener,
    Lockstep,
    Owner,
    RepeatingThread,
    SavedState,
    Scheduling,
    Simulation,
    SnapshotFeed,
    Standstill,
    Watchdog,
    WatchedThread,
)
from ..simulation.rendering import RenderLoop, RenderOptions
from .content import SessionContent
from .entity_loader import EntityLoader

_log = logging.getLogger(__name__)

_UNLOAD_S = 1.5
"""How long a shutdown waits for the plugins, in seconds."""
_RENDER_S = 0.3
"""The minimum time that a shutdown waits for the render thread, in seconds."""


class Assembly(EntityLoader):
    """Owns a running world: a complete simulation and its helper threads.

    The simulation runs by itself from `start` to `close`. Send commands for the physics to
    `simulation`.
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
        """Creates the simulation and its threads; `start` starts them.

        `worker` is an already started process that compiles models (`ModelCompiler.TASK`), or
        None. If `protected` is true, plugins publish no ground truth, and sensor noise depends on
        `noise_secret`. Followers are called at most `wall_rate_hz` times per second of wall time.
        If `begin` is given, the first load starts in this state instead of the initial state.
        """
        guard_bindings()
        register_shipped()
        config = content.config
        simulation = _simulation(config, listener, lockstep, protected=protected)
        self.feed = SnapshotFeed(simulation, wall_rate_hz)
        self.rendering = RenderLoop(simulation, _render_options(config))
        parts = SessionParts(
            simulation=simulation,
            feed=self.feed,
            rendering=self.rendering if config.render_offscreen else None,
            ros=ros or NoRos(),
            frame_prefix=config.frame_prefix,
            protected=protected,
            noise_secret=noise_secret,
        )
        super().__init__(content, self.rendering, parts, worker, begin)
        self.threads = WatchedThreads(
            self.simulation, self.feed, self.simulation.exchange.feed, self.rendering
        )
        self.threads.report(self.simulation.exchange.tell_left_out)
        self.threads.report(self.simulation.step_limit.look)
        self._end = float('inf')
        """The deadline for unloading the plugins, in seconds of the monotonic clock."""

    def start(self) -> Future[list[str]]:
        """Loads model and plugins; the future completes when the simulation runs or is paused.

        The future fails with ConfigError if the system does not permit the configured scheduling.
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

    def configure(self, hosted: HostedPlugin, config: Any) -> Future[ConfigError | None]:
        """Applies new live values to a plugin between two steps.

        The future returns the error if the plugin refuses them, or None.
        """
        return self.simulation.between_steps(lambda: self.host.configure(hosted, config))

    def configured(self, hosted: HostedPlugin, config: Any) -> ConfigError | None:
        """Like `configure`, but waits. Raises SimulationError if the physics thread is busy."""
        return self.carry_out(self.configure(hosted, config))

    def close(self) -> bool:
        """Unloads the plugins and ends all threads. Returns False if a plugin prevents this."""
        self.threads.close()
        self.feed.close()
        return self.end()

    def end(self) -> bool:
        """Unloads the plugins and ends the simulation. Returns False if a plugin prevents this."""
        self.end_loads()
        self._end = min(self._end, time.monotonic() + _UNLOAD_S)
        ended = self.simulation.close(max(0.0, self._end - time.monotonic()))
        if not ended:
            doing = self.simulation.doing()
            _log.error('the plugins were not unloaded in time: the physics thread is in %s', doing)
        left = max(_RENDER_S, self._end - time.monotonic())
        return self.rendering.close(left) and ended

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
    """Creates the simulation for a configuration, without starting it."""
    return Simulation(
        paused=not config.unpause,
        realtime=config.realtime,
        busy_wait_s=config.busy_wait,
        num_steps=config.num_steps,
        scheduling=Scheduling(
            thread_priority=config.thread_priority,
            cpu_affinity=frozenset(config.cpu_affinity),
            lock_memory=config.lock_memory,
        ),
        idle=config.update_in_pause,
        listener=listener,
        lockstep=lockstep,
        ends_unstable=protected,
        step_time_limit_s=config.step_time_limit,
        command_limit=config.command_limit,
        ros_time_continues=config.time_after_reset == 'continue',
    )


def _render_options(config: SessionConfig) -> RenderOptions:
    return RenderOptions(
        backend=config.render_backend,
        shadows=config.render_shadows,
        reflections=config.render_reflections,
        samples=config.render_samples,
    )


class WatchedThreads:
    """Watches threads, and records exceptions of the session's own functions on them."""

    def __init__(self, *watched: WatchedThread) -> None:
        self.owner = Owner('the server', self._failed)
        """The owner of functions of the session and its node. A fault does not disable them."""
        self._faults: dict[str, tuple[str, float]] = {}
        self._watched = list(watched)
        self._watchdog = Watchdog(self._watched)
        self._reports: list[Callable[[], object]] = []
        self._thread = RepeatingThread('watchdog', self._look)
        self.start, self.close = self._thread.start, self._thread.close

    @property
    def names(self) -> list[str]:
        """The names of the watched threads."""
        return [thread.name for thread in self._watched]

    def watch(self, *threads: WatchedThread) -> None:
        """Watches more threads. Call this before `start`."""
        self._watched += threads

    def report(self, function: Callable[[], object]) -> None:
        """Registers a function to call at each check of the threads. Call this before `start`."""
        self._reports.append(function)

    def standing(self) -> list[Standstill]:
        """Returns the threads that are blocked now."""
        return self._watchdog.standing()

    def faults(self) -> list[str]:
        """Returns a message for each of the session's own functions that raised recently."""
        recent = time.monotonic() - STANDSTILL_S
        return [text for text, when in tuple(self._faults.values()) if when > recent]

    def _look(self) -> float:
        for report in self._reports:
            report()
        return self._watchdog.look()

    def _failed(self, where: str, error: BaseException) -> None:
        text = f'{where} raised {summary(error)}'
        if self._faults.get(where, ('', 0.0))[0] != text:
            _log.error('%s; it will be called again', text, exc_info=error)
        self._faults[where] = text, time.monotonic()
