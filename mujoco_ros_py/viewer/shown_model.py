"""Sends models to a viewer process, and writes their states to shared memory."""

from __future__ import annotations

import logging
import mmap
import os

import mujoco
import numpy as np

from .link.drawn_geoms import most_bytes
from .link.latest_value import LatestValue
from .link.state_signature import SHOWN_STATE
from .viewer_process import ViewerProcess

_log = logging.getLogger(__name__)


class ShownModel:
    """Writes states of a model that was sent to the process; use it from one thread."""

    def __init__(self, model: mujoco.MjModel, number: int, memory: mmap.mmap) -> None:
        """`number` identifies the model in the process; `memory` is shared with the process."""
        self.model, self.number = model, number
        self._state = np.empty(mujoco.mj_stateSize(model, SHOWN_STATE))
        size = self._state.nbytes
        self._place = LatestValue(memory, 0, size)
        self._drawing = LatestValue(memory, LatestValue.size(size), most_bytes())

    def show(self, data: mujoco.MjData) -> None:
        """Shows the state of `data`, which must belong to the model."""
        mujoco.mj_getState(self.model, data, self._state, SHOWN_STATE)
        self._place.write(self._state.data.cast('B'))

    def draw(self, geoms: bytes) -> None:
        """Shows additional geoms, as returned by `DrawnGeoms.paint`."""
        self._drawing.write(geoms)


def send_model(
    process: ViewerProcess, model: mujoco.MjModel, number: int, name: str
) -> ShownModel | None:
    """Sends a model to the process; returns None if the model cannot be sent now.

    `name` is the model's name on the page. The process does not load engine plugins.
    """
    size = mujoco.mj_stateSize(model, SHOWN_STATE) * 8
    state = os.memfd_create('state for the viewer')
    content = os.memfd_create('model for the viewer')
    try:
        drawn = most_bytes()
        os.ftruncate(state, LatestValue.size(size) + LatestValue.size(drawn))
        write_model(model, content)
        message = {'model': number, 'state': size, 'drawn': drawn, 'name': name}
        if not process.connection.send(message, [content, state]):
            return None
        return ShownModel(model, number, mmap.mmap(state, 0))
    except OSError as error:  # the process has ended, or memory is full
        _log.debug('the model cannot be sent to the viewer: %s', error)
        return None
    finally:
        os.close(state)
        os.close(content)


def write_model(model: mujoco.MjModel, file: int) -> None:
    """Writes a compiled model to an open file."""
    mujoco.mj_saveModel(model, f'/proc/self/fd/{file}', None)
