"""What a plugin belongs to: the simulation, and the other plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

import mujoco

from ..errors import EndedError, PluginError, RenderingError
from ..rendering import RenderLoop, View
from ..simulation import Follower, Owner, Snapshot
from .contract import MujocoPlugin
from .loaded_plugins import LoadedPlugins
from .session_parts import SessionParts
from .simulation_handle import SimulationHandle

Result = TypeVar('Result')


class Environment:
    """What a plugin belongs to; each has its own.

    What a plugin gets here belongs to it: if it raises, the plugin is taken out, and it ends with
    the plugin.
    """

    def __init__(
        self, parts: SessionParts, loaded: LoadedPlugins, owner: Owner, name: str
    ) -> None:
        self.simulation = SimulationHandle(parts.simulation)
        """The clock and the commands of the simulation."""
        self.ros = parts.ros.for_plugin(name, owner)
        """What the plugin talks ROS by; false where the session runs without ROS."""
        self._parts = parts
        self._loaded = loaded
        self._owner = owner

    @property
    def protected(self) -> bool:
        """Whether what tells the truth about the world is not to be published (`eval_mode`)."""
        return self._parts.protected

    @property
    def rendering(self) -> Rendering:
        """Makes images. Raises RenderingError where the server makes none."""
        loop = self._parts.rendering
        if loop is None:
            raise RenderingError('this simulation makes no images: render_offscreen is false')
        return Rendering(loop, self._owner)

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate of simulated time: for what is published.

        `snapshot` has model, data and time of one moment, and is valid during the call, which
        comes on a thread beside the physics. All who follow share that thread, so the function
        should take less than a millisecond or so; with `thread` it has one of its own, and may
        take as long as it needs: it gets the newest moment when it comes back. It ends with the
        plugin, or when what this returns is closed.
        """

        @wraps(function)
        def call(snapshot: Snapshot) -> None:
            model = self._loaded.model
            if model in (None, snapshot.model):  # else of before the load, or after it
                function(snapshot)

        return self._parts.feed.follow(rate_hz, call, self._owner, thread=thread)

    def frame(self, name: str) -> str:
        """The TF frame of this name (of a body, say) with the prefix of this server's frames."""
        return f'{self._parts.frame_prefix}{name}'

    @property
    def plugins(self) -> Mapping[str, MujocoPlugin[Any]]:
        """The loaded plugins by name, in load order."""
        return MappingProxyType(self._loaded.by_name)

    def plugin(self, name: str) -> MujocoPlugin[Any]:
        """A plugin that was loaded before. Raises PluginError that names those that are there."""
        loaded = self._loaded.by_name
        if name not in loaded:
            known = ', '.join(loaded) or 'none'
            raise PluginError(f'no plugin {name!r} is loaded (order counts); loaded: {known}')
        return loaded[name]

    @property
    def painters(self) -> tuple[Callable[..., Any], ...]:
        """What the plugins add to images, in load order, for who draws them by itself.

        Each is a render callback, called as `painter(model, data, scene)`; one that raises takes
        its plugin out. Where another thread is in it just then, the call does nothing.
        """
        return self._loaded.painters

    def costs_ns(self) -> dict[str, dict[str, float]]:
        """Mean cost of each callback that has been timed, in nanoseconds, by plugin and method."""
        return self._loaded.costs()

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Runs a function on the physics thread between two steps; from any thread.

        What it raises takes the plugin out, and is raised again by the future's `result`. Do not
        wait for that on the physics thread itself. Raises PluginError there where the plugin has
        been taken out or unloaded meanwhile.
        """
        what = f'{getattr(function, "__qualname__", repr(function))}, given to submit,'
        return self._parts.simulation.submit(
            lambda model, data: self._run(what, function, model, data)
        )

    def _run(
        self,
        what: str,
        function: Callable[[mujoco.MjModel, mujoco.MjData], Result],
        model: mujoco.MjModel,
        data: mujoco.MjData,
    ) -> Result:
        """On the physics thread."""
        owner = self._owner
        if self._loaded.closed:
            raise EndedError('the plugins are unloaded')
        if owner.closed:
            raise PluginError(f'{what} was not called: {owner.name} has failed or is unloaded')
        try:
            with owner.at(what):
                return function(model, data)
        except BaseException as error:
            owner.fail(what, error)
            raise


def move(environment: Environment, loaded: LoadedPlugins) -> None:
    """Puts a plugin among others, with which it goes on."""
    environment._loaded = loaded


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
