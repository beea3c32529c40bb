"""Compiles a Python function into a callback of the physics loop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import PluginError
from . import native
from .cache import NativeCode
from .callbacks import Callback
from .identity import UnfollowedError, identify
from .records import Function, Kind, Point

_log = logging.getLogger(__name__)

State = np.record
"""The state of a callback: a NumPy structured scalar, fields as attributes."""


def new_state(**values: Any) -> State:
    """A state record with a field for each value: numbers, booleans, arrays of them.

    Fields are typed by their values (`gain=1.0` is a float, `target=np.zeros(7)` seven of them)
    and keep their type and shape. Compiled code and Python see the same memory: a number is
    written at once and whole, an array element by element. An array of booleans is kept as
    uint8. Raises TypeError for what cannot be a field.
    """
    arrays = {name: _field(name, value) for name, value in values.items()}
    fields = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    records = np.zeros(1, np.dtype(fields, align=True))
    for name, array in arrays.items():
        records[name][0] = array
    return records.view(np.recarray)[0]  # type: ignore[no-any-return]  # keeps the array alive


def _field(name: str, value: Any) -> np.ndarray[Any, Any]:
    """The value as array of a type that compiled code knows."""
    if hasattr(np.record, name):
        raise TypeError(
            f'state field {name!r}: NumPy has an attribute of that name, choose another'
        )
    array = np.asarray(value)
    if array.dtype.kind not in 'biuf' or not 1 <= array.dtype.itemsize <= 8:
        raise TypeError(f'state field {name!r} must be numeric, got {value!r}')
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    return array.astype(np.uint8) if array.dtype == np.bool_ and array.ndim else array


def record_type(state: State) -> np.dtype[Any]:
    """What compiled code has to know of a state."""
    return np.dtype((np.void, state.dtype))


def compile_callback(
    point: Point, function: Callable[..., Any], state: State | None, *, boundscheck: bool = False
) -> Callback:
    """The native code of `function(state, model, data)`, from the cache where it is there.

    At the point RENDER it is `function(state, model, data, scene)`.

    `boundscheck` makes an index outside an array an IndexError instead of undefined behaviour.
    Raises PluginError with numba's explanation if the function cannot be compiled.
    """
    if not (state is None or isinstance(state, State)):
        raise PluginError(f'self.state must come from new_state(...), is a {type(state).__name__}')
    kind = Kind.RENDER if point is Point.RENDER else Kind.CALLBACK
    address = 0 if state is None else state.__array_interface__['data'][0]
    record = None if state is None else record_type(state)
    loaded = _load(
        function,
        ('callback', repr(record and record.descr), int(kind), boundscheck),
        (function, record, kind, boundscheck),
        'callback',
    )
    return Callback(point, loaded.address, address, keep=(loaded, state))


def compile_entry(
    which: Function,
    function: Callable[..., Any],
    record: np.dtype[Any],
    *,
    of_distance: bool = False,
    boundscheck: bool = False,
) -> native.Loaded:
    """The same for a function of an engine plugin: a C function of addresses.

    `of_distance` makes the gradient of a distance of it.
    """
    parts = 'entry', repr(record.descr), int(which), of_distance, boundscheck
    return _load(function, parts, (function, record, which, of_distance, boundscheck), 'entry')


def _load(
    function: Callable[..., Any], parts: tuple[object, ...], arguments: Any, what: str
) -> native.Loaded:
    """From the cache, or compiled for it, or for this process alone."""

    def key() -> native.Key:
        found = identify(function)
        return native.Key((*parts, *found.parts), found.classes)

    def compile_portable() -> NativeCode | None:
        from . import compiled  # imports numba

        code: NativeCode | None = getattr(compiled, f'portable_{what}')(*arguments)
        return code

    name = getattr(function, '__qualname__', repr(function))
    try:
        loaded = native.load(name, key, compile_portable)
    except UnfollowedError as error:
        _log.info('the code of %s is not kept for the next start: %s', name, error)
        loaded = None
    if loaded is None:
        from . import compiled

        loaded = getattr(compiled, f'{what}_here')(*arguments)
    return loaded
