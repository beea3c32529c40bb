"""Compiled: the signal handler that names the running code; see `engine.crash_line`."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .. import symbols
from ..crash_records import CRASH_LINE, CRASHES, WATCHED
from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from .addresses import array_at, record_at
from .system import call

_STDERR = 2
_NUMBERS = 0xFF
"""Mask for the signal number: the upper part of an int's register is undefined."""
_I32, _I64 = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


def on_crash(number: int) -> int:
    """Writes the crash line, then raises the signal again for the previous handler.

    The previous handler runs as soon as this handler returns. Dumps, debuggers and the exit code
    are therefore the same as without this handler, which only calls async-signal-safe functions.
    """
    crashes = record_at(_address(), CRASHES)
    signal = number & _NUMBERS
    # Done first, so that a fault in this handler goes to the previous handler and not here again.
    _handle_as(signal, crashes.before[signal])
    watched = array_at(crashes.watched, crashes.count, WATCHED)
    text, length = crashes.begins[signal], 0
    for index in range(len(watched)):
        place = watched[index]
        # Other threads may be changing the table, and a signal handler must not take a lock.
        if place.running != 0:
            running = array_at(place.running, 1, np.int64)[0]
            if 0 < running <= place.count:
                # Bounds-checked, because damaged memory may be the cause of the crash.
                name = array_at(place.names, place.count, np.int64)[running - 1]
                for each in (text, name):
                    length += _append(crashes.line + length, each, CRASH_LINE - length)
                text = crashes.comma
    if length > 0:
        length += _append(crashes.line + length, crashes.end, CRASH_LINE - length)
        _write(crashes.line, length)  # as one write, because other threads write too
    # sent explicitly: only signals of a failing instruction, such as SIGSEGV, would recur
    _raise(signal)
    return 0


@intrinsic
def _address(typing: Typing) -> Typed:
    """Returns the address of this process's CRASHES."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.ptrtoint(context.get_c_value(builder, _I64, symbols.CRASHES), _I64)

    return types.int64(), emit


@intrinsic
def _append(typing: Typing, place: types.Type, text: types.Type, room: types.Type) -> Typed:
    """Copies the zero-terminated text at an address; returns the number of copied bytes."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        place, text = (builder.inttoptr(each, _BYTES) for each in args[:2])
        length = call(builder, 'strnlen', _I64, text, args[2])
        call(builder, 'memcpy', _BYTES, place, text, length)
        return length

    return types.int64(*[types.int64] * 3), emit


@intrinsic
def _write(typing: Typing, text: types.Type, length: types.Type) -> Typed:
    """Writes `length` bytes at an address to stderr."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        call(builder, 'write', _I64, _I32(_STDERR), builder.inttoptr(args[0], _BYTES), args[1])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), emit


@intrinsic
def _raise(typing: Typing, signal: types.Type) -> Typed:
    """Sends a signal to the calling thread, which receives it once it is unblocked."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        call(builder, 'raise', _I32, builder.trunc(args[0], _I32))
        return context.get_dummy_value()

    return types.void(types.int64), emit


@intrinsic
def _handle_as(typing: Typing, signal: types.Type, action: types.Type) -> Typed:
    """Installs the `struct sigaction` at an address as the handler of a signal."""

    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        action, nothing = builder.inttoptr(args[1], _BYTES), ir.Constant(_BYTES, None)
        call(builder, 'sigaction', _I32, builder.trunc(args[0], _I32), action, nothing)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), emit
