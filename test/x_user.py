"""What a user does at a display without a screen: press keys, move the mouse and look."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from deadline import until

_REST_S = 0.15
"""How long a hand rests at first, so that the window sees each change by itself. It rests twice as
long each time that a drag was for nothing."""
_MOST_REST_S = 2.4
_CLICK_S = 0.08
"""How long a button is down and up in a double click, which ends within a quarter of a second."""

_BETWEEN_KEYS_S = 0.04
"""A key that goes up and comes down within 20 ms of the display's time counts as held: GLFW takes
that for the repetition of a key by the keyboard."""


class User:
    """User at a display, with one keyboard and one mouse."""

    def __init__(self, display: str) -> None:
        """Waits until the windows of earlier tests are gone; skips without python-xlib."""
        pytest.importorskip('Xlib', reason='python-xlib is not installed')
        from Xlib import XK, X, error
        from Xlib.display import Display
        from Xlib.ext import xtest

        self._display = Display(display)
        self._root = self._display.screen().root
        self._x, self._keysym, self._xtest = X, XK.string_to_keysym, xtest
        self._error = error
        self._rest_s = _REST_S
        until(lambda: self._window() is None, 'a display without a window')

    def close(self) -> None:
        """Leaves the display."""
        self._display.close()

    def turn_to_window(self) -> None:
        """Waits for a window, and has it get the keys, as a window manager would."""
        until(self._turned, 'a window that gets the keys')

    def _turned(self) -> bool:
        window = self._window()
        if window is None:
            return False
        refused = self._error.CatchError()  # it may be closed now
        window.set_input_focus(self._x.RevertToParent, self._x.CurrentTime, onerror=refused)
        return bool(self._display.get_input_focus().focus == window)

    def _window(self) -> Any:
        """Returns the window that is seen; None: there is none yet."""
        for window in self._root.query_tree().children:
            try:
                if window.get_attributes().map_state == self._x.IsViewable:
                    return window
            except self._error.XError:  # it has been closed just now
                continue
        return None

    def press(self, key: str) -> None:
        """Presses a key once; keys have the names that X gives them."""
        with self.key_held(key):
            pass
        time.sleep(_BETWEEN_KEYS_S)

    @contextmanager
    def key_held(self, key: str) -> Iterator[None]:
        """Holds a key down inside the context."""
        code = self._display.keysym_to_keycode(self._keysym(key))
        assert code, f'the keyboard has no key {key}'
        self._do(self._x.KeyPress, code)
        try:
            yield
        finally:
            self._do(self._x.KeyRelease, code)

    @contextmanager
    def button_held(self, button: int, rest_s: float | None = None) -> Iterator[None]:
        """Holds a button of the mouse down inside the context: 1 is the left, 3 the right one."""
        rest_s = self._rest_s if rest_s is None else rest_s
        self._do(self._x.ButtonPress, button)
        try:
            time.sleep(rest_s)
            yield
        finally:
            self._do(self._x.ButtonRelease, button)
            time.sleep(rest_s)

    def move_to(self, x: float, y: float) -> None:
        """Moves the mouse to a place, in pixels from the top left."""
        self._do(self._x.MotionNotify, 0, x=round(x), y=round(y))
        time.sleep(self._rest_s)

    def select(self, x: float, y: float) -> None:
        """Clicks twice at a place; a double click, unless the window draws too slowly."""
        self.move_to(x, y)
        for _ in range(2):
            with self.button_held(1, rest_s=_CLICK_S):
                pass
        time.sleep(2 * self._rest_s)

    def drag(self, x: float, y: float, down: float, seen: Callable[[], Any]) -> Any:
        """Drags what is selected down by so many pixels, or until that is seen.

        Where nothing has been selected, the camera moves. Returns what was seen at last, while the
        button was held.
        """
        self.move_to(x, y)
        with self.key_held('Control_L'):
            time.sleep(self._rest_s)
            with self.button_held(3):
                for part in np.linspace(0.1, 1.0, 10):
                    self.move_to(x, y + down * part)
                    if value := seen():
                        break
        if not value:
            self._rest_s = min(2 * self._rest_s, _MOST_REST_S)
        return value

    def _do(self, event: int, detail: int, **place: int) -> None:
        self._xtest.fake_input(self._display, event, detail, **place)
        self._display.sync()

    def look(self) -> np.ndarray[Any, Any]:
        """Returns what is on the display: rows, columns and colours from 0 to 1."""
        size = self._root.get_geometry()
        width, height = size.width, size.height
        image = self._root.get_image(0, 0, width, height, self._x.ZPixmap, 0xFFFFFFFF)
        pixels = np.frombuffer(image.data, np.uint8).reshape(height, width, 4)
        return pixels[..., 2::-1] / 255.0
