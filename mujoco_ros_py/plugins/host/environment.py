"""The environment of a plugin: access to the simulation, rendering, ROS and other plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import wraps
from types import MappingProxyType
from typing import TypeVar

import mujoco

from ...config import NO_GROUP, Group
from ...errors import EndedError, PluginError
from ...simulation import Follower, Owner, Snapshot
from ...simulation.rendering import RenderLoop, View, camera_name
from ..contract import AnyPlugin
from ..simulation_handle import SimulationHandle
from .absent_parts import AbsentParts
from .loaded_plugins import LoadedPlugins
from .render_callback import Painter
from .session_parts import SessionParts

Result = TypeVar('Result')


class Environment:
    """A plugin's access to the simulation, rendering, ROS and the other plugins.

    Each plugin has its own environment. A function that a plugin passes to it belongs to the
    plugin: an exception in the function disables the plugin, and the function is no longer called
    once the plugin is unloaded.
    """

    def __init__(
        self,
        parts: SessionParts,
        loaded: LoadedPlugins,
        owner: Owner,
        name: str,
        *,
        boundscheck: bool = False,
        group: Group = NO_GROUP,
    ) -> None:
        self.simulation = SimulationHandle(parts.simulation, lambda: self._loaded.costs())
        """The clock, commands and callback costs of the simulation."""
        self._absent = AbsentParts()
        exchange, namespace = parts.simulation.exchange, group.namespace
        self.ros = parts.ros.for_plugin(
            name, owner, exchange, self._absent, boundscheck=boundscheck, namespace=namespace
        )
        """The plugin's publishers, services and so on; false in a session without ROS."""
        self._parts = parts
        self._loaded = loaded
        self._owner = owner
        self._group = group

    @property
    def prefix(self) -> str:
        """The prefix of the robot's element names in the model; empty outside of a group.

        A plugin in a group looks up its joints, bodies and so on by this prefix followed by the
        configured name, and uses the name without the prefix in messages.
        """
        return self._group.prefix

    @property
    def namespace(self) -> str:
        """The namespace of the plugin's group, relative to the node's; empty if it is in no group.

        `ros` resolves relative names in this namespace automatically.
        """
        return self._group.namespace

    @property
    def urdf(self) -> str:
        """The URDF text of the plugin's robot; empty if the robot was not read from URDF.

        The robot of a group is the entity that was spawned with the group's prefix. For a plugin
        in no group, it is the loaded model.
        """
        return self._loaded.urdfs.get(self._group.prefix, '')

    @property
    def protected(self) -> bool:
        """Whether publishing ground truth is forbidden (`eval_mode`)."""
        return self._parts.protected

    @property
    def noise_secret(self) -> bytes:
        """Up to 64 bytes to mix into a sensor's random numbers, in addition to its seed.

        In a protected run anyone can read the seed, but these bytes are known only with the admin
        hash. They are the same in each run with the same hash, and empty in an unprotected run.
        """
        return self._parts.noise_secret

    @property
    def rendering(self) -> Rendering:
        """The render loop; views are not rendered if the simulation makes no images."""
        return Rendering(self._parts.rendering, self._owner, self._absent, self._loaded.painters)

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate of simulated time, for example to publish data.

        `snapshot` holds the model, the data and the time at one instant, and is valid only during
        the call. All followers share a thread that runs in parallel with the physics, so the
        function should take less than about a millisecond. With `thread=True` it runs on a thread
        of its own and can take as long as it needs.

        The function is called at multiples of the period since the start of the epoch, but
        skips multiples that pass during a call. While the simulation runs as fast as possible, the
        rate also limits the calls per second of wall time. The calls end with the plugin, or when
        the returned follower is closed.
        """

        @wraps(function)
        def call(snapshot: Snapshot) -> None:
            model = self._loaded.model
            if model in (None, snapshot.model):  # skips snapshots of an older model
                function(snapshot)

        return self._parts.feed.follow(rate_hz, call, self._owner, thread=thread)

    def frame(self, name: str) -> str:
        """Returns a TF frame name, with the prefixes of the server and of the plugin's group.

        The frame `world` is shared by all groups, and does not get the prefix of a group.
        """
        own = '' if name == 'world' else self._group.prefix
        return f'{self._parts.frame_prefix}{own}{name}'

    def body_frame(self, name: str) -> str:
        """Returns the TF frame of a body, given its full name in the model."""
        return f'{self._parts.frame_prefix}{name}'

    @property
    def plugins(self) -> Mapping[str, AnyPlugin]:
        """The ready plugins by name, in load order."""
        return MappingProxyType(self._loaded.by_name)

    def plugin(self, name: str) -> AnyPlugin:
        """Returns a plugin that was loaded earlier.

        Raises PluginError, which lists the loaded plugins, if `name` is not loaded.
        """
        loaded = self._loaded.by_name
        if name not in loaded:
            known = ', '.join(loaded) or 'none'
            raise PluginError(
                f'no plugin {name!r} is loaded yet (plugins load in their listed order); loaded:'
                f' {known}'
            )
        return loaded[name]

    def emergency_stop(self, stopped: bool) -> Future[list[str]]:
        """Stops or releases all plugins that override `Stoppable.emergency_stop`.

        For a plugin in a group, only the plugins of this group are affected. All of them are
        called between the same two steps. The future returns their names, without those that
        failed; a plugin that raises is disabled. Any thread may call this, but the physics thread
        must not wait for the future.
        """
        group = self._group
        return self.submit(lambda model, data: self._loaded.stop(model, data, stopped, group))

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Calls `function(model, data)` on the physics thread between two steps.

        Any thread may call this, but the physics thread must not wait for the future. If the
        function raises, the plugin is disabled and the future raises the same exception. If the
        plugin fails or is unloaded before the call, the future raises PluginError.
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
        """Calls a submitted function. Physics thread only."""
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
    """Gives a plugin that stays loaded access to the plugins of the new load."""
    environment._loaded = loaded


def show(environment: Environment, model: mujoco.MjModel) -> None:
    """Switches the views of a plugin that stays loaded to another model."""
    if environment._parts.rendering is not None:
        environment._parts.rendering.move(environment._owner, model)


def tell_absent(environment: Environment, name: str) -> None:
    """Logs the requested resources that are not available, unless they were logged before."""
    environment._absent.tell(name)


class Rendering:
    """The render loop for one plugin, which owns the views that it opens."""

    def __init__(
        self,
        loop: RenderLoop | None,
        owner: Owner,
        absent: AbsentParts,
        painters: tuple[Painter, ...] = (),
    ) -> None:
        self._loop, self._owner, self._absent = loop, owner, absent
        self.painters = painters
        """The render callbacks of all plugins in load order, for plugins that render images
        themselves.

        Call each one as `painter(model, data, scene)`. A painter that raises disables its plugin.
        If another thread is in the same callback, the call waits for up to 0.1 s and then does
        nothing.
        """

    def open(self, model: mujoco.MjModel, view: View) -> None:
        """Starts rendering a view; returns when the model's textures and meshes are loaded.

        Raises RenderingError if OpenGL is unavailable or cannot hold an image of this size. If the
        simulation makes no images, the view is not rendered; the log reports this once.
        """
        if self._loop is None:
            self._absent.lacks_images(_camera(model, view))
        else:
            self._loop.open(model, view, self._owner)

    def close_view(self, view: View) -> None:
        """Stops rendering a view; no image arrives afterwards, unless its delivery was blocked."""
        if self._loop is not None:
            self._loop.close_view(view)


def _camera(model: mujoco.MjModel, view: View) -> str:
    """Returns the name of a view's camera, for messages."""
    return camera_name(model, view.camera) if isinstance(view.camera, int) else 'a free camera'
