"""Compiles users' functions: callbacks and functions of engine plugins."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ..errors import PluginError
from . import machine_code
from .cache import NativeCode
from .callback_table import Callback
from .compiling import compiling
from .engine_plugin_records import Function
from .identity import UnfollowedError, forget_references, identify
from .inlined import inlined
from .message_ends import MessageCode
from .messages import layout_name
from .pipe_records import TRANSIT
from .records import Kind, Point
from .state_record import State, record_type

_TIMED = 5
"""The number of parameters of a message function that also takes the ROS time."""


def compile_callback(
    point: Point, function: Callable[..., Any], state: State | None, *, boundscheck: bool = False
) -> Callback:
    """Compiles `function(state, model, data)`, or loads its code from the cache.

    At RENDER the function is `function(state, model, data, scene)`. With `boundscheck` an index
    out of range raises IndexError instead of causing undefined behaviour. Raises PluginError with
    numba's explanation if the function cannot be compiled.
    """
    _check_state(state)
    kind = Kind.RENDER if point is Point.RENDER else Kind.CALLBACK
    address = 0 if state is None else state.__array_interface__['data'][0]
    record = None if state is None else record_type(state)
    loaded = _load(
        function,
        # The code contains the offsets and types of the state's fields, but not their values.
        ('callback', repr(record and record.descr), int(kind), boundscheck),
        (function, record, kind, boundscheck),
        'callback',
    )
    return Callback(point, loaded.address, address, keep=(loaded, state))


def compile_message_function(
    function: Callable[..., Any],
    state: State | None,
    message: np.dtype[np.void],
    *,
    fills: bool = False,
    boundscheck: bool = False,
) -> MessageCode:
    """Compiles `function(state, model, data, message)`, or loads its code from the cache.

    If the function has a fifth parameter, it receives the ROS time in s. `message` is the layout
    of the message. A function that `fills` messages can return whether to send the message.
    Functions that read messages always check indices, because the sender chooses the lengths.
    Raises PluginError as `compile_callback` does.
    """
    _check_state(state)
    record = None if state is None else record_type(state)
    kind = Kind.FILL if fills else Kind.MESSAGE
    # The sender chooses the lengths, so an index must never leave its array.
    boundscheck = boundscheck or kind is Kind.MESSAGE
    parts = 'message', repr(record and record.descr), layout_name(message), int(kind), boundscheck
    timed = len(inspect.signature(function).parameters) == _TIMED
    loaded = _load(
        function, parts, (function, record, kind, boundscheck, message, timed), 'callback'
    )
    return MessageCode(loaded.address, loaded, timed)


def compile_filter(
    function: Callable[..., Any], state: State | None, *, boundscheck: bool = False
) -> MessageCode:
    """Compiles a message filter, `function(state, transit)`.

    `transit` is a TRANSIT record: it describes a message, and the function sets whether and when
    the message is delivered. Raises PluginError as `compile_callback` does.
    """
    decide = inlined(getattr(function, '__func__', function))

    # Has the parameters of a function that reads messages, because compiled code can call these.
    def call(state: Any, model: Any, data: Any, transit: Any) -> None:
        decide(state, transit)

    call.__qualname__ = getattr(function, '__qualname__', 'a filter')
    return compile_message_function(call, state, TRANSIT, boundscheck=boundscheck)


def compile_entry(
    which: Function,
    function: Callable[..., Any],
    record: np.dtype[np.void],
    *,
    of_distance: bool = False,
    boundscheck: bool = False,
) -> machine_code.Loaded:
    """Compiles a function of an engine plugin to a C function that takes addresses.

    With `of_distance`, `function` is a distance function, and the code computes its gradient.
    """
    parts = 'entry', repr(record.descr), int(which), of_distance, boundscheck
    return _load(function, parts, (function, record, which, of_distance, boundscheck), 'entry')


def forget_code() -> None:
    """Unloads unused code of callbacks, and clears the cache of names that functions refer to."""
    machine_code.forget()
    forget_references()


def _check_state(state: Any) -> None:
    if not (state is None or isinstance(state, State)):
        raise PluginError(
            f'self.state must come from new_state(...), got a {type(state).__name__}'
        )


def _load(
    function: Callable[..., Any], parts: tuple[object, ...], arguments: Any, what: str
) -> machine_code.Loaded:
    """Loads the function from the cache, or compiles it and caches the code if possible."""

    def key() -> machine_code.Key:
        found = identify(function)
        return machine_code.Key((*parts, *found.parts), found.objects)

    def compile_portable() -> NativeCode:
        code: NativeCode = getattr(_compiler(), f'portable_{what}')(*arguments)
        return code

    def compile_here() -> machine_code.Loaded:
        loaded: machine_code.Loaded = getattr(_compiler(), f'{what}_here')(*arguments)
        return loaded

    name = getattr(function, '__qualname__', repr(function))
    try:
        return machine_code.load(name, key, compile_portable, compile_here)
    # Changes of this function cannot be detected, so each load compiles it.
    except UnfollowedError as error:
        machine_code.log_not_kept(name, error)
        with compiling(name):
            return compile_here()


def _compiler() -> ModuleType:
    from . import compiled  # imports numba

    return compiled
