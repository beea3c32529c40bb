"""Compiled: the functions installed in MuJoCo's callback variables.

If the surrounding program replaces them, the loop installs them again. For data that belong to no
simulation, the functions call the program's callbacks.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..foreign.numba.numba_objects import Context, Signature, Typed, Typing, Values
from ..records import (
    MOVED,
    NO_DATA,
    PROGRAM_CALLBACKS,
    REGISTRY_BITS,
    REGISTRY_MULTIPLIER,
    REGISTRY_SLOTS,
    TABLE,
    Point,
)
from ..stack_arrays import Numbers
from ..symbols import PROGRAM, REGISTRY
from . import mujoco_functions as _functions  # noqa: F401  (makes mujoco.mju_copy callable)
from .addresses import array_at, record_at
from .dispatch import dispatch
from .guarded_call import is_guarded
from .own_functions import own_function
from .struct_attributes import data_at, model_at
from .system import call_at, compare_exchange

_READ, _WRITE, _PASSIVE = int(Point.READ), int(Point.WRITE), int(Point.PASSIVE)
_PROGRAM_CONTROL, _PROGRAM_PASSIVE = 0, 1
"""The indices of `mjcb_control` and `mjcb_passive` among the program's callbacks."""
_I64 = ir.IntType(64)
_SAMPLING = 63
"""Mask for the turns in which all of MuJoCo's callbacks are checked."""


# Functions without a decorator are C functions, as in `kernel`.


def on_control(model: int, data: int) -> int:
    """The function at `mjcb_control`: calls the read, control and write callbacks of the data."""
    table = _table_of(data)
    if table != 0:
        # A single call for all three points: a forward pass inside a control callback must not
        # call the read and write callbacks again.
        dispatch(table, _READ, _WRITE, model, data)
        # Clamps after all callbacks, so that the commands of every plugin are limited.
        limit = record_at(table, TABLE).limit
        if limit > 0:
            _limit_commands(data_at(data, model_at(model)), limit)
    else:
        _call_program(_PROGRAM_CONTROL, model, data)
    return 0


def on_passive(model: int, data: int) -> int:
    """The function at `mjcb_passive`: calls the passive callbacks of the data."""
    table = _table_of(data)
    if table != 0:
        _dispatch_passive(table, model, data)
    else:
        _call_program(_PROGRAM_PASSIVE, model, data)
    return 0


@own_function()
def _dispatch_passive(address: int, model: int, data: int) -> None:
    """Calls the passive callbacks, and stores the sum of the forces that they add.

    Forward passes of copies add this sum, because copies have no callbacks.
    """
    table = record_at(address, TABLE)
    if table.passive == 0:
        dispatch(address, _PASSIVE, _PASSIVE, model, data)
        return
    typed = model_at(model)
    force = data_at(data, typed).qfrc_passive
    added = array_at(table.passive, typed.nv, np.float64)
    # MuJoCo has already written its own passive forces; the difference is the callbacks'
    # contribution.
    mujoco.mju_copy(added, force, typed.nv)
    dispatch(address, _PASSIVE, _PASSIVE, model, data)
    mujoco.mju_sub(added, force, added, typed.nv)


@own_function()
def _limit_commands(data: mujoco.MjData, limit: float) -> None:
    """Clamps controls and applied forces to [-limit, limit]; NaN is kept."""
    _limit(data.ctrl, limit)
    _limit(data.qfrc_applied, limit)
    for body in range(len(data.xfrc_applied)):
        _limit(data.xfrc_applied[body], limit)


@own_function()
def _limit(numbers: Numbers, limit: float) -> None:
    for k in range(len(numbers)):
        # NaN fails this comparison and is kept: MuJoCo warns about NaN, and a limit would hide it.
        if abs(numbers[k]) > limit:
            numbers[k] = math.copysign(limit, numbers[k])


@own_function()
def _table_of(data: int) -> int:
    """Returns the address of the data's table, or 0 for data without a table, such as copies."""
    # No lock is needed: reads of aligned 8-byte numbers are atomic on x86-64 and aarch64, and
    # entries never move.
    rows = array_at(_registry_address(), 2 * REGISTRY_SLOTS, np.int64)
    slot = (((data >> 4) * REGISTRY_MULTIPLIER) >> (64 - REGISTRY_BITS)) & (REGISTRY_SLOTS - 1)
    # The search must end even if other threads change the table in the meantime.
    for _ in range(REGISTRY_SLOTS):
        key = rows[2 * slot]
        if key == data:
            return int(rows[2 * slot + 1])
        if key == NO_DATA:
            break
        slot = (slot + 1) & (REGISTRY_SLOTS - 1)
    return 0


@intrinsic
def _registry_address(typing: Typing) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.load(context.get_c_value(builder, _I64, REGISTRY))

    return types.int64(), emit


@intrinsic
def _record_address(typing: Typing) -> Typed:
    def emit(context: Context, builder: ir.IRBuilder, sig: Signature, args: Values) -> ir.Value:
        return builder.load(context.get_c_value(builder, _I64, PROGRAM))

    return types.int64(), emit


@own_function()
def keep_callbacks(turn: int) -> bool:
    """Restores the simulations' functions if the program has replaced them.

    Returns whether Python has to log callbacks that the program has set. Callbacks in variables
    that simulations do not use are noticed after up to 64 turns.
    """
    record = record_at(_record_address(), PROGRAM_CALLBACKS)
    moved = False
    for index in range(MOVED):
        variable, own = record.variables[index], record.own[index]
        address = _number_at(variable)
        # Several simulations may check at the same time. The thread that exchanges the variable
        # records the program's function; the others find our function.
        if address != own and compare_exchange(variable, address, own):
            record.program[index] = address
            moved = True
    return (moved or turn & _SAMPLING == 0) and _set(record) != record.logged


@own_function()
def _set(record: np.record) -> int:
    """Returns one bit for each callback that the program has set."""
    bits = 0
    for index in range(len(record.variables)):
        address = record.program[index] if index < MOVED else _number_at(record.variables[index])
        if address not in (0, record.default[index]):
            bits |= 1 << index
    return bits


@own_function()
def _number_at(variable: int) -> int:
    number: int = array_at(variable, 1, np.int64)[0]
    return number


@own_function()
def _call_program(index: int, model: int, data: int) -> None:
    """Calls the program's callback for data that belong to no simulation.

    Does nothing inside a guarded call: there, the data is a simulation's own copy.
    """
    record = record_at(_record_address(), PROGRAM_CALLBACKS)
    address = record.program[index]
    if address != 0 and not is_guarded():
        call_at(address, model, data, 0, 0)
