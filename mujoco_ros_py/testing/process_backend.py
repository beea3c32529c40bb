"""A test server in a separate process, with ROS; each command is one round trip."""

from __future__ import annotations

import json
import pickle
import select
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import mujoco
import numpy as np

from .. import errors
from ..config import Entry, ServerConfig, parameters_of, read_plugins
from ..config.wording import shown, unknown
from ..engine.resources import local_path
from ..errors import ConfigError, EndedError, PluginError, SimulationError, TimeLimitError
from ..session import source_of, switch_on
from ..simulation import SavedState, compile_model
from .derived_values import Numbers, Sample
from .server_options import ServerOptions, is_text
from .server_process import ServerProcess
from .state_places import Write

_LOOK_S = 0.2
"""How often to check that the process is alive, in seconds."""
_DYING_S = 2.0
_CAUSE = 'mujoco_server: '
"""The prefix of the log line that gives the reason for a failed start."""
_PARAMETERS = {*parameters_of(ServerConfig), 'cam_config', 'qos_overrides'}


class ProcessBackend:
    """Starts the server process and sends requests to it.

    Raises PluginError if a strict server rejects a plugin, ConfigError if the server rejects
    anything else, and TimeLimitError if the server takes too long to start. The messages quote the
    end of the log.
    """

    def __init__(self, options: ServerOptions) -> None:
        self._stack = ExitStack()
        self._options = options
        self._number = 0
        switch_on(tuple(options.options.get('engine_plugins', ())), boundscheck=False)
        try:
            self._folder = Path(
                self._stack.enter_context(tempfile.TemporaryDirectory(prefix='mujoco_ros_py_'))
            )
            self._parameters = self._model_parameters(options.model)
            self.process = ServerProcess(
                self._folder, {**_still(options), **self._parameters}, _plugins(options.plugins)
            )
            self._stack.callback(self.process.close)
            self._model = self._loaded(options.start_timeout_s)
        except BaseException:
            self._stack.close()
            raise

    @property
    def model(self) -> mujoco.MjModel:
        """A copy of the running model in this process."""
        return self._model

    @property
    def domain_id(self) -> int | None:
        """The server's ROS domain."""
        return self.process.domain

    def step(self, count: int, writes: Sequence[Write]) -> Sample:
        """Applies the writes, steps the simulation, and returns the resulting state."""
        return self._sample(*self._ask('step', count=count, writes=writes))

    def reset(self, keyframe: str | None) -> Sample:
        """Resets the data to the initial state or to a keyframe."""
        return self._sample(*self._ask('reset', keyframe=keyframe))

    def reload(self, changes: Mapping[str, Any]) -> None:
        """Reloads everything through the server's service; `changes` may contain a new model."""
        if strange := changes.keys() - {'model'}:
            known = 'a server in a separate process can only be reloaded with a new model'
            raise ConfigError(f'{known}, got {min(strange)}')
        timeout_s = self._options.start_timeout_s
        before = dict(self._parameters)
        if 'model' in changes:
            self._set(self._model_parameters(changes['model']))
        try:
            self.process.command('call', 'reload', '--timeout', f'{timeout_s}')
        except SimulationError:
            self._set(before)
            raise
        self._model = self._loaded(timeout_s)

    def save(self) -> SavedState:
        """Saves the full state, including the plugins' states."""
        saved: SavedState = pickle.loads(self._ask('save')[1])
        return saved

    def restore(self, saved: SavedState) -> tuple[Sample, list[str]]:
        """Restores a saved state; returns a message for each plugin that it could not restore."""
        told, content = self._ask('restore', pickle.dumps(saved))
        return self._sample(told, content), told['problems']

    def configure(self, plugin: str, values: Mapping[str, object]) -> Sample:
        """Sets live values of a plugin through the server's parameters."""
        for name, value in values.items():
            self.process.command('set', f'{plugin}.{name}', json.dumps(value))
        return self.step(0, ())

    def command(self, plugin: str, topic: str, fields: Mapping[str, object]) -> Sample:
        """Passes a command directly to a plugin, without publishing it on the topic."""
        return self._sample(*self._ask('command', plugin=plugin, topic=topic, fields=fields))

    def actuator_owners(self) -> Mapping[str, str]:
        """Maps each driven actuator to the plugin that sets its control."""
        owners: Mapping[str, str] = self._ask('owners')[0]['owners']
        return owners

    def set_state(self, values: Numbers) -> Sample:
        """Writes MuJoCo's full integration state."""
        return self._sample(*self._ask('set_state', np.asarray(values, float).tobytes()))

    def problems(self) -> list[str]:
        """Returns a message for each plugin that has failed since the load."""
        return [_failed(name) for name in self._ask('step', count=0, writes=())[0]['gone']]

    def log(self) -> str:
        """Returns the server's output."""
        return self.process.log

    def close(self) -> None:
        """Ends the process; closing it again has no effect."""
        self._stack.close()

    def _model_parameters(self, model: Any) -> dict[str, str]:
        """Returns the parameters for a model; saves an in-memory model to a file first."""
        if is_text(model):
            return {'mujoco_xml': model, 'modelfile': ''}
        if model is None or isinstance(model, str | Path):
            return {'mujoco_xml': '', 'modelfile': str(model or '')}
        path = self._folder / 'model.mjb'
        mujoco.mj_saveModel(compile_model(source_of(model)), str(path))
        return {'mujoco_xml': '', 'modelfile': str(path)}

    def _set(self, parameters: dict[str, str]) -> None:
        """Sets the changed model parameters."""
        for name, value in parameters.items():
            if self._parameters[name] != value:
                self.process.command('set', name, json.dumps(value))
        self._parameters = parameters

    def _loaded(self, timeout_s: float) -> mujoco.MjModel:
        """Waits until the server has loaded its model, and returns a copy of it."""
        _, content = self._receive(time.monotonic() + timeout_s)
        return _copied(content)

    def _ask(self, what: str, content: bytes = b'', **arguments: object) -> tuple[Any, bytes]:
        """Sends a request and returns the answer. Raises any error that the server reports."""
        self._number += 1
        request = {'do': what, 'number': self._number, **arguments}
        try:
            self.process.channel.send(request, [content])
        except EOFError:
            self._tell_end()
        while True:
            answer, made = self._receive(float('inf'))
            if 'loaded' in answer:  # the server has reloaded its model
                self._model = _copied(made)
            if answer.get('number') == self._number:  # skips answers to requests cut off by Ctrl-C
                break
        if 'error' in answer:
            raise getattr(errors, answer['error'], SimulationError)(answer['text'])
        if self._options.strict and answer['gone']:
            told = _failed(answer['gone'][0])
            raise PluginError(f'strict is true: {told}\n{self._end_of_log()}')
        return answer, made

    def _receive(self, deadline: float) -> tuple[dict[str, Any], bytes]:
        channel = self.process.channel
        while not select.select([channel], [], [], _LOOK_S)[0]:
            if self.process.ended():
                self._tell_end()
            if time.monotonic() > deadline:
                text = f'did not load within {self._options.start_timeout_s:g} s'
                raise TimeLimitError(f'the server {text}; its log:\n{self._end_of_log()}')
        try:
            message, (content,) = channel.receive()
        except EOFError:
            self._tell_end()
        return message, bytes(content)

    def _tell_end(self) -> NoReturn:
        """Raises an error that says why the process has ended."""
        told = self.process.ended(_DYING_S) or 'the server has closed its socket'
        if self.process.refused:
            lines = self.process.log.splitlines()
            causes = [each.removeprefix(_CAUSE) for each in lines if each.startswith(_CAUSE)]
            told = '\n'.join([*causes[-1:], told])
            raise PluginError(told) if 'strict is true' in told else ConfigError(told)
        raise EndedError(told)

    def _end_of_log(self) -> str:
        return '\n'.join(self.process.log.splitlines()[-10:])

    def _sample(self, told: Mapping[str, Any], content: bytes) -> Sample:
        numbers = np.frombuffer(content)
        sizes = [max(0, size) for size in told['sizes']]
        parts = np.split(numbers, np.cumsum(sizes)[:-1])
        values, passive, sensors = (
            None if size < 0 else part for size, part in zip(told['sizes'], parts, strict=True)
        )
        assert values is not None
        return Sample(values, passive, sensors)


def _copied(content: bytes) -> mujoco.MjModel:
    return mujoco.MjModel.from_binary_path('model.mjb', {'model.mjb': content})


def _failed(name: str) -> str:
    return f'plugin {name!r} has failed; see the log for the reason'


def _still(options: ServerOptions) -> dict[str, Any]:
    """Returns the parameters of a paused server, merged with the test's options."""
    joints = {
        f'initial_joint_{what}.joint_map.{name}': [float(each) for each in np.ravel(value)]
        for what, given in (('positions', options.positions), ('velocities', options.velocities))
        for name, value in (given or {}).items()
    }
    for name in options.options:
        if name.partition('.')[0] not in _PARAMETERS:
            raise ConfigError(unknown('parameter', name, _PARAMETERS))
    still = {
        'unpause': False,
        'realtime': -1.0,
        'render_offscreen': False,
        'update_in_pause': False,
    }
    return {**still, 'strict': options.strict, **joints, **options.options}


def _plugins(given: object) -> list[Any]:
    """Returns the plugins' configurations. Raises ConfigError if a plugin is given as a class."""
    entries = read_plugins(given, local_path)
    for entry in entries:
        kind = entry.struct.get('type') if isinstance(entry.struct, Mapping) else entry.struct
        if isinstance(kind, type):
            raise ConfigError(
                'a server in a separate process needs type names of plugins, got class'
                f' {shown(kind)}'
            )
    return [_struct(entry) for entry in entries]


def _struct(entry: Entry) -> Any:
    """Converts an entry to an item of the plugin list, including its name and group."""
    if entry.fault or not isinstance(entry.struct, Mapping):
        return entry.struct
    struct = {'name': entry.name, **entry.struct} if entry.name else dict(entry.struct)
    group = {key: value for key, value in asdict(entry.group).items() if value}
    return {**group, 'plugins': [struct]} if group else struct
