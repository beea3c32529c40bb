"""Runs MuJoCo's passive viewer in the process of the window, with states from the server."""

from __future__ import annotations

import os
import time
import warnings
from queue import SimpleQueue
from typing import Any

import mujoco
import numpy as np

from ...mujoco_internals import load_into_window
from ..link.drawn_geoms import copy_geoms
from ..link.latest_value import LatestValue
from ..link.server_link import ServerLink
from ..link.state_signature import SHOWN_STATE
from ..link.viewer_socket import ViewerSocket

_FRAME_S = 1 / 60
_FIRST_MODEL_S = 0.05
_WAIT_S = 1.0
_SPACE, _MINUS, _EQUAL, _BACKSPACE, _RIGHT, _F9 = 32, 45, 61, 259, 262, 298
"""GLFW's key codes."""
_Text = tuple[int, int, str, str]
"""An overlay of MuJoCo's viewer: font scale, position, and two columns of lines."""


def show_window(server: ViewerSocket, shared: LatestValue, title: str) -> None:
    """Shows a window until the user closes it, or until the server ends, which raises EOFError.

    If no window can be opened, reports the reason to the server.
    """
    if why_not := _why_no_window():
        server.send({'refused': why_not})
        return _await_end(server)
    link = ServerLink(server, shared)
    while (first := link.newest_model()) is None:
        time.sleep(_FIRST_MODEL_S)
    window = _Window(link, first[0], title)
    server.send({'ready': True})
    try:
        while window.is_open:
            begun = time.monotonic()
            window.show()
            time.sleep(max(0.0, begun + _FRAME_S - time.monotonic()))
        server.send({'closed': True})
        _await_end(server)
    finally:
        os._exit(0)  # a regular exit can crash while the thread of the window still draws


def _await_end(server: ViewerSocket) -> None:
    """Receives messages until the server closes the connection, which raises EOFError.

    If this process ended with unread messages, its own last message would be lost.
    """
    while True:
        if (received := server.receive(_WAIT_S)) is not None:
            for file in received[1]:
                os.close(file)


def _why_no_window() -> str:
    """Tries to open a hidden window; returns why it fails, or an empty text on success."""
    import glfw

    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        if not glfw.init():
            return f'the display cannot be opened ({_glfw_error(glfw)})'
        glfw.window_hint(glfw.VISIBLE, False)
        window = glfw.create_window(8, 8, '', None, None)
        if not window:
            return f'the display has no OpenGL ({_glfw_error(glfw)})'
        glfw.destroy_window(window)
        glfw.default_window_hints()
    return ''


def _glfw_error(glfw: Any) -> str:
    _code, text = glfw.get_error()
    return text.decode(errors='replace') if text else 'GLFW gives no reason'


class _Window:
    """The window, with its model and data."""

    def __init__(self, link: ServerLink, model: mujoco.MjModel, title: str) -> None:
        import mujoco.viewer

        self._link, self._title = link, title
        self._keys: SimpleQueue[int] = SimpleQueue()
        self._model, self._data = model, mujoco.MjData(model)
        self._window = mujoco.viewer.launch_passive(model, self._data, key_callback=self._keys.put)
        self._pushed = False

    @property
    def is_open(self) -> bool:
        """Whether the window is open; false after the user has closed it."""
        return bool(self._window.is_running())

    def show(self) -> None:
        """Shows the newest state, and sends the user's commands to the server."""
        link = self._link
        if (newest := link.newest_model()) is not None:
            self._change_model(newest[0])
        while not self._keys.empty():
            _carry_out_key(self._keys.get(), link)
        with self._window.lock():
            if (drawing := link.newest_drawing()) is not None:
                copy_geoms(drawing, self._window.user_scn)
            if (state := link.newest_state()) is not None:
                numbers = np.frombuffer(state)
                mujoco.mj_setState(self._model, self._data, numbers, SHOWN_STATE)
                mujoco.mj_forward(self._model, self._data)
        if link.newest_status() is not None and hasattr(self._window, 'set_texts'):
            self._window.set_texts(_overlay(self._title, link))
        self._window.sync()  # copies the mouse's force to the data
        self._push()

    def _change_model(self, model: mujoco.MjModel) -> None:
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        load_into_window(self._window, model, data)
        self._model, self._data = model, data

    def _push(self) -> None:
        """Sends the mouse's force on the dragged body to the server."""
        perturb, link = self._window.perturb, self._link
        body = int(perturb.select)
        dragged = bool(perturb.active and 0 < body < self._model.nbody)
        pushed = dragged and not link.status.get('protected')
        if pushed:
            self._data.xfrc_applied[:] = 0.0
            mujoco.mjv_applyPerturbForce(self._model, self._data, perturb)
            wrench = self._data.xfrc_applied[body].tolist()
            link.command('push', model=link.model, body=body, wrench=wrench)
        elif self._pushed:
            link.command('release')
        self._pushed = pushed


def _carry_out_key(key: int, link: ServerLink) -> None:
    """Sends the command of a key to the server; ignores keys without a command.

    The server decides between pause and run, and computes the new speed: it already knows about
    the keys pressed just before, while the shown status can be older.
    """
    if key == _SPACE:
        link.command('pause or run')
    elif key == _RIGHT:
        link.command('step')
    elif key == _BACKSPACE:
        link.command('reset')
    elif key == _F9:
        link.command('reload')
    elif key in (_MINUS, _EQUAL):
        link.command('speed', times=2.0 if key == _EQUAL else 0.5)


def _overlay(title: str, link: ServerLink) -> list[_Text]:
    """Returns the overlay with the status, the failed plugins, and the last answers."""
    status = link.status
    rows = [(title, ''), ('time', f'{status["time"]:.3f} s'), ('speed', _speed(status))]
    rows += [
        (f'plugin {each["name"]}', f'{each["state"]}: {each["reason"]}')
        for each in status['plugins']
        if each['reason']
    ]
    rows += [('', text) for text in (*status['answers'], *link.notes[-1:])]
    names, values = ('\n'.join(column) for column in zip(*rows, strict=True))
    font, place = mujoco.mjtFontScale.mjFONTSCALE_100, mujoco.mjtGridPos.mjGRID_TOPLEFT
    return [(int(font), int(place), names, values)]


def _speed(status: dict[str, Any]) -> str:
    if status['paused']:
        return 'paused'
    asked = 'unthrottled' if status['realtime'] < 0 else f'set {status["realtime"]:g}'
    return f'{status["factor"]:.2f} ({asked})'
