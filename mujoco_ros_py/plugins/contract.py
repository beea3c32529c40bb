"""What a plugin is: the base class to derive from, and the mark for compiled callbacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import mujoco

from ..engine import State, new_state

if TYPE_CHECKING:
    from rclpy.node import Node
    from typing_extensions import TypeVar as TypeVarWithDefault

    from .environment import Environment
    from .ros_interface import Ros

    Config = TypeVarWithDefault('Config', default=Mapping[str, Any])
else:
    Config = TypeVar('Config')

Function = TypeVar('Function', bound=Callable[..., Any])


class MujocoPlugin(Generic[Config]):
    """Base of every plugin. Override what you need; what you do not override costs nothing.

    A class that derives from `MujocoPlugin[Config]`, `Config` being a frozen dataclass, finds its
    configuration read and checked in `self.config`; without it, that is the mapping as written.

    The server constructs a plugin with its configuration and calls it by its life: `load`,
    `after_load`, then callbacks and `reset`, then `unload`. All of these, and all callbacks but
    `render_callback`, run on the physics thread, between or inside steps: they must return soon.
    Subscriptions and timers that a plugin makes on the node run on the executor's thread.

    A callback is an ordinary method, called under the GIL, or is marked `@compiled`.
    """

    name: str = ''
    """Given in the configuration, unique in the server; set before `load`."""

    state: State | None = None
    """What compiled callbacks work on; see `new_state`."""

    def __init__(self, config: Config, node: Node, environment: Environment) -> None:
        """Called when the plugin is instantiated, on no particular thread. Do nothing yet.

        `config` is the plugin's struct without `type` and `name`, or what was read from it.
        """
        self.config = config
        self.node = node
        self.environment = environment

    @property
    def ros(self) -> Ros:
        """What the plugin talks ROS by; false where the session runs without ROS."""
        return self.environment.ros

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool | None:
        """Complete the set-up. Raise, or return False, to refuse: then nothing else is called."""

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """All plugins are loaded, and the simulation is theirs: tell what is told once.

        With `strict` a reload may be taken back after `load`, and before this.
        """

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The simulation was reset: time is 0, poses are those of the start."""

    def unload(self) -> None:
        """The model goes, by a reload or at the end. Release what `load` took."""

    def configure(self, config: Config) -> None:
        """Live values have changed: `config` has the new ones, `self.config` still the old ones.

        On the physics thread, between two steps. A ConfigError refuses: `self.config` stays.
        """

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """The model is another one, and the plugin stays: ids and addresses in it are new.

        Overriding this says that the plugin can stay where its configuration is as before; one
        that does not is unloaded, and made and loaded anew. What it found in the model it has to
        find again; state, publishers, services and followers go on. A `reset` follows where the
        time starts again too. What it raises takes the plugin out.
        """

    def save(self) -> Any:
        """What `restore` needs, as a value of its own that pickle takes; by default, the state.

        On the physics thread, between two steps.
        """
        return None if self.state is None else self.state.copy()

    def restore(self, saved: Any) -> None:
        """The simulation goes on from a moment in which `save` returned this.

        On the physics thread, between two steps; the data are those of that moment already.
        """
        if self.state is not None and saved is not None:
            for name in self.state.dtype.names or ():
                self.state[name] = saved[name]

    def control_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Set `data.ctrl`, `qfrc_applied` or `xfrc_applied`.

        In every step and every forward pass of a paused server, as often as the integrator
        evaluates the forces: RK4 four times a step.
        """

    def passive_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Add to `data.qfrc_passive`; as often as `control_callback`, and before it."""

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """At the very end of each full step."""

    def render_callback(
        self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene
    ) -> None:
        """Add geoms to `scene` (arrows, traces, labels) each time an image is made.

        On the render thread, beside the physics: `data` is a copy of the moment that is drawn, to
        be read. The geoms show in colour images, not in depth and segmentation.
        """


class CompiledCallback:
    """A function that the server compiles; called from Python it runs as Python."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __call__(self, state: Any, *arguments: Any) -> None:
        """Runs it uncompiled."""
        self.function(state, *arguments)


def compiled(function: Function) -> Function:
    """Marks a callback to be compiled by numba and called from the physics loop without the GIL.

    Its first parameter is the plugin's `state` record in place of `self`:

        @compiled
        def control_callback(state, model, data):
            data.ctrl[0] = -state.gain * data.qvel[0]

    It may use the attributes of `MjModel` and `MjData`, libmujoco's functions by their usual
    names, and what numba compiles. An exception that it raises takes the plugin out.
    """
    return CompiledCallback(function)  # type: ignore[return-value]


__all__ = ['CompiledCallback', 'MujocoPlugin', 'State', 'compiled', 'new_state']
