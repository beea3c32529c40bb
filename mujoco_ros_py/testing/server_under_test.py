"""The server object of a test: it steps, reads, waits, saves, and records its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco

from ..config.wording import unknown
from ..errors import ConditionError, ConfigError, MujocoRosError, PluginError, SimulationError
from ..simulation import SavedState, check_steps
from .backend import Backend, ControlOwners
from .derived_values import Derivation, Numbers, Sample
from .impairment import impairing
from .recorder import Recorder, plain
from .recording import write_recording
from .server_options import ServerOptions
from .state import State
from .state_places import StatePlaces, Values, Write


class ServerUnderTest:
    """A server that steps only on request; `serve` and the fixtures create it.

    Each method returns when its work is done, and returns the resulting state. A refused command
    changes nothing. If the server is strict, a command raises PluginError if a plugin fails.
    """

    def __init__(self, backend: Backend, options: ServerOptions) -> None:
        self.backend = backend
        """A session in this process (`SessionBackend`) or a server process (`ProcessBackend`)."""
        self.options = options
        """The start options."""
        self._recorder = Recorder(options.recording_s, backend.save)
        self._adopt()

    def _adopt(self) -> None:
        """Prepares to read states of the newly loaded model, and starts a recording."""
        self._recorder.configured = {}
        self._read_from(self.backend.model)
        self._state = self._made(self.backend.step(0, ()))
        self._begin(None)

    def _read_from(self, model: mujoco.MjModel) -> None:
        self._places = StatePlaces(model)
        self._derivation = Derivation(model)
        self._owners = ControlOwners(self.backend, self._places.names('actuator'))

    def _begin(self, start: SavedState | None) -> None:
        self._recorder.begin(start, self.backend.model.opt.timestep, self._places.size)

    @property
    def model(self) -> mujoco.MjModel:
        """The model. Do not change it: changes may not reach the server."""
        return self.backend.model

    @property
    def state(self) -> State:
        """The state after the last command."""
        return self._state

    @property
    def time(self) -> float:
        """The simulation time in seconds after the last command."""
        return self._state.time

    @property
    def domain_id(self) -> int | None:
        """The ROS domain (`ROS_DOMAIN_ID`) of a server process; None for a session."""
        return self.backend.domain_id

    @property
    def problems(self) -> list[str]:
        """A message for each plugin that is not ready, with the reason."""
        return self.backend.problems()

    @property
    def log(self) -> str:
        """The server's log."""
        return self.backend.log()

    def step(self, count: int = 1, ctrl: Values | None = None) -> State:
        """Sets controls, runs `count` steps, and returns the resulting state, in one round trip.

        `ctrl` maps actuator names to numbers, or has all controls in the model's order. Controls
        keep their values until they are set again. Raises ConfigError for unknown actuators and
        values that are not finite numbers, and SimulationError if the simulation stops.
        """
        check_steps(count)
        writes: Sequence[Write] = ()
        command, arguments = '', _NOTHING
        if ctrl is not None:
            writes = self._places.writes(ctrl=ctrl)
            self._owners.check(ctrl)
            command, arguments = 'step', {'ctrl': _kept(ctrl)}
        try:
            sample = self.backend.step(count, writes)
        except MujocoRosError as error:
            self._recorder.failed(command, arguments, count, error)
            raise
        if self.backend.model is not self._places.model:
            return self._changed(sample)
        self._state = state = State(sample, self._places, self._derivation)
        self._recorder.add(command, arguments, count, sample.values)
        return state

    def set(
        self,
        *,
        qpos: Values | None = None,
        qvel: Values | None = None,
        ctrl: Values | None = None,
        mocap: Mapping[str, Any] | None = None,
    ) -> State:
        """Sets positions and velocities of joints, controls of actuators, poses of mocap bodies.

        Each argument maps names to values. `qpos`, `qvel` and `ctrl` can instead be an array of
        all numbers in the model's order. A mocap pose is x y z, or x y z followed by w x y z.
        Raises ConfigError, and sets nothing, for an unknown name, a wrong number of values, and
        the control of an actuator that a plugin drives.
        """
        given: dict[str, Any] = {'qpos': qpos, 'qvel': qvel, 'ctrl': ctrl, 'mocap': mocap}
        arguments = {name: value for name, value in given.items() if value is not None}
        writes = self._places.writes(**arguments)
        if ctrl is not None:
            self._owners.check(ctrl)
        sample = self.backend.step(0, writes)
        return self._recorded('set', deepcopy(arguments), sample)

    def reset(self, keyframe: str | None = None) -> State:
        """Resets the data to the initial state or a keyframe, and resets every plugin.

        Raises SimulationError for an unknown keyframe.
        """
        sample = self.backend.reset(keyframe)
        return self._recorded('reset', {'keyframe': keyframe}, sample)

    def wait_until(
        self, condition: Callable[[State], object], timeout_s: float, *, every: int = 1
    ) -> State:
        """Steps until `condition(state)` is true, and returns that state.

        The condition is checked with the current state, and then after every `every` steps. The
        timeout is in seconds of simulated time. Raises ConditionError, with the last state, if the
        time runs out.
        """
        __tracebackhide__ = True
        begin, state = self._state.time, self._state
        while not condition(state):
            if state.time - begin >= timeout_s - _ROUNDING * self.backend.model.opt.timestep:
                raise ConditionError(
                    f'{_named(condition)} was not true within {timeout_s:g} s of simulated time'
                    f' (from {begin:.6g} s to {state.time:.6g} s); the last state: {state}'
                )
            state = self.step(every)
        return state

    def save(self) -> SavedState:
        """Saves the full state, including the state of each plugin."""
        return self.backend.save()

    def restore(self, saved: SavedState) -> State:
        """Restores a saved state.

        Raises SimulationError for a state of another model and, if the server is strict, for
        plugins that could not be restored.
        """
        sample, problems = self.backend.restore(saved)
        self._state = self._made(sample)
        self._begin(saved)
        if problems and self.options.strict:
            raise SimulationError(f'restored, but strict is true: {"; ".join(problems)}')
        return self._state

    def reload(self, **changes: Any) -> State:
        """Reloads the server with a new `model`, `plugins`, `positions` or `velocities`.

        Raises the same errors as a start; the running simulation is then unchanged.
        """
        if strange := changes.keys() - set(_RELOADED):
            raise ConfigError(unknown('argument of reload', min(strange), _RELOADED))
        self.backend.reload(changes)
        self.options = replace(self.options, **changes)
        self._adopt()
        return self._state

    def configure(self, plugin: str, **values: Any) -> State:
        """Sets live values of a plugin. Raises ConfigError if the plugin refuses them."""
        sample = self.backend.configure(plugin, values)
        self._recorder.configured.setdefault(plugin, {}).update(values)
        arguments = {'plugin': plugin, 'values': values}
        return self._recorded('configure', arguments, sample)

    def impair(self, **effects: Mapping[str, Any]) -> AbstractContextManager[State]:
        """Returns a context manager: messages are delayed, dropped or repeated while it is active.

        Arguments are effects of the plugin Imperfections, with values by target: the name of a
        plugin (the commands that it receives) or a topic::

            with server.impair(latency={'arm': 0.010}, drop={'/joint_states': 0.1}):
                server.step(500)

        The list of plugins must contain Imperfections. Raises ConfigError for wrong effects and
        targets, and for a session, which has no messages.
        """
        return impairing(self, effects)

    def command(self, plugin: str, topic: str = '', /, **fields: Any) -> State:
        """Passes a command to a plugin like a message on its topic; it applies from the next step.

        Plugins with `take_command`, such as all built-in controllers, need no topic and no ROS.
        With a topic, a server process passes a message with these fields to the plugin's
        subscription::

            server.command('base', linear_x=0.4)
            server.command('arm', points=[{'positions': [0.5, 0.3], 'time_from_start': 1.0}])
            server.command('my_plugin', '~/target', data=0.7)

        Raises ConfigError for an unknown plugin, topic or field, and for a command that the plugin
        refuses, and PluginError if the plugin fails.
        """
        arguments = {'plugin': plugin, 'topic': topic, 'fields': plain(fields)}
        try:
            sample = self.backend.command(**arguments)
        except PluginError as error:
            self._recorder.failed('command', arguments, 0, error)
            raise
        return self._recorded('command', arguments, sample)

    def set_state(self, values: Numbers) -> State:
        """Writes MuJoCo's full integration state, in the layout of `state.sample.values`."""
        sample = self.backend.set_state(values)
        return self._recorded('set_state', {'values': values}, sample)

    def record_from_here(self) -> None:
        """Drops the recording so far, and starts a new one; done before each test."""
        self._begin(self.backend.save())

    def write_recording(self, folder: Path, **about: object) -> Path:
        """Writes the recording to a folder, and returns the folder."""
        return write_recording(
            folder, self._recorder, self.backend.model, self.options, self.log, **about
        )

    def close(self) -> None:
        """Ends the server; closing it again has no effect."""
        self.backend.close()

    def __enter__(self) -> ServerUnderTest:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _changed(self, sample: Sample) -> State:
        """Switches to a model that the server has reloaded; restarts the recording."""
        self._read_from(self.backend.model)
        self._state = self._made(sample)
        self._begin(self.backend.save())
        return self._state

    def _made(self, sample: Sample) -> State:
        return State(sample, self._places, self._derivation)

    def _recorded(self, command: str, arguments: Mapping[str, object], sample: Sample) -> State:
        if self.backend.model is not self._places.model:
            return self._changed(sample)
        self._state = self._made(sample)
        self._recorder.add(command, arguments, 0, sample.values)
        return self._state


_NOTHING: Mapping[str, Any] = {}
_RELOADED = 'model', 'plugins', 'positions', 'velocities'
_ROUNDING = 1e-3
"""The tolerance for rounding errors in the simulation time, as a fraction of a timestep."""


def _kept(values: Values) -> Values:
    """Returns a copy that later changes of the caller's values do not affect."""
    # `dict.copy` takes a third of the time of `copy`.
    return values.copy() if type(values) is dict else copy(values)


def _named(condition: Callable[[State], object]) -> str:
    """Returns a condition's name and location: ``condition <lambda> (test_arm.py:12)``."""
    code = getattr(condition, '__code__', None)
    name = getattr(condition, '__qualname__', type(condition).__name__).rpartition('.')[2]
    if code is None:
        return f'condition {name}'
    return f'condition {name} ({Path(code.co_filename).name}:{code.co_firstlineno})'
