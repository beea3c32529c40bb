"""What a viewer and the server tell each other, in the process of the viewer."""

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
    """Takes models, states and the status of the server, and gives it commands; never waits.

    All is called on one thread, once a frame.
    """

    def __init__(self, server: ViewerSocket, status: LatestValue) -> None:
        self._server = server
        self._status = status
        self._state: LatestValue | None = None
        self._drawing: LatestValue | None = None
        self.model = 0
        """The number of the model that is shown, by which the server knows it; 0: none yet."""
        self.status: dict[str, Any] = {}
        """The newest status of the simulation; empty before the first."""
        self.notes: list[str] = []
        """Sentences of this process to people, the newest last."""

    def command(self, name: str, **values: Any) -> None:
        """Has the server carry out a command; notes it where the server takes no more."""
        if not self._server.send({'command': name, **values}):
            self.note(f'{name}: the server does not take commands now')

    def note(self, text: str) -> None:
        """Shows a sentence to people."""
        self.notes = [*self.notes[-4:], text]

    def newest_model(self) -> tuple[mujoco.MjModel, str] | None:
        """Returns another model and its name; None: the same as before.

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
        """Returns the state of the model, as `SHOWN_STATE` tells; None: the same as before."""
        return None if self._state is None else self._state.read()

    def newest_drawing(self) -> bytes | None:
        """Returns what render callbacks draw, by `DrawnGeoms`; None: the same as before."""
        return None if self._drawing is None else self._drawing.read()

    def newest_status(self) -> dict[str, Any] | None:
        """Returns the status, as `StatusReport` makes it; None: the same as before."""
        if (text := self._status.read()) is None:
            return None
        self.status = json.loads(text)
        return self.status

    def _load(self, message: dict[str, Any], content: int, state: int) -> tuple[Any, str]:
        self._state = self._drawing = None
        model = mujoco.MjModel.from_binary_path(f'/proc/self/fd/{content}')
        size = int(message['state'])
        if mujoco.mj_stateSize(model, SHOWN_STATE) * 8 != size:
            raise ValueError('its state has another size')
        memory = mmap.mmap(state, 0)
        self._state = LatestValue(memory, 0, size)
        self._drawing = LatestValue(memory, LatestValue.size(size), int(message['drawn']))
        self.model = int(message['model'])
        return model, str(message['name'])
