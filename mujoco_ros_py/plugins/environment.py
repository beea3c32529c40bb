"""What a plugin belongs to: the simulation, and the other plugins."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

import mujoco

from ..errors import EndedError, PluginError, RenderingError
from ..rendering import Painter, RenderLoop
from ..simulation import Follower, Simulation, Snapshot, SnapshotFeed
from .contract import MujocoPlugin

Result = TypeVar('Result')
_log = logging.getLogger(__name__)


class Environment:
    """One for each load of the server; the same for all plugins of that load."""

    def __init__(
        self,
        simulation: Simulation,
        rendering: RenderLoop | None = None,
        feed: SnapshotFeed | None = None,
        frame_prefix: str = '',
        protected: bool = False,
    ) -> None:
        self.simulation = simulation
        self.protected = protected
        """eval_mode: what tells the truth about the world is not to be published."""
        self._feed = feed
        self._rendering = rendering
        self._frame_prefix = frame_prefix
        self._plugins: dict[str, MujocoPlugin[Any]] = {}
        self._model: mujoco.MjModel | None = None
        self._closed = False

    @property
    def rendering(self) -> RenderLoop:
        """Makes images. Raises RenderingError where the server makes none."""
        if self._rendering is None:
            raise RenderingError('this server makes no images: render_offscreen is false')
        return self._rendering

    def follow(self, rate_hz: float, function: Callable[[Snapshot], object]) -> Follower:
        """Calls `function(snapshot)` at this rate of simulated time: for what is published.

        On a thread beside the physics; `snapshot` has model, data and time of one moment, and is
        valid during the call. Close what this returns in `unload`.
        """
        assert self._feed is not None

        @wraps(function)
        def call(snapshot: Snapshot) -> None:
            if self._model in (None, snapshot.model):  # else of before the load, or of after it
                function(snapshot)

        return self._feed.follow(rate_hz, call)

    def frame(self, name: str) -> str:
        """The TF frame of this name (of a body, say) with the prefix of this server's frames."""
        return f'{self._frame_prefix}{name}'

    def paint_with(self, painters: Sequence[Painter]) -> None:
        """By the host: what the plugins add to images from now on."""
        if self._rendering is not None:
            self._rendering.paint_with(painters)

    @property
    def plugins(self) -> Mapping[str, MujocoPlugin[Any]]:
        """The loaded plugins by name, in load order."""
        return MappingProxyType(self._plugins)

    def plugin(self, name: str) -> MujocoPlugin[Any]:
        """A plugin that was loaded before. Raises PluginError that names those that are there."""
        if name not in self._plugins:
            known = ', '.join(self._plugins) or 'none'
            raise PluginError(f'no plugin {name!r} is loaded (order counts); loaded: {known}')
        return self._plugins[name]

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Runs a function on the physics thread between two steps; from any thread.

        What it raises is logged, and raised again by the future's `result`. Do not wait for that
        on the physics thread itself.
        """

        def call(model: mujoco.MjModel, data: mujoco.MjData) -> Result:
            if self._closed:
                raise EndedError('the plugins are unloaded')
            return function(model, data)

        future = self.simulation.submit(call)
        future.add_done_callback(lambda future: _log_failure(function, future))
        return future

    def begin(self, model: mujoco.MjModel) -> None:
        """By the host: the plugins are loaded with this model."""
        self._model = model

    def close(self) -> None:
        """By the host: the plugins are unloaded, what they have submitted is not done any more."""
        self._closed = True

    def add(self, plugin: MujocoPlugin[Any]) -> None:
        """By the host: this plugin is loaded."""
        self._plugins[plugin.name] = plugin

    def remove(self, plugin: MujocoPlugin[Any]) -> None:
        """By the host: this plugin is not loaded any more."""
        if self._plugins.get(plugin.name) is plugin:
            del self._plugins[plugin.name]


def _log_failure(function: Callable[..., object], future: Future[Result]) -> None:
    """Most callers of `submit` never look at the result."""
    error = None if future.cancelled() else future.exception()
    if error is not None and not isinstance(error, EndedError):
        name = getattr(function, '__qualname__', repr(function))
        _log.error('%s, given to submit, raised', name, exc_info=error)
