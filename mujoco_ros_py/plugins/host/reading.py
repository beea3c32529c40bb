"""Reads a topic's message on demand, with or without ROS."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any, Generic

import numpy as np

from ...config.wording import summary
from ...engine import Derived, Outlet, Port, State, compile_message_function
from ...engine.messages import StandIn, StandInMemory, message_layout
from ...errors import PluginError
from ...rcl_internals import NativeMessage
from ...simulation import MessageExchange, Owner
from ..contract import CompiledCallback
from ..ros_entities import MessageT
from ..ros_types import MissingType

_SEND_NOTHING = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(lambda *_: 0)
"""A C function that takes a message and discards it."""
_NEVER_S = 1e9


def derived_of(topic: str, name: str) -> Derived:
    """Returns the `Derived` of this name. Raises PluginError for an unknown name."""
    try:
        return Derived[name.upper()]
    except KeyError:
        known = ', '.join(each.name.lower() for each in Derived)
        raise PluginError(f'{topic}: derived must be one of {known}, got {name!r}') from None


def compiled_fill(
    msg_type: type[MessageT],
    topic: str,
    fill: Callable[..., object],
    rate_hz: float,
    template: MessageT | None,
) -> CompiledCallback:
    """Checks the arguments of a compiled publisher, with or without ROS, and returns `fill`.

    Raises PluginError for invalid arguments.
    """
    made = compiled_function(topic, 'fill', fill)
    check_rate(topic, rate_hz)
    if template is not None and isinstance(msg_type, MissingType):
        msg_type()
    if not (template is None or isinstance(template, msg_type)):
        raise PluginError(f'{topic}: template must be a {msg_type.__name__}, got {template!r}')
    return made


def compiled_function(topic: str, what: str, function: Callable[..., object]) -> CompiledCallback:
    """Returns a function marked `@compiled`. Raises PluginError for any other function."""
    if not isinstance(function, CompiledCallback):
        raise PluginError(f'{topic}: {what} must be marked @compiled, got {function!r}')
    return function


def refuse_compiled(topic: str, callback: Callable[..., object]) -> None:
    """Raises PluginError if a callback for Python is marked `@compiled`."""
    if isinstance(callback, CompiledCallback):
        raise PluginError(
            f'{topic}: callback must not be marked @compiled; create_compiled_subscription accepts'
            ' compiled callbacks'
        )


def check_rate(what: str, rate_hz: float) -> None:
    """Raises PluginError if a rate is not positive."""
    if not rate_hz > 0:
        raise PluginError(f'{what}: rate_hz must be > 0, got {rate_hz!r}')


class Reading(Generic[MessageT]):
    """Fills a topic's message on request, independently of the published messages."""

    def __init__(
        self,
        exchange: MessageExchange,
        owner: Owner,
        kind: type[MessageT],
        topic: str,
        fill: CompiledCallback,
        *,
        template: MessageT | None,
        state: State | None,
        derived: Derived,
        boundscheck: bool,
    ) -> None:
        self._exchange, self._owner = exchange, owner
        self._kind: Any = kind
        self._topic, self._fill = topic, fill
        self._derived, self._boundscheck = derived, boundscheck
        self._outlet: Outlet | None = None
        self._error: BaseException | None = None
        self._making = threading.Lock()
        self._replaced = 0
        """The number of calls of `replace`. An outlet made for an earlier number is outdated:
        another thread may have compiled it during a call."""
        self._made = 0
        """The value of `_replaced` for which the outlet was made."""
        self.replace(template, state)

    def replace(self, template: MessageT | None, state: State | None) -> None:
        """Switches to another template and state."""
        self.close()
        self._replaced += 1
        self._template, self._state = template, state
        self._records = None if state is None else np.zeros(1, state.dtype).view(np.recarray)

    def read(self, state_of: Callable[[], State] | None = None) -> MessageT | None:
        """Returns the current message; None if the function skips it.

        The function receives a copy of the topic's state, or of the state that `state_of` returns
        on the thread that owns the data. Raises PluginError if the plugin has failed or is
        unloaded, or if the function raises, which disables the plugin.
        """
        self._check()
        with self._making:
            if self._outlet is None:
                self._make()  # not in `_read_now`: compiling would block the physics thread
        message: MessageT | None = self._exchange.at_once(lambda: self._read_now(state_of))
        self._check()
        return message

    def close(self) -> None:
        """Frees the message."""
        if self._outlet is not None:
            self._outlet.disable()
            self._exchange.forget(self._outlet)
            self._outlet = None

    def _check(self) -> None:
        if self._error is not None:
            raise PluginError(f'{self._topic}: fill raised {summary(self._error)}')
        if self._owner.closed:
            raise PluginError(f'{self._topic}: {self._owner.name} has failed or is unloaded')

    def _read_now(self, state_of: Callable[[], State] | None) -> MessageT | None:
        """Fills the message, on the thread that owns the data."""
        if self._owner.closed:
            return None
        if self._made != self._replaced:
            self.close()
        if self._outlet is None:  # the model has changed since
            self._make()
        outlet = self._outlet
        assert outlet is not None
        if self._records is not None:
            self._records[0] = self._state if state_of is None else state_of()
        message: MessageT | None = self._memory.get() if self._exchange.read(outlet) else None
        return message

    def _make(self) -> None:
        """Compiles the function, and creates the message that it fills."""
        made = self._replaced
        if isinstance(self._kind, MissingType):
            self._kind()
        memory: Any = (StandInMemory if issubclass(self._kind, StandIn) else NativeMessage)(
            self._kind
        )
        self._memory = memory
        if self._template is not None:
            memory.set(self._template)
        state = None if self._records is None else self._records[0]
        layout = message_layout(self._kind)
        with self._owner.at('the compilation of callbacks', lasting=True):
            code = compile_message_function(
                self._fill.function, self._state, layout, fills=True, boundscheck=self._boundscheck
            )
        nowhere = ctypes.cast(_SEND_NOTHING, ctypes.c_void_p).value or 0
        port = Port(call=nowhere, handle=0, message=memory.address, forget_error=nowhere)
        self._outlet = Outlet(
            f'the message of {self._topic}',
            code,
            state,
            port,
            self._fail,
            period_s=_NEVER_S,
            stamp=stamp_of(self._kind, memory.address),
            derived=self._derived,
            copies_state=False,
        )
        self._made = made

    def _fail(self, error: BaseException) -> None:
        self._error = error
        self._owner.fail(f'fill (topic {self._topic})', error)


def stamp_of(kind: Any, address: int) -> int:
    """Returns the address of the stamp in a message's header; 0 if it has no header."""
    layout: Any = message_layout(kind)
    offset = 0
    for name in ('header', 'stamp'):
        fields = layout.fields or {}
        if layout.metadata or name not in fields:
            return 0
        layout, offset = fields[name][0], offset + int(fields[name][1])
    return address + offset
