"""The contract of plugins: their base class, and the decorator of compiled callbacks.

What only some plugins do has a mixin each, in `mixins`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

import mujoco

from ..engine import State, new_state

if TYPE_CHECKING:
    from rclpy.node import Node
    from typing_extensions import TypeVar as TypeVarWithDefault

    from .host.environment import Environment
    from .ros_interface import Ros

    Config = TypeVarWithDefault('Config', default=Mapping[str, Any])
else:
    Config = TypeVar('Config')

Result = TypeVar('Result')


class MujocoPlugin(Generic[Config]):
    """The base of every plugin. Override what you need; what you do not override costs nothing.

    If a class derives from `MujocoPlugin[Config]`, where `Config` is a frozen dataclass,
    `self.config` is an instance of it, read and checked; else it is the mapping as it was written.

    The server constructs a plugin, and then calls `load`, `after_load`, the callbacks and `reset`,
    and at the end `unload`. All of these, but not `render_callback`, run on the physics thread,
    between or inside steps: they must return soon. Callbacks of subscriptions, services and timers
    run on a thread of the plugin.

    A callback is an ordinary method, which is called under the GIL, or a static method that is
    marked `@compiled`. What only some plugins need comes by mixins: `Reconfigurable`, `Adaptable`,
    `Savable`, `Stoppable`, `Commandable`.
    """

    name: str = ''
    """The name in the configuration, unique in the server; it is set before `load`."""

    state: Any = None
    """The record that compiled callbacks read and write: `load` makes it with `new_state`.

    For type checkers a plugin may annotate it by a Protocol with the fields.
    """

    def __init__(self, config: Config, node: Node, environment: Environment) -> None:
        """Keep the arguments, and do nothing else yet; any thread may call this.

        `config` is the plugin's struct without `type` and `name`, or the dataclass made of it.
        """
        self.config = config
        self.node = node
        self.environment = environment

    @property
    def ros(self) -> Ros:
        """The plugin's publishers, services and so on; false in a session without ROS."""
        return self.environment.ros

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool | None:
        """Complete the set-up. Raise or return False to refuse: then nothing else is called."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publish what is published once: all plugins are loaded, and the simulation uses them.

        With `strict` a reload may be taken back after `load`, and before this.
        """

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Forget the past: the time is 0, and the poses are those of the start."""

    def unload(self) -> None:
        """Release what `load` took: the model is replaced, or the simulation ends."""

    def control_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Set `data.ctrl`, `qfrc_applied` or `xfrc_applied`.

        This is called in every step, and in every forward pass of a pause, as often as the
        integrator evaluates the forces: RK4 does that four times a step.
        """

    def passive_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Add to `data.qfrc_passive`; it is called as often as `control_callback`, and earlier."""

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Look at the result of a step; this is called at the very end of each full step."""

    def render_callback(
        self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene
    ) -> None:
        """Add geoms to `scene` (arrows, traces, labels) each time an image is made.

        This is called on the render thread, beside the physics: `data` is a copy of the moment
        that is drawn, to be read only. The geoms show in colour images, but not in depth and
        segmentation.
        """


AnyPlugin: TypeAlias = MujocoPlugin[Any]
"""A plugin with whatever configuration."""


class CompiledCallback:
    """A function that the server compiles, and that Python can call as it is."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = getattr(function, '__func__', function)  # of a static method
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function without compiling it."""
        return self.function(*arguments)


def compiled(function: Callable[..., Result]) -> Callable[..., Result]:
    """Marks a callback to be compiled by numba and called from the physics loop without the GIL.

    It is a static method, whose first parameter is the plugin's `state` record::

        @staticmethod
        @compiled
        def control_callback(state, model, data):
            data.ctrl[0] = -state.gain * data.qvel[0]

    It may use the attributes of `MjModel` and `MjData`, libmujoco's functions by their usual
    names, and what numba compiles. An exception that it raises takes the plugin out.
    """
    return CompiledCallback(function)


__all__ = ['CompiledCallback', 'MujocoPlugin', 'State', 'compiled', 'new_state']
