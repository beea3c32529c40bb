"""The contract of plugins: their base class and the decorator for compiled callbacks.

Optional capabilities are mixins, defined in `mixins`.
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
    """The base class of all plugins. Methods that you don't override cost nothing.

    Derive from `MujocoPlugin[Config]`, where `Config` is a frozen dataclass, to receive
    `self.config` as a validated instance of `Config`. Otherwise `self.config` is the mapping from
    the configuration, unchecked.

    The server constructs the plugin and calls `load` and `after_load`, then the callbacks and
    `reset`, and finally `unload`. All of these methods except `render_callback` run on the physics
    thread, during or between steps, so they must return quickly. Callbacks of subscriptions,
    services and timers run on a separate thread of the plugin.

    A callback is either an ordinary method, called while holding the GIL, or a static method
    marked `@compiled`. Optional capabilities come from mixins: `Reconfigurable`, `Adaptable`,
    `Savable`, `Stoppable`, `Commandable` and `Hardware`.
    """

    name: str = ''
    """The plugin's name in the configuration, unique in the server; set before `load`."""

    state: Any = None
    """The record that compiled callbacks read and write; create it in `load` with `new_state`.

    For type checkers, a plugin can annotate it with a Protocol that has the record's fields.
    """

    def __init__(self, config: Config, node: Node, environment: Environment) -> None:
        """Store the arguments and do nothing else. Any thread may call this.

        `config` is an instance of the plugin's `Config` dataclass, or the plugin's entry in the
        configuration without `type` and `name`.
        """
        self.config = config
        self.node = node
        self.environment = environment

    @property
    def ros(self) -> Ros:
        """The plugin's publishers, services and so on; false in a session without ROS."""
        return self.environment.ros

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool | None:
        """Set the plugin up. Raise or return False to refuse; no other method is called then."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Publish one-time messages: all plugins are loaded, and the simulation is using them.

        With `strict`, a reload can still be undone after `load`, but not after this call.
        """

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Clear the plugin's history: the time is 0, and the model is in its initial pose."""

    def unload(self) -> None:
        """Release everything that `load` acquired: a new model follows, or the simulation ends."""

    def control_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Set `data.ctrl`, `qfrc_applied` or `xfrc_applied`.

        Called in every step, and in every forward pass while paused, each time the integrator
        evaluates the forces. RK4 evaluates them four times a step.
        """

    def passive_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Add to `data.qfrc_passive`. Called as often as `control_callback`, and before it."""

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Read the result of a step. Called at the very end of each full step."""

    def render_callback(
        self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene
    ) -> None:
        """Add geoms to `scene` (arrows, traces, labels) whenever an image is rendered.

        Called on the render thread, in parallel with the physics. `data` is a copy of the rendered
        state; treat it as read-only. The geoms appear in colour images, but not in depth or
        segmentation images.
        """


AnyPlugin: TypeAlias = MujocoPlugin[Any]
"""A plugin with any type of configuration."""


class CompiledCallback:
    """A function that the server compiles; Python can also call it directly, uncompiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = getattr(function, '__func__', function)  # unwraps a static method
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function without compiling it."""
        return self.function(*arguments)


def compiled(function: Callable[..., Result]) -> Callable[..., Result]:
    """Marks a callback for compilation with numba; the physics loop calls it without the GIL.

    The callback must be a static method whose first parameter is the plugin's `state` record::

        @staticmethod
        @compiled
        def control_callback(state, model, data):
            data.ctrl[0] = -state.gain * data.qvel[0]

    It can use the attributes of `MjModel` and `MjData`, call libmujoco functions by their usual
    names, and use anything else that numba compiles. An exception raised in it disables the
    plugin.
    """
    return CompiledCallback(function)


__all__ = ['CompiledCallback', 'MujocoPlugin', 'State', 'compiled', 'new_state']
