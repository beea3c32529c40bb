"""The server of a test: steps, reads, waits, saves, and records what it is told to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import mujoco

from ..config.wording import unknown
from ..errors import ConditionError, ConfigError, MujocoRosError, PluginError, SimulationError
from ..simulation import SavedState, check_steps
from .backend import Backend, ControlOwners
from .derived_values import Derivation, Numbers, Sample
from .recorder import Recorder, plain
from .recording import write_recording
from .server_options import ServerOptions
from .state import State
from .state_places import StatePlaces, Values, Write


class ServerUnderTest:
    """A server that stands still unless it is told to step; `serve` and the fixtures make it.

    All of its methods return when their work is done, and the state that they return is that of
    the moment then. What is refused changes nothing. If the server is strict, a command in which
    a plugin fails raises PluginError.
    """

    def __init__(self, backend: Backend, options: ServerOptions) -> None:
        self.backend = backend
        """The session in this process (`SessionBackend`) or the process (`ProcessBackend`)."""
        self.options = options
        """What the server was started with."""
        self._recorder = Recorder(options.recording_s, backend.save)
        self._adopt()

    def _adopt(self) -> None:
        """Prepares the reading of states of the model that runs now."""
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
        """The model; a test reads it, as what is changed in it may not reach the server."""
        return self.backend.model

    @property
    def state(self) -> State:
        """The state after the last command."""
        return self._state

    @property
    def time(self) -> float:
        """The simulation time after the last command in seconds."""
        return self._state.time

    @property
    def domain_id(self) -> int | None:
        """The ROS domain of a server in a process, for `ROS_DOMAIN_ID` of a robot's nodes."""
        return self.backend.domain_id

    @property
    def problems(self) -> list[str]:
        """A sentence for each plugin that is not ready, with the reason."""
        return self.backend.problems()

    @property
    def log(self) -> str:
        """All that the server has logged."""
        return self.backend.log()

    def step(self, count: int = 1, ctrl: Values | None = None) -> State:
        """Sets controls, makes steps and returns the state after them, in one round trip.

        `ctrl` has numbers by the name of the actuator, or all of them in the model's order; they
        stay until they are set again. Raises ConfigError for what is unknown or no number, and
        SimulationError if the simulation stops.
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

        Each is given by name; the first three may be all numbers in the model's order instead. A
        pose is x y z, or x y z and then w x y z. Raises ConfigError, and sets nothing, for what is
        unknown or has a wrong number of values, and for the control of an actuator that a plugin
        drives.
        """
        given: dict[str, Any] = {'qpos': qpos, 'qvel': qvel, 'ctrl': ctrl, 'mocap': mocap}
        arguments = {name: value for name, value in given.items() if value is not None}
        writes = self._places.writes(**arguments)
        if ctrl is not None:
            self._owners.check(ctrl)
        sample = self.backend.step(0, writes)
        return self._recorded('set', deepcopy(arguments), sample)

    def reset(self, keyframe: str | None = None) -> State:
        """Puts the data back to the start, or to a keyframe of the model, and tells every plugin.

        Raises SimulationError for a keyframe that is not there.
        """
        sample = self.backend.reset(keyframe)
        return self._recorded('reset', {'keyframe': keyframe}, sample)

    def wait_until(
        self, condition: Callable[[State], object], timeout_s: float, *, every: int = 1
    ) -> State:
        """Steps until the condition is true, and returns the state that it is true of.

        The condition gets the present state first, and then that after every so many steps. The
        timeout is in seconds of simulated time. Raises ConditionError, which tells the last state.
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
        """Saves the whole state, with the part of each plugin."""
        return self.backend.save()

    def restore(self, saved: SavedState) -> State:
        """Goes on from a saved state.

        Raises SimulationError for the state of another model, and if the server is strict, also
        for plugins that have no part in it.
        """
        sample, problems = self.backend.restore(saved)
        self._state = self._made(sample)
        self._begin(saved)
        if problems and self.options.strict:
            raise SimulationError(f'restored, but strict is true: {"; ".join(problems)}')
        return self._state

    def reload(self, **changes: Any) -> State:
        """Loads model and plugins anew; `model`, `plugins`, `positions`, `velocities` may change.

        Raises what the start raises; what runs then goes on untouched.
        """
        if strange := changes.keys() - set(_RELOADED):
            raise ConfigError(unknown('argument of reload', min(strange), _RELOADED))
        self.backend.reload(changes)
        self.options = replace(self.options, **changes)
        self._adopt()
        return self._state

    def configure(self, plugin: str, **values: Any) -> State:
        """Sets live values of a plugin's configuration. Raises ConfigError if it refuses them."""
        sample = self.backend.configure(plugin, values)
        self._recorder.configured.setdefault(plugin, {}).update(values)
        arguments = {'plugin': plugin, 'values': values}
        return self._recorded('configure', arguments, sample)

    def command(self, plugin: str, topic: str = '', /, **fields: Any) -> State:
        """Gives a plugin a command, as a message on its topic does; it acts from the next step on.

        Plugins with `take_command`, as all controllers that ship, need no topic and no ROS. With
        a topic, in a process, a message with these fields goes to the plugin's subscription::

            server.command('base', linear_x=0.4)
            server.command('arm', points=[{'positions': [0.5, 0.3], 'time_from_start': 1.0}])
            server.command('my_plugin', '~/target', data=0.7)

        Raises ConfigError for an unknown plugin, topic or field, and for a command that the plugin
        refuses; PluginError if the plugin fails over it.
        """
        arguments = {'plugin': plugin, 'topic': topic, 'fields': plain(fields)}
        try:
            sample = self.backend.command(**arguments)
        except PluginError as error:
            self._recorder.failed('command', arguments, 0, error)
            raise
        return self._recorded('command', arguments, sample)

    def set_state(self, values: Numbers) -> State:
        """Writes MuJoCo's whole integration state, as `state.sample.values` has it."""
        sample = self.backend.set_state(values)
        return self._recorded('set_state', {'values': values}, sample)

    def record_from_here(self) -> None:
        """Forgets the recording up to here, as at the beginning of a test."""
        self._begin(self.backend.save())

    def write_recording(self, folder: Path, **about: object) -> Path:
        """Writes what was recorded into a folder, and returns the folder."""
        return write_recording(
            folder, self._recorder, self.backend.model, self.options, self.log, **about
        )

    def close(self) -> None:
        """Ends the server; a second call does nothing."""
        self.backend.close()

    def __enter__(self) -> ServerUnderTest:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _changed(self, sample: Sample) -> State:
        """Goes on with a model that has changed while it runs; the recording begins anew."""
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
"""The part of a timestep by which the sum of steps may miss a time."""


def _kept(values: Values) -> Values:
    """Returns a copy, which stays as it is whatever becomes of the values."""
    return values.copy() if type(values) is dict else copy(values)  # most are: in a third


def _named(condition: Callable[[State], object]) -> str:
    """Returns the name and the place of a condition: ``condition <lambda> (test_arm.py:12)``."""
    code = getattr(condition, '__code__', None)
    name = getattr(condition, '__qualname__', type(condition).__name__).rpartition('.')[2]
    if code is None:
        return f'condition {name}'
    return f'condition {name} ({Path(code.co_filename).name}:{code.co_firstlineno})'
