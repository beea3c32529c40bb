"""The environment of a plugin: the simulation, rendering, ROS and the other plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import wraps
from types import MappingProxyType
from typing import TypeVar

import mujoco

from ...config import NO_GROUP, Group
from ...errors import EndedError, PluginError
from ...rendering import RenderLoop, View, camera_name
from ...simulation import Follower, Owner, Snapshot
from ..contract import AnyPlugin
from ..simulation_handle import SimulationHandle
from .absent_parts import AbsentParts
from .loaded_plugins import LoadedPlugins
from .render_callback import Painter
from .session_parts import SessionParts

Result = TypeVar('Result')


class Environment:
    """The environment of one plugin; each has its own.

    A function that a plugin gives away here belongs to the plugin: if it raises, the plugin is
    taken out, and it is not called any more once the plugin is unloaded.
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
        """The clock, the commands and the costs of the simulation."""
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
        """What the names of the robot's elements begin with in the model, in a group of plugins.

        A plugin in a group looks its joints, bodies and so on up by this and the name that it is
        configured with, and leaves it out in messages.
        """
        return self._group.prefix

    @property
    def namespace(self) -> str:
        """The namespace of the plugin's group, in that of the node; empty outside of the groups.

        `ros` puts relative names there by itself.
        """
        return self._group.namespace

    @property
    def urdf(self) -> str:
        """The text of the URDF that the robot of the plugin was read from; empty without one.

        In a group, this is the robot that was spawned with the group's prefix. Otherwise it is the
        model that was loaded.
        """
        return self._loaded.urdfs.get(self._group.prefix, '')

    @property
    def protected(self) -> bool:
        """Whether ground truth must not be published (`eval_mode`)."""
        return self._parts.protected

    @property
    def noise_secret(self) -> bytes:
        """Up to 64 bytes that a sensor's random numbers should depend on besides its seed.

        In a protected run everybody may read the seed, and only who knows the admin hash knows
        these bytes. They are the same in each run with this hash, and empty outside of such runs.
        """
        return self._parts.noise_secret

    @property
    def rendering(self) -> Rendering:
        """The render loop; where the simulation makes no images, views are not drawn."""
        return Rendering(self._parts.rendering, self._owner, self._absent, self._loaded.painters)

    def follow(
        self,
        rate_hz: float,
        function: Callable[[Snapshot], object],
        *,
        thread: bool = False,
    ) -> Follower:
        """Calls `function(snapshot)` at this rate of simulated time, to publish it for example.

        `snapshot` has the model, the data and the time of one moment, and is valid during the
        call. All followers are called on one thread beside the physics, so the function should
        take less than a millisecond or so. With `thread` it has a thread of its own and may take
        as long as it needs. The moments are multiples of the period since the epoch began, and
        those that pass during a call are left out. While the simulation runs as fast as it can,
        the rate is a limit in wall time, too. The calls end with the plugin, or when the follower
        that this returns is closed.
        """

        @wraps(function)
        def call(snapshot: Snapshot) -> None:
            model = self._loaded.model
            if model in (None, snapshot.model):  # another model is that of another load
                function(snapshot)

        return self._parts.feed.follow(rate_hz, call, self._owner, thread=thread)

    def frame(self, name: str) -> str:
        """Returns the TF frame of this name: with the prefix of the server and that of the group.

        The frame `world` is that of all groups.
        """
        own = '' if name == 'world' else self._group.prefix
        return f'{self._parts.frame_prefix}{own}{name}'

    def body_frame(self, name: str) -> str:
        """Returns the TF frame of a body, by its whole name in the model."""
        return f'{self._parts.frame_prefix}{name}'

    @property
    def plugins(self) -> Mapping[str, AnyPlugin]:
        """The plugins that are ready by name, in load order."""
        return MappingProxyType(self._loaded.by_name)

    def plugin(self, name: str) -> AnyPlugin:
        """Returns a plugin that was loaded before. Raises PluginError that names all of them."""
        loaded = self._loaded.by_name
        if name not in loaded:
            known = ', '.join(loaded) or 'none'
            raise PluginError(f'no plugin {name!r} is loaded (order counts); loaded: {known}')
        return loaded[name]

    def emergency_stop(self, stopped: bool) -> Future[list[str]]:
        """Stops all plugins that override `MujocoPlugin.emergency_stop`, or releases them.

        For a plugin in a group, these are the plugins of the group. All of them are told between
        the same two steps. The future has their names; a plugin that raises is taken out. Any
        thread may call this, but the physics thread must not wait for the future.
        """
        group = self._group
        return self.submit(lambda model, data: self._loaded.stop(model, data, stopped, group))

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Calls `function(model, data)` on the physics thread between two steps.

        Any thread may call this, but the physics thread must not wait for the future. If the
        function raises, the plugin is taken out, and the future has the error. If the plugin has
        been taken out or unloaded meanwhile, the future has a PluginError.
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
        """Calls a function that was submitted; on the physics thread."""
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
    """Gives a plugin that stays the plugins of the new load."""
    environment._loaded = loaded


def show(environment: Environment, model: mujoco.MjModel) -> None:
    """Has the views of a plugin that stays show another model."""
    if environment._parts.rendering is not None:
        environment._parts.rendering.move(environment._owner, model)


def tell_absent(environment: Environment, name: str) -> None:
    """Logs what the plugin of this name does without here, if that has not been logged."""
    environment._absent.tell(name)


class Rendering:
    """The render loop as one plugin sees it, which owns the views that it opens."""

    def __init__(
        self,
        loop: RenderLoop | None,
        owner: Owner,
        absent: AbsentParts,
        painters: tuple[Painter, ...] = (),
    ) -> None:
        self._loop, self._owner, self._absent = loop, owner, absent
        self.painters = painters
        """The render callbacks of all plugins in load order, for plugins that draw by themselves.

        Each is called as `painter(model, data, scene)`; one that raises takes its plugin out. A
        call waits while another thread is in the same callback, and does nothing after 0.1 s.
        """

    def open(self, model: mujoco.MjModel, view: View) -> None:
        """Draws the view from now on; returns when the model's textures and meshes are loaded.

        Raises RenderingError for an image that OpenGL cannot hold, and where there is no OpenGL.
        Where the simulation makes no images, the view is not drawn, which the log says once.
        """
        if self._loop is None:
            self._absent.lacks_images(_camera(model, view))
        else:
            self._loop.open(model, view, self._owner)

    def close_view(self, view: View) -> None:
        """Draws the view no more; nothing is delivered after this, unless its functions block."""
        if self._loop is not None:
            self._loop.close_view(view)


def _camera(model: mujoco.MjModel, view: View) -> str:
    """Names the camera of a view."""
    return camera_name(model, view.camera) if isinstance(view.camera, int) else 'a free camera'
