"""A simulation with its plugins, without ROS, for tests, notebooks and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import is_dataclass
from types import TracebackType
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
"""The defaults of a session that a program steps; a server has others."""
_MODEL_NAMES = {'modelfile', 'mujoco_xml'}


class Session:
    """Runs a model with plugins on a physics thread of its own, as the server does.

    It begins paused, and steps as fast as possible when it is told to. All methods wait until
    what they ask for is done, and may be called from any thread but the physics thread. Several
    sessions in one process do not hear each other::

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

        `model` is a path or a URI, as for the parameter `modelfile`, or an `mjcf.RootElement`, a
        `mujoco.MjSpec` or a `mujoco.MjModel`. `plugins` has the form of `MujocoPlugins`; a class
        may stand in place of a type. `positions` and `velocities` are the initial joint states, by
        the name of the joint. `options` are those of `SessionConfig`.

        Raises ConfigError, ModelError and, where `strict` is true, PluginError.
        """
        if model is not None and (twice := _MODEL_NAMES & options.keys()):
            raise ConfigError(f'the model is given twice: by itself, and as {min(twice)}')
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
        """Puts the data back to the start, and tells every plugin; the pause state is kept.

        With the name of a keyframe of the model the data begin with its state and its time,
        instead of the initial joint states. Raises SimulationError for one that is not there.
        """
        self._simulation.reset(keyframe).result()

    def lend(self) -> Loan:
        """Lends the steps to the thread that asks, for many single steps in Python: see `Loan`."""
        return self._simulation.lend()

    def reload(
        self,
        model: Any = None,
        plugins: PluginList | None = None,
        *,
        positions: Mapping[str, Any] | None = None,
        velocities: Mapping[str, Any] | None = None,
    ) -> list[str]:
        """Loads model and plugins anew; what is given replaces what was there.

        Returns how many plugins are ready and why the others are not. Raises what the constructor
        raises; what runs then goes on untouched.
        """
        given = positions is not None or velocities is not None
        state = initial_state(positions, velocities) if given else None
        return self._use(model, plugins, state, self._assembly.reload)

    def change(self, model: Any = None, plugins: PluginList | None = None) -> list[str]:
        """Goes on with another model or other plugins: what there was keeps its state.

        The time, the count of steps and the pause go on. Bodies, joints, actuators and so on that
        both models have, by their names, keep positions, velocities, controls and all else that
        the next step depends on. What is new begins as after a reset. Plugins that override
        `adapt`, and whose configuration is as before, are told of the new model and go on; the
        others are unloaded, and loaded with the data as they are.

        Returns how many plugins are ready and why the others are not. Raises what the constructor
        raises; what runs then goes on untouched.
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
        """Adds an entity to the world, which goes on as with `change`; returns it.

        `model` is what `Session` takes, or the text of MJCF or URDF; it has one top-level body.
        Its elements get the prefix ``<name>/``; without a name, the entity has that of its model.
        With `renaming`, a number is added to a name that is taken. The body is put at `position`
        in m and `orientation`, a quaternion with w first, in the world; by default it is where its
        model has it. `plugins` are loaded as a group with the prefix and the `namespace`, by
        default that of the name.

        Raises EntityError, ConfigError, ModelError and, where `strict` is true, PluginError; the
        world goes on untouched then.
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
        """Removes entities from the world with all that belongs to them, as with `change`.

        Raises EntityError where one of them is not there; nothing is removed then.
        """
        self._assembly.delete(names).result()

    @property
    def entities(self) -> list[Entity]:
        """The top-level bodies of the model that have names, and what was spawned."""
        return self._assembly.world.entities

    def _use(
        self,
        model: Any,
        plugins: PluginList | None,
        state: InitialState | None,
        load: Callable[[Callable[[], Callable[[], None]]], Future[list[str]]],
    ) -> list[str]:
        """Loads other content, or goes on with the old content if it cannot be loaded.

        The content changes as the load begins: what other threads ask for before that finds the
        old one.
        """

        def prepare() -> Callable[[], None]:
            before = self._content
            use(before.changed(model, plugins, state))
            return lambda: use(before)

        def use(content: GivenContent) -> None:
            self._assembly.content = self._content = content

        return load(prepare).result()

    def configure(self, plugin: str, **values: Any) -> None:
        """Sets live values of a plugin's configuration, as ROS sets the plugin's parameters.

        A mapping changes the fields that it names in a dataclass. Raises ConfigError for a plugin
        that is not ready, for values that only a reload can change, and for those that the plugin
        refuses; PluginError if the plugin fails over them.
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
        """Pauses the session, or has it run by itself at the factor `realtime`."""
        self._simulation.set_paused(paused).result()

    def save(self) -> SavedState:
        """Saves the whole state of this moment, with that of each plugin."""
        return self._simulation.save().result()

    def restore(self, saved: SavedState) -> list[str]:
        """Goes on from a saved state; returns which plugins had no part in it, are gone or fail.

        Raises SimulationError for the state of another model.
        """
        return self._simulation.restore(saved).result()

    def call(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Result:
        """Calls `function(model, data)` on the physics thread between two steps."""
        return self._simulation.submit(function).result()

    def edit(self, change: Callable[[mujoco.MjModel, mujoco.MjData, Edit], None]) -> Edit:
        """Calls `change(model, data, edit)` between two steps, and has all else follow from it.

        Poses and forces are computed anew, and `MujocoPlugin.model_changed` of the plugins is
        called for each change of the model that `edit.changed` has noted.
        """
        return self._simulation.edit(change).result()

    def snapshot(self) -> Snapshot:
        """Copies the data of this moment; the copy stays as it is."""
        return self._simulation.snapshot().result()

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns the forces that passive callbacks added last; None without such callbacks."""
        return self._simulation.passive_forces()

    @property
    def time(self) -> float:
        """The simulation time of the newest step in seconds."""
        return self._simulation.time

    @property
    def ros_time(self) -> float:
        """The time of the stamps of the newest step in seconds; see `time_after_reset`."""
        return self._simulation.ros_time

    @property
    def status(self) -> Status:
        """The status of the simulation at this moment."""
        return self._simulation.status()

    def lateness_meter(self) -> LatenessMeter:
        """Makes a meter that tells how late steps begin, while the session runs by itself."""
        return self._simulation.lateness_meter()

    @property
    def plugins(self) -> dict[str, MujocoPlugin[Any]]:
        """The plugins that are ready, by name, in load order."""
        ready = (hosted for hosted in self._assembly.host.plugins if hosted.ready)
        return {hosted.name: hosted.plugin for hosted in ready if hosted.plugin is not None}

    @property
    def problems(self) -> list[str]:
        """A sentence for each plugin that is not ready, with the reason."""
        return self._assembly.host.refusals

    def close(self) -> None:
        """Unloads the plugins and ends all threads; a second call does nothing."""
        self._assembly.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
