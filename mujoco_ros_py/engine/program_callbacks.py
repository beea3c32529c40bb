"""MuJoCo's callbacks that the program around the simulations sets, as by mujoco.set_mjcb_control.

They are global to the process. At `mjcb_control` and `mjcb_passive` simulations need functions of
their own. What a program sets there is moved to the record of this file, and our functions call it
for data that belong to no simulation. The loop looks for it before each step, because programs in
C set these variables too.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import mujoco
import numpy as np

from ..mujoco_internals import callback_pointer
from .foreign.llvm_loader import add_symbol
from .records import MOVED, PROGRAM_CALLBACKS
from .symbols import PROGRAM, guard_key

NAMES = (
    'mjcb_control', 'mjcb_passive', 'mjcb_sensor', 'mjcb_contactfilter', 'mjcb_act_dyn',
    'mjcb_act_gain', 'mjcb_act_bias', 'mjcb_time',
)  # fmt: skip
"""MuJoCo's callbacks; the first `MOVED` of them are those at which simulations have functions."""
_ANY_GUARD = 1
"""Stands for the address of a guard, which nobody uses."""
_log = logging.getLogger(__name__)

_process = ctypes.CDLL(None)
_process.pthread_getspecific.restype = ctypes.c_void_p


def _clock() -> int:
    """Returns the address of the clock of MuJoCo's bindings; 0 if the program has set another."""
    return callback_pointer('mjcb_time').value or 0 if mujoco.get_mjcb_time() is None else 0


_records = np.zeros(1, PROGRAM_CALLBACKS)
_record = _records[0]
_record['variables'] = [ctypes.addressof(callback_pointer(name)) for name in NAMES]
# The bindings set a clock at their import, and not the program.
_record['default'][NAMES.index('mjcb_time')] = _clock()
_pointer = ctypes.c_int64(_records.ctypes.data)
add_symbol(PROGRAM, ctypes.addressof(_pointer))


def take_over(own: Sequence[int]) -> None:
    """Sets the functions of simulations, by their addresses, and moves those of the program."""
    _record['own'] = own
    for index, address in enumerate(own):
        variable = callback_pointer(NAMES[index])
        # Otherwise our own function would count as the program's.
        if variable.value != address:
            _record['program'][index] = variable.value or 0
            variable.value = address


def any_callback() -> bool:
    """Returns whether MuJoCo calls functions for controls or passive forces, ours or others."""
    return any(callback_pointer(name).value is not None for name in NAMES[:MOVED])


@contextmanager
def guarding() -> Iterator[None]:
    """Has the calling thread count as one that is inside of a guarded call."""
    outer = _process.pthread_getspecific(guard_key)
    _process.pthread_setspecific(guard_key, ctypes.c_void_p(_ANY_GUARD))
    try:
        yield
    finally:
        _process.pthread_setspecific(guard_key, ctypes.c_void_p(outer))


def log_program_callbacks() -> None:
    """Logs which callbacks the program has set since the last call."""
    addresses = [int(address) for address in _record['program']]
    addresses += [callback_pointer(name).value or 0 for name in NAMES[MOVED:]]
    there = [each not in (0, _record['default'][bit]) for bit, each in enumerate(addresses)]
    logged = int(_record['logged'])
    # The callbacks that are set now: one that is removed and set again is logged again.
    _record['logged'] = sum(is_set << bit for bit, is_set in enumerate(there))
    for bit, name in enumerate(NAMES):
        if not there[bit] or logged >> bit & 1:
            continue
        if bit < MOVED:
            _log.warning(
                '%s was set in this process: it is called only for data that belong to no'
                ' simulation, and plugins keep their callbacks; only the step during which it was'
                ' set may lack them',
                name,
            )
        else:
            _log.warning(
                '%s was set in this process: MuJoCo calls it in the steps of all simulations', name
            )
