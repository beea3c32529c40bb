"""The contract of plugins: their base class, and the decorator of compiled callbacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import mujoco
import numpy as np

from ..engine import State, copy_state, new_state, restore_state
from ..simulation import ModelChange, check_alike, check_places

if TYPE_CHECKING:
    from rclpy.node import Node
    from typing_extensions import TypeVar as TypeVarWithDefault

    from .environment import Environment
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
    marked `@compiled`.
    """

    name: str = ''
    """The name in the configuration, unique in the server; it is set before `load`."""

    state: Any = None
    """The record that compiled callbacks read and write: `load` makes it with `new_state`.

    For type checkers a plugin may annotate it by a Protocol with the fields.
    """

    places: ClassVar[Sequence[str]] = ()
    """The fields of the record that tell places in the arrays of the model or of the data, those
    of its rows as `rows.joint`: a saved state from outside must have the present ones."""

    take_command: ClassVar[Callable[..., None] | None] = None
    """Takes a command as a message on the plugin's topic does; None: it has no such method.

    Define it as a method ``take_command(self, model, data, /, *, <fields of the message>)`` to
    take commands from tests, also without ROS. It is called on the physics thread, between two
    steps. ConfigError, TypeError and ValueError refuse the command; any other exception takes the
    plugin out."""

    def __init__(self, config: Config, node: Node, environment: Environment) -> None:
        """Keep the arguments, and do nothing else yet; any thread may call this.

        `config` is the plugin's struct without `type` and `name`, or the dataclass made of it.
        """
        self.config = config
        self.node = node
        self.environment = environment

    @property
    def driven_actuators(self) -> Collection[str]:
        """The names, in the model, of the actuators whose controls the plugin sets in each step.

        A test must not set these controls, as it would have no effect.
        """
        return ()

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

    def configure(self, config: Config) -> None:
        """Use new live values: `config` has the new ones, and `self.config` still the old ones.

        This is called on the physics thread, between two steps. If it raises ConfigError,
        `self.config` stays as it is. After `restore` it is called with the present values, which
        may not be those of the restored state.
        """

    def check_live(self, config: Config) -> None:
        """Raise ConfigError to refuse new live values where they are set: the answer tells why.

        `config` has the new ones. Any thread may call this, while steps are made: change nothing,
        and leave model and data alone. What passes is given to `configure` later.
        """

    def adapt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Go on with another model, in which ids and addresses are new.

        A plugin that overrides this stays where its configuration is as before; any other is
        unloaded, and made and loaded anew. Look up again what `load` has found in the model; the
        state, topics, services, followers and views go on. A `reset` follows where the time starts
        again too. An exception takes the plugin out. A follower on another thread may still have a
        snapshot of the model before.
        """

    def model_changed(
        self, model: mujoco.MjModel, data: mujoco.MjData, change: ModelChange
    ) -> None:
        """Look again at what you have read in the model: values of one of its elements are others.

        This is called on the physics thread, between two steps, once for each element that a
        service has changed while the model runs: a body's mass, a geom, an equality constraint,
        the gravity, another option of the physics. Ids and addresses are as before. Poses have
        been computed anew; forces follow when all plugins have been told.
        """

    def save(self) -> Any:
        """Return what `restore` needs, as a copy that can be pickled; by default the state.

        This is called on the physics thread, between two steps.
        """
        return None if self.state is None else copy_state(self.state)

    def check_saved(self, saved: Any) -> None:
        """Raise ConfigError to refuse a saved part that came from outside: nothing is restored.

        This is called on the physics thread, between two steps, before `restore`. By default the
        part must have the structure of what `save` returns now: the same types, keys, lengths and
        shapes. In a record, the fields of `places` must be as they are.
        """
        now = self.save()
        check_alike(saved, now)
        if isinstance(now, np.record):
            check_places(saved, now, self.places)

    def restore(self, saved: Any) -> None:
        """Go on from the moment in which `save` returned this.

        This is called on the physics thread, between two steps. The data are those of that moment
        already. By default the values of the state are written back, but not the addresses in it:
        save what is in a `Memory` yourself.
        """
        if self.state is not None and saved is not None:
            restore_state(self.state, saved)

    def emergency_stop(self, model: mujoco.MjModel, data: mujoco.MjData, stopped: bool) -> None:
        """Stop what moves now, and heed no command until this is called with False.

        This is called on the physics thread, between two steps, for all plugins that override it;
        see `Environment.emergency_stop`. What drives joints holds them where they are.
        """

    def withdraw(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Take back what you have set in the data, as this plugin has failed.

        This is called on the physics thread, between two steps, after a fault on any thread. What
        you have last set would act for ever: set forces to 0, and controls to what holds still.
        Only `unload` follows.
        """

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
