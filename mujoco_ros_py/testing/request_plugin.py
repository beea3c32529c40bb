"""The plugin through which a test controls a server process; only `ServerProcess` loads it."""

from __future__ import annotations

import os
import pickle
import select
import shutil
import signal
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future, TimeoutError
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import mujoco
import numpy as np

from ..errors import MujocoRosError, PluginError
from ..plugins import MujocoPlugin
from ..plugins.host import actuator_owners, give_command
from ..processes.channel import Channel
from ..simulation import SavedState
from .derived_values import user_sensor_numbers
from .state_places import STATE, write

Answer = tuple[dict[str, Any], bytes]
"""A struct, and the bytes of an array or a file."""
Result = TypeVar('Result')
_sending = threading.Lock()
"""Held while a message is sent: after a reload, two instances of the plugin can send."""
_LOOK_S = 1.0
"""How often to check that the test's process is alive, in seconds."""
NAME = 'requests_of_tests'
"""The name of the plugin in its server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Inherited:
    """The configuration of the plugin that carries out the requests of a test."""

    descriptor: int
    """The descriptor of the inherited socket."""
    folder: str
    """The folder of the server's files; the test's process removes this folder, unless the process
    is killed."""


class Requests(MujocoPlugin[Inherited]):
    """Carries out the requests of a test, one after the other, on a separate thread.

    When the test's process ends, its end of the socket closes, and the server ends too. The server
    then also removes its files, because a killed test process cannot remove them.
    """

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Reports to the test that the load is complete, and starts listening."""
        self._model = model
        self._user_sensors = bool(user_sensor_numbers(model))
        self._names = list(self.environment.plugins)
        self._wake = os.eventfd(0, os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._serve, name='requests', daemon=True)
        self._thread.start()

    def unload(self) -> None:
        """Stops listening; the socket stays open for the plugin instance of the next load."""
        if hasattr(self, '_wake'):
            os.eventfd_write(self._wake, 1)

    def _serve(self) -> None:
        own = socket.socket(fileno=os.dup(self.config.descriptor))
        channel = Channel(own)
        try:
            with _sending:
                channel.send({'loaded': True}, [_compiled(self._model)])
            sources: list[Any] = [channel, self._wake]
            while self._wake not in select.select(sources, [], [])[0]:
                request, (content,) = channel.receive()
                answer, made = self._answer(request, bytes(content))
                with _sending:
                    channel.send(answer, [made])
        except EOFError:  # the test's process is gone
            shutil.rmtree(self.config.folder, ignore_errors=True)
            os.kill(os.getpid(), signal.SIGTERM)
        finally:
            channel.close()
            os.close(self._wake)

    def _answer(self, request: dict[str, Any], content: bytes) -> Answer:
        """Carries out a request; returns its result or its error."""
        number = request.pop('number')
        try:
            told, made = getattr(self, f'_do_{request.pop("do")}')(content, **request)
        except MujocoRosError as error:
            return {'number': number, 'error': type(error).__name__, 'text': str(error)}, b''
        return {'number': number, 'gone': self._gone(), **told}, made

    @property
    def _robot(self) -> dict[str, MujocoPlugin[Any]]:
        """The robot's ready plugins."""
        return {name: each for name, each in self.environment.plugins.items() if each is not self}

    def _gone(self) -> list[str]:
        ready = self.environment.plugins
        return [name for name in self._names if name not in ready]

    def _do_step(self, content: bytes, count: int, writes: Any) -> Answer:
        if writes:
            self._call(lambda model, data: write(data, writes))
        if count:
            self._wait_for(self.environment.simulation.step(count))
        return self._moment()

    def _do_reset(self, content: bytes, keyframe: str | None) -> Answer:
        self.environment.simulation.reset(keyframe).result()
        return self._moment()

    def _do_save(self, content: bytes) -> Answer:
        saved = self.environment.simulation.save().result()
        others = {name: part for name, part in saved.plugins.items() if name != NAME}
        return {}, pickle.dumps(replace(saved, plugins=others))

    def _do_restore(self, content: bytes) -> Answer:
        saved: SavedState = pickle.loads(content)
        saved = replace(saved, plugins={**saved.plugins, NAME: None})
        problems = self.environment.simulation.restore(saved).result()
        told, made = self._moment()
        return {**told, 'problems': problems}, made

    def _do_command(self, content: bytes, plugin: str, topic: str, fields: Any) -> Answer:
        give_command(self._robot, plugin, topic, fields)
        return self._moment()

    def _do_owners(self, content: bytes) -> Answer:
        return {'owners': actuator_owners(self._robot)}, b''

    def _do_set_state(self, content: bytes) -> Answer:
        values = np.frombuffer(content)
        self._call(lambda model, data: mujoco.mj_setState(model, data, values, STATE))
        return self._moment()

    def _wait_for(self, steps: Future[None]) -> None:
        """Waits for steps. They can block forever if a controller in lockstep does not answer.

        Raises EOFError if the test's process ends during the wait.
        """
        hang_up = select.poll()
        hang_up.register(self.config.descriptor, select.POLLRDHUP)
        while True:
            try:
                return steps.result(_LOOK_S)
            except TimeoutError:
                if steps.done():
                    raise
            if hang_up.poll(0):
                raise EOFError('the other end is closed')

    def _moment(self) -> Answer:
        """Returns the numbers of the current state, and the size of each part."""

        def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[Any]:
            values = np.empty(mujoco.mj_stateSize(model, STATE))
            mujoco.mj_getState(model, data, values, STATE)
            passive = self.environment.simulation.passive_forces()
            return [values, passive, data.sensordata.copy() if self._user_sensors else None]

        parts = self._call(read)
        sizes = [-1 if part is None else len(part) for part in parts]
        return {'sizes': sizes}, b''.join(part.tobytes() for part in parts if part is not None)

    def _call(self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]) -> Result:
        """Calls a function between two steps; raises PluginError if the function fails.

        The request then fails in the test. An error inside the call would make this plugin fail
        instead.
        """

        def call(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[Any, BaseException | None]:
            try:
                return function(model, data), None
            except Exception as error:
                return None, error

        made, error = self.environment.submit(call).result()
        if error is not None:
            raise PluginError(f'{type(error).__name__}: {error}')
        result: Result = made
        return result


def _compiled(model: mujoco.MjModel) -> bytes:
    """Returns the content of an MJB file of the model."""
    content = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, content)
    return content.tobytes()
