"""Compiled: has MuJoCo call simulations, whatever callbacks the program around them sets."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..records import MOVED, PROGRAM_CALLBACKS
from ..symbols import PROGRAM
from .addresses import array_at, record_at
from .guarded_call import is_guarded
from .own_functions import own_function
from .system import call_at, compare_exchange

_I64 = ir.IntType(64)
_SAMPLING = 63
"""The mask of the turns in which all of MuJoCo's callbacks are looked at."""


@intrinsic
def _record_address(typing: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(context.get_c_value(builder, _I64, PROGRAM))

    return types.int64(), emit


@own_function()
def keep_callbacks(turn: int) -> bool:
    """Puts the functions of simulations back where the program has set others.

    Returns whether Python is to tell of callbacks that the program has set; for those that stay
    where they are, that takes up to 64 turns.
    """
    record = record_at(_record_address(), PROGRAM_CALLBACKS)
    moved = False
    for index in range(MOVED):
        place, own = record.places[index], record.own[index]
        address = _number_at(place)
        if address != own and compare_exchange(place, address, own):
            record.program[index] = address
            moved = True
    return (moved or turn & _SAMPLING == 0) and _set(record) != record.told


@own_function()
def _set(record: Any) -> int:
    """Returns a bit for each callback that the program has set."""
    bits = 0
    for index in range(len(record.places)):
        address = record.program[index] if index < MOVED else _number_at(record.places[index])
        if address not in (0, record.default[index]):
            bits |= 1 << index
    return bits


@own_function()
def _number_at(place: int) -> int:
    number: int = array_at(place, 1, np.int64)[0]
    return number


@own_function()
def call_program(point: int, model: int, data: int) -> None:
    """Calls the program's callback for data that belong to no simulation.

    It is not called inside of a guard: there, the data are copies that a simulation has made.
    """
    record = record_at(_record_address(), PROGRAM_CALLBACKS)
    address = record.program[point]
    if address != 0 and not is_guarded():
        call_at(address, model, data, 0, 0)
