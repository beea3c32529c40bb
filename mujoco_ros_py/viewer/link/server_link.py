"""The viewer process's end of the connection to the server."""

from __future__ import annotations

import json
import mmap
import os
from typing import Any

import mujoco

from .latest_value import LatestValue
from .state_signature import SHOWN_STATE
from .viewer_socket import ViewerSocket


class ServerLink:
    """Receives models, states and the status from the server, and sends commands; never waits.

    Call the methods on one thread, once per frame.
    """

    def __init__(self, server: ViewerSocket, status: LatestValue) -> None:
        self._server = server
        self._status = status
        self._state: LatestValue | None = None
        self._drawing: LatestValue | None = None
        self.model = 0
        """The server's number of the shown model; 0 before the first model."""
        self.status: dict[str, Any] = {}
        """The newest status of the simulation; empty before the first status."""
        self.notes: list[str] = []
        """Messages of this process to the user, newest last."""

    def command(self, name: str, **values: Any) -> None:
        """Sends a command to the server; shows a note if the message cannot be sent now."""
        if not self._server.send({'command': name, **values}):
            self.note(f'{name}: the server cannot take commands now')

    def note(self, text: str) -> None:
        """Shows a message to the user."""
        self.notes = [*self.notes[-4:], text]

    def newest_model(self) -> tuple[mujoco.MjModel, str] | None:
        """Returns the new model and its name; None if the model has not changed.

        Raises EOFError when the server has ended.
        """
        newest = None
        while (received := self._server.receive(0.0)) is not None:
            message, files = received
            try:
                newest = self._load(message, *files)
            except (mujoco.FatalError, ValueError) as error:
                self.note(f'the model cannot be shown: {error}')
            finally:
                for file in files:
                    os.close(file)
        return newest

    def newest_state(self) -> bytes | None:
        """Returns a new state (signature `SHOWN_STATE`), or None if none has arrived."""
        return None if self._state is None else self._state.read()

    def newest_drawing(self) -> bytes | None:
        """Returns new geoms from `DrawnGeoms`, or None if none have arrived."""
        return None if self._drawing is None else self._drawing.read()

    def newest_status(self) -> dict[str, Any] | None:
        """Returns a new status from `StatusReport`, or None if none has arrived."""
        if (text := self._status.read()) is None:
            return None
        self.status = json.loads(text)
        return self.status

    def _load(self, message: dict[str, Any], content: int, state: int) -> tuple[Any, str]:
        self._state = self._drawing = None
        model = mujoco.MjModel.from_binary_path(f'/proc/self/fd/{content}')
        size = int(message['state'])
        if mujoco.mj_stateSize(model, SHOWN_STATE) * 8 != size:
            raise ValueError('its state has another size in the viewer process')
        memory = mmap.mmap(state, 0)
        self._state = LatestValue(memory, 0, size)
        self._drawing = LatestValue(memory, LatestValue.size(size), int(message['drawn']))
        self.model = int(message['model'])
        return model, str(message['name'])
