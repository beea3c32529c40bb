"""Ports that record the messages of compiled code, and supply the messages of a test."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from mujoco_ros_py.engine import Inlet, Outlet, Port, compile_message_function

STAMP = np.dtype([('sec', np.int32), ('nanosec', np.uint32)], align=True)
LAYOUT = np.dtype([('stamp', STAMP), ('value', float), ('count', np.int64)], align=True)
FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)
NOTHING = 7


def port(
    function: Callable[[], int],
    message: np.ndarray,
    released: Callable[[], Any],
    listeners: Callable[[], int] = lambda: 1,
) -> Port:
    def tell(_: int, number: int, *rest: int) -> int:
        ctypes.c_size_t.from_address(number).value = listeners()
        return 0

    call, forget = FUNCTION(lambda *_: function()), FUNCTION(lambda *_: 0)
    count = FUNCTION(tell)
    return Port(
        call=ctypes.cast(call, ctypes.c_void_p).value,
        handle=0,
        message=message.ctypes.data,
        forget_error=ctypes.cast(forget, ctypes.c_void_p).value,
        nothing=NOTHING,
        release=released,
        count=ctypes.cast(count, ctypes.c_void_p).value,
        keep=(call, forget, count, message),
    )


class Sent:
    """An outlet whose messages are written down."""

    def __init__(
        self,
        fill: Any,
        rate_hz: float,
        state: Any = None,
        *,
        code: int = 0,
        name: str = 'test',
        **options: Any,
    ) -> None:
        self.messages: list[tuple[float, float, int]] = []
        """The stamp in seconds, the value and the count of each message."""
        self.faults: list[BaseException | None] = []
        self.released = 0
        self.listeners: Callable[[], int] = lambda: 1
        """Tells how many listen."""
        self._code, self._message = code, np.zeros((), LAYOUT)
        self.outlet = Outlet(
            name,
            compile_message_function(fill, state, LAYOUT, fills=True),
            state,
            port(self._send, self._message, self._release, lambda: self.listeners()),
            self._fail,
            period_s=1.0 / rate_hz,
            stamp=self._message.ctypes.data,
            **options,
        )

    @property
    def times(self) -> list[float]:
        return [round(time, 9) for time, *_ in self.messages]

    def _send(self) -> int:
        (sec, nanosec), value, count = self._message.tolist()
        self.messages.append((sec + nanosec * 1e-9, value, count))
        return self._code

    def _fail(self, error: BaseException | None) -> None:
        self.faults.append(error)
        self.outlet.disable()

    def _release(self) -> None:
        self.released += 1


class Received:
    """An inlet that gets the values that a test puts into `waiting`, with or without a stamp."""

    def __init__(self, read: Any, state: Any, **options: Any) -> None:
        self.waiting: deque[Any] = deque()
        self.faults: list[BaseException | None] = []
        self.released = 0
        self._message = np.zeros((), LAYOUT)
        self.inlet = Inlet(
            'test',
            compile_message_function(read, state, LAYOUT),
            state,
            port(self._take, self._message, self._release),
            self._fail,
            stamp=self._message.ctypes.data,
            **options,
        )

    def _take(self) -> int:
        if not self.waiting:
            return NOTHING
        given = self.waiting.popleft()
        stamp_s, value = given if isinstance(given, tuple) else (0.0, given)
        if np.isnan(value):
            return 1  # an error
        self._message['stamp'] = divmod(round(stamp_s * 1e9), 10**9)
        self._message['value'] = value
        return 0

    def _fail(self, error: BaseException | None) -> None:
        self.faults.append(error)
        self.inlet.disable()

    def _release(self) -> None:
        self.released += 1
