"""A session in the process of the tests, stepped by the test's thread."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ..errors import PluginError
from ..plugins.host import actuator_owners, give_command
from ..session import Session
from ..simulation import ModelSource, SavedState, compile_model
from .derived_values import Numbers, Sample, user_sensor_numbers
from .server_options import ServerOptions, is_text
from .state_places import STATE, Write, write

_MOST_LINES = 10_000


class SessionBackend:
    """Runs the server as a `Session`, without ROS. Raises the errors of `Session`."""

    def __init__(self, options: ServerOptions) -> None:
        self._lines = LogLines()
        self._strict = options.strict
        try:
            self.session = Session(
                **_model(options),
                plugins=options.plugins,
                positions=options.positions,
                velocities=options.velocities,
                strict=options.strict,
                **options.options,
            )
        except BaseException:
            self._lines.close()
            raise
        self._loan = self.session.lend()
        self._adopt()

    @property
    def model(self) -> mujoco.MjModel:
        """The running model."""
        return self._model

    @property
    def domain_id(self) -> int | None:
        """None, because a session runs without ROS."""
        return None

    def step(self, count: int, writes: Sequence[Write]) -> Sample:
        """Applies the writes, steps the simulation, and returns the resulting state."""
        if not count:
            self._loan.call(lambda model, data: write(data, writes))
            return self._moment()
        sample = self._loan.exchange(lambda model, data: write(data, writes), count, self._read)
        self._check_plugins()
        return sample

    def reset(self, keyframe: str | None) -> Sample:
        """Resets the data to the initial state or to a keyframe."""
        self.session.reset(keyframe)
        return self._moment()

    def reload(self, changes: Mapping[str, Any]) -> None:
        """Reloads model and plugins."""
        given = dict(changes)
        model = given.pop('model', None)
        if is_text(model):
            model = compile_model(ModelSource(xml=model))
        self.session.reload(model, given.pop('plugins', None), **given)
        self._adopt()

    def save(self) -> SavedState:
        """Saves the full state, including the plugins' states."""
        return self.session.save()

    def restore(self, saved: SavedState) -> tuple[Sample, list[str]]:
        """Restores a saved state; returns a message for each plugin that it could not restore."""
        problems = self.session.restore(saved)
        return self._moment(), problems

    def configure(self, plugin: str, values: Mapping[str, object]) -> Sample:
        """Sets live values of a plugin."""
        self.session.configure(plugin, **values)
        return self._moment()

    def command(self, plugin: str, topic: str, fields: Mapping[str, object]) -> Sample:
        """Passes a command to a plugin."""
        give_command(self.session.plugins, plugin, topic, fields)
        return self._moment()

    def actuator_owners(self) -> Mapping[str, str]:
        """Maps each driven actuator to the plugin that sets its control."""
        return actuator_owners(self.session.plugins)

    def set_state(self, values: Numbers) -> Sample:
        """Writes MuJoCo's full integration state."""
        self._loan.call(lambda model, data: mujoco.mj_setState(model, data, values, STATE))
        return self._moment()

    def problems(self) -> list[str]:
        """Returns a message for each plugin that is not ready."""
        return self.session.problems

    def log(self) -> str:
        """Returns the log lines of this process since the server was started."""
        return self._lines.text

    def close(self) -> None:
        """Ends the session; closing it again has no effect."""
        self._loan.close()
        self.session.close()
        self._lines.close()

    def _adopt(self) -> None:
        """Looks up the running model, after a load."""
        self._loan.call(lambda model, data: self._take(model))
        self._get_state = _get_state()

    def _take(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._size = mujoco.mj_stateSize(self._model, STATE)
        self._user_sensors = bool(user_sensor_numbers(self._model))
        self._plugins = self._strict and bool(self.session.plugins)

    def _moment(self) -> Sample:
        """Returns the current numbers. Raises PluginError if strict and a plugin has failed."""
        self._check_plugins()
        return self._loan.call(self._read)

    def _check_plugins(self) -> None:
        if self._plugins and (problems := self.session.problems):
            raise PluginError(f'strict is true, and not every plugin is ready: {problems[0]}')

    def _read(self, model: mujoco.MjModel, data: mujoco.MjData) -> Sample:
        if model is not self._model:
            self._take(model)
        values = np.empty(self._size)
        self._get_state(model, data, values, STATE)
        values.setflags(write=False)
        passive = self.session.passive_forces()
        if passive is None and not self._user_sensors:
            return Sample(values)
        return Sample(values, passive, data.sensordata.copy() if self._user_sensors else None)


class LogLines(logging.Handler):
    """Keeps the newest log lines of this process."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self.setFormatter(logging.Formatter('[%(levelname)s] [%(name)s]: %(message)s'))
        logging.getLogger().addHandler(self)

    @property
    def text(self) -> str:
        """The lines, oldest first."""
        return ''.join(f'{line}\n' for line in tuple(self._lines))

    def emit(self, record: logging.LogRecord) -> None:
        """Stores the line of a record."""
        self._lines.append(self.format(record))

    def close(self) -> None:
        """Stops recording log lines."""
        logging.getLogger().removeHandler(self)
        super().close()


def _model(options: ServerOptions) -> dict[str, Any]:
    return {'mujoco_xml' if is_text(options.model) else 'model': options.model}


def _get_state() -> Callable[..., None]:
    """Returns `mj_getState` without its guard: the guard looks up the size, already known here."""
    function: Callable[..., None] = mujoco.mj_getState
    return getattr(function, '__wrapped__', function)
