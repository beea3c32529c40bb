"""A simulation with its plugins, without ROS, for tests, notebooks and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import is_dataclass
from typing import Any, TypeVar

import mujoco
import numpy as np

from ..config import SessionConfig, changed_live, read
from ..config.wording import unknown
from ..errors import ConfigError, PluginError
from ..plugins import MujocoPlugin
from ..simulation import Edit, InitialState, LatenessMeter, Loan, SavedState, Snapshot, Status
from .assembly import Assembly
from .content import GivenContent, PluginList, entity_source, initial_state
from .world import Entity, Spawn

Result = TypeVar('Result')

_DEFAULTS = {
    'unpause': False,
    'realtime': -1.0,
    'model_guard': False,
    'render_offscreen': False,
    'update_in_pause': False,
}
"""The defaults of a session, which a program steps; the server's defaults differ."""
_MODEL_NAMES = {'modelfile', 'mujoco_xml'}


class Session:
    """Runs a model with plugins on a separate physics thread, like the server.

    A session starts paused, and steps as fast as possible on request. All methods wait until the
    requested action is done. Any thread except the physics thread may call them. Several sessions
    in one process are independent of each other::

        with Session('robot.xml', plugins=[{'type': 'my_robot/Controller'}]) as session:
            session.step(100)
            print(session.snapshot().data.qpos)
    """

    def __init__(
        self,
        model: Any = None,
        plugins: PluginList = (),
        *,
        positions: Mapping[str, Any] | None = None,
        velocities: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Compiles the model and loads the plugins.

        `model` is a path or a URI, as in the parameter `modelfile`, or an `mjcf.RootElement`, a
        `mujoco.MjSpec` or a `mujoco.MjModel`. `plugins` has the form of `MujocoPlugins`, but can
        also contain classes instead of types. `positions` and `velocities` are the initial joint
        states by joint name. `options` are the fields of `SessionConfig`.

        Raises ConfigError, ModelError and, with `strict`, PluginError.
        """
        if model is not None and (twice := _MODEL_NAMES & options.keys()):
            raise ConfigError(f'model and {min(twice)} cannot be given together')
        config = read(SessionConfig, {**_DEFAULTS, **options})
        state = initial_state(positions, velocities)
        self._content = GivenContent(config=config).changed(model, plugins, state)
        self._assembly = Assembly(self._content)
        self._simulation = self._assembly.simulation
        try:
            self._assembly.start().result()
        except BaseException:
            self.close()
            raise

    def step(self, count: int = 1) -> None:
        """Makes `count` steps. Raises SimulationError unless the session is paused."""
        self._simulation.step(count).result()

    def reset(self, keyframe: str | None = None) -> None:
        """Resets the data and every plugin; the session stays paused or running.

        If `keyframe` names a keyframe of the model, the data start with its state and time instead
        of the initial joint states. Raises SimulationError for an unknown keyframe.
        """
        self._simulation.reset(keyframe).result()

    def lend(self) -> Loan:
        """Returns a loan, with which the calling thread makes fast single steps; see `Loan`."""
        return self._simulation.lend()

    def reload(
        self,
        model: Any = None,
        plugins: PluginList | None = None,
        *,
        positions: Mapping[str, Any] | None = None,
        velocities: Mapping[str, Any] | None = None,
    ) -> list[str]:
        """Loads the model and the plugins again; given arguments replace the current values.

        Returns the number of ready plugins, and why the others are not ready. Raises the same
        errors as the constructor; on an error the running simulation stays unchanged.
        """
        given = positions is not None or velocities is not None
        state = initial_state(positions, velocities) if given else None
        return self._use(model, plugins, state, self._assembly.reload)

    def change(self, model: Any = None, plugins: PluginList | None = None) -> list[str]:
        """Switches to another model or other plugins; elements of both models keep their state.

        The time, the step count and the pause state continue. Bodies, joints, actuators and other
        elements that both models have, matched by name, keep positions, velocities, controls and
        everything else that the next step depends on. New elements start as after a reset. Plugins
        that override `adapt` and whose configuration is unchanged are notified of the new model
        and stay. All others are unloaded, and loaded again with the current data.

        Returns the number of ready plugins, and why the others are not ready. Raises the same
        errors as the constructor; on an error the running simulation stays unchanged.
        """
        return self._use(model, plugins, None, self._assembly.change)

    def spawn(
        self,
        model: Any,
        name: str = '',
        *,
        position: Sequence[float] | None = None,
        orientation: Sequence[float] | None = None,
        plugins: PluginList = (),
        namespace: str = '',
        renaming: bool = False,
    ) -> Entity:
        """Adds an entity to the running world, as `change` does, and returns the entity.

        `model` is any model that `Session` accepts, or MJCF or URDF text. It must have a single
        top-level body. Its elements get the prefix ``<name>/``. `name` defaults to the name of the
        model. With `renaming`, a number is appended to a name that is taken. The body is placed in
        the world at `position`, in m, and `orientation`, a quaternion with w first; both default
        to the pose in the model. `plugins` are loaded as a group with the prefix and the
        `namespace`, which defaults to the name.

        Raises EntityError, ConfigError, ModelError and, with `strict`, PluginError; on an error
        the world stays unchanged.
        """
        spawn = Spawn(
            source=entity_source(model, self._content.config),
            name=name,
            renaming=renaming,
            namespace=namespace,
            position=position,
            orientation=orientation,
            plugins=plugins,
        )
        (entity,) = self._assembly.spawn([spawn]).result()
        return entity

    def delete(self, *names: str) -> None:
        """Removes entities and everything that belongs to them from the world, as `change` does.

        Raises EntityError if one of them does not exist; no entity is removed then.
        """
        self._assembly.delete(names).result()

    @property
    def entities(self) -> list[Entity]:
        """The named top-level bodies of the model, and the spawned entities."""
        return self._assembly.world.entities

    def _use(
        self,
        model: Any,
        plugins: PluginList | None,
        state: InitialState | None,
        load: Callable[[Callable[[], Callable[[], None]]], Future[list[str]]],
    ) -> list[str]:
        """Loads other content, or returns to the old content on failure.

        The content changes only when the load begins: requests of other threads before that use
        the old content.
        """

        def prepare() -> Callable[[], None]:
            before = self._content
            use(before.changed(model, plugins, state))
            return lambda: use(before)

        def use(content: GivenContent) -> None:
            self._assembly.content = self._content = content

        return load(prepare).result()

    def configure(self, plugin: str, **values: Any) -> None:
        """Sets live values of a plugin's configuration, like setting the plugin's ROS parameters.

        A mapping for a field that is a dataclass changes only the named fields. Raises ConfigError
        if the plugin is not ready, if a value can change only with a reload, or if the plugin
        refuses the values. Raises PluginError if the plugin fails.
        """
        hosted = next((each for each in self._assembly.host.plugins if each.name == plugin), None)
        if hosted is None or hosted.plugin is None or not hosted.ready:
            raise ConfigError(unknown('plugin', plugin, self.plugins))
        if not is_dataclass(config := hosted.plugin.config):
            raise ConfigError(f'plugin {plugin!r}: its configuration is not a dataclass')
        made = changed_live(config, values, plugin)
        if refused := self._assembly.configure(hosted, made).result():
            raise refused
        if not hosted.ready:
            raise PluginError(hosted.reason)

    def set_paused(self, paused: bool) -> None:
        """Pauses the session, or runs it at the speed that `realtime` sets."""
        self._simulation.set_paused(paused).result()

    def save(self) -> SavedState:
        """Saves the complete current state, including the saved data of each plugin."""
        return self._simulation.save().result()

    def restore(self, saved: SavedState) -> list[str]:
        """Restores a saved state; returns messages about plugins that are unmatched or fail.

        A plugin is unmatched if it has no part in the saved state, or if it is in the saved state
        but not in the session. Raises SimulationError if the state belongs to another model.
        """
        return self._simulation.restore(saved).result()

    def call(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Result:
        """Calls `function(model, data)` on the physics thread between two steps."""
        return self._simulation.submit(function).result()

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Edit:
        """Calls `change(model, data, edit)` between two steps, and updates all dependent values.

        Recomputes poses and forces, and calls `Adaptable.model_changed` of the plugins for each
        change of the model recorded with `edit.changed`.
        """
        return self._simulation.edit(change).result()

    def snapshot(self) -> Snapshot:
        """Returns a copy of the current data, which later steps do not change."""
        return self._simulation.snapshot().result()

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns the forces that passive callbacks added last; None if no plugin has one."""
        return self._simulation.passive_forces()

    @property
    def time(self) -> float:
        """The simulation time of the latest step, in seconds."""
        return self._simulation.time

    @property
    def ros_time(self) -> float:
        """The ROS time of the latest step in seconds, as in stamps; see `time_after_reset`."""
        return self._simulation.ros_time

    @property
    def status(self) -> Status:
        """The current status of the simulation."""
        return self._simulation.status()

    def lateness_meter(self) -> LatenessMeter:
        """Returns a meter of how late steps begin while the session runs by itself."""
        return self._simulation.lateness_meter()

    @property
    def plugins(self) -> dict[str, MujocoPlugin[Any]]:
        """The ready plugins by name, in load order."""
        ready = (hosted for hosted in self._assembly.host.plugins if hosted.ready)
        return {hosted.name: hosted.plugin for hosted in ready if hosted.plugin is not None}

    @property
    def problems(self) -> list[str]:
        """A message for each plugin that is not ready, with the reason."""
        return self._assembly.host.refusals

    def close(self) -> None:
        """Unloads the plugins and ends all threads. Calling it again does nothing."""
        self._assembly.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
