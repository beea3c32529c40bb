"""What a plugin belongs to: the simulation, and the other plugins."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

import mujoco

from ..errors import EndedError, PluginError, RenderingError
from ..rendering import RenderLoop, View
from ..simulation import Duty, Follower, Owner, Simulation, Snapshot, SnapshotFeed
from .contract import MujocoPlugin

Result = TypeVar('Result')


@dataclass(slots=True)
class _Life:
    """Of all plugins of a load."""

    model: mujoco.MjModel | None = None
    """That they are loaded with."""
    closed: bool = False
    """They are unloaded."""


class Environment:
    """What the plugins of one load of a server share. Each is given one that knows whose it is.

    What a plugin gets here belongs to it: if it raises, the plugin is taken out, and it ends with
    the plugin.
    """

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
        self._owner = Owner.nobody('a function')
        self._life = _Life()

    def of(self, owner: Owner) -> Environment:
        """By the host: the same, for one plugin."""
        own = copy.copy(self)
        own._owner = owner
        return own

    @property
    def rendering(self) -> Rendering:
        """Makes images. Raises RenderingError where the server makes none."""
        if self._rendering is None:
            raise RenderingError('this server makes no images: render_offscreen is false')
        return Rendering(self._rendering, self._owner)

    def follow(self, rate_hz: float, function: Callable[[Snapshot], object]) -> Follower:
        """Calls `function(snapshot)` at this rate of simulated time: for what is published.

        On a thread beside the physics; `snapshot` has model, data and time of one moment, and is
        valid during the call. Close what this returns in `unload`. While the function does not
        return the others are called on another thread, and this one is left out.
        """
        assert self._feed is not None

        @wraps(function)
        def call(snapshot: Snapshot) -> None:
            if self._life.model in (None, snapshot.model):  # else of before the load, or after it
                function(snapshot)

        return self._feed.follow(rate_hz, call, self._owner)

    def frame(self, name: str) -> str:
        """The TF frame of this name (of a body, say) with the prefix of this server's frames."""
        return f'{self._frame_prefix}{name}'

    def paint_with(self, painters: Sequence[Duty]) -> None:
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

        What it raises takes the plugin out, and is raised again by the future's `result`. Do not
        wait for that on the physics thread itself. Raises PluginError there where the plugin has
        been taken out or unloaded meanwhile.
        """
        what = f'{getattr(function, "__qualname__", repr(function))}, given to submit,'
        return self.simulation.submit(lambda model, data: self._run(what, function, model, data))

    def begin(self, model: mujoco.MjModel) -> None:
        """By the host: the plugins are loaded with this model."""
        self._life.model = model

    def close(self) -> None:
        """By the host: the plugins are unloaded, what they have submitted is not done any more."""
        self._life.closed = True

    def add(self, plugin: MujocoPlugin[Any]) -> None:
        """By the host: this plugin is loaded."""
        self._plugins[plugin.name] = plugin

    def remove(self, plugin: MujocoPlugin[Any]) -> None:
        """By the host: this plugin is not loaded any more."""
        if self._plugins.get(plugin.name) is plugin:
            del self._plugins[plugin.name]

    def _run(
        self,
        what: str,
        function: Callable[[mujoco.MjModel, mujoco.MjData], Result],
        model: mujoco.MjModel,
        data: mujoco.MjData,
    ) -> Result:
        """On the physics thread."""
        owner = self._owner
        if self._life.closed:
            raise EndedError('the plugins are unloaded')
        if owner.closed:
            raise PluginError(f'{what} was not called: {owner.name} has failed or is unloaded')
        try:
            with owner.at(what):
                return function(model, data)
        except BaseException as error:
            owner.fail(what, error)
            raise


class Rendering:
    """The render loop as one plugin sees it: the views that it opens are its own."""

    def __init__(self, loop: RenderLoop, owner: Owner) -> None:
        self._loop, self._owner = loop, owner

    def open(self, model: mujoco.MjModel, view: View) -> None:
        """Draws the view from now on; the model's textures and meshes are loaded when it returns.

        Raises RenderingError for an image that OpenGL cannot hold, and where there is none.
        """
        self._loop.open(model, view, self._owner)

    def close_view(self, view: View) -> None:
        """Draws it no more: nothing is delivered after this, unless its functions block."""
        self._loop.close_view(view)
