"""MuJoCo callbacks set by the surrounding program, for example with mujoco.set_mjcb_control.

These callbacks are global to the process, but simulations need `mjcb_control` and `mjcb_passive`
for their own functions. If the program sets one of these two, its callback is moved to a record of
this module, and our functions call it for data outside the simulations. The loop checks MuJoCo's
variables for new callbacks before each step, because C code can set them too.
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
"""MuJoCo's callbacks; simulations use the first `MOVED` of these for their own functions."""
_ANY_GUARD = 1
"""A placeholder for the address of a guard; compiled code only compares it with 0."""
_log = logging.getLogger(__name__)

_process = ctypes.CDLL(None)
_process.pthread_getspecific.restype = ctypes.c_void_p


def _clock() -> int:
    """Returns the address of the bindings' clock; 0 if the program has set its own clock."""
    return callback_pointer('mjcb_time').value or 0 if mujoco.get_mjcb_time() is None else 0


_records = np.zeros(1, PROGRAM_CALLBACKS)
_record = _records[0]
_record['variables'] = [ctypes.addressof(callback_pointer(name)) for name in NAMES]
# The bindings set a clock when they are imported; this is not the program's callback.
_record['default'][NAMES.index('mjcb_time')] = _clock()
_pointer = ctypes.c_int64(_records.ctypes.data)
add_symbol(PROGRAM, ctypes.addressof(_pointer))


def take_over(own: Sequence[int]) -> None:
    """Installs the simulations' functions, and records the program's callbacks they replace.

    `own` has the addresses of the functions.
    """
    _record['own'] = own
    for index, address in enumerate(own):
        variable = callback_pointer(NAMES[index])
        # If our own function is installed already, it must not be recorded as the program's.
        if variable.value != address:
            _record['program'][index] = variable.value or 0
            variable.value = address


def any_callback() -> bool:
    """Returns whether `mjcb_control` or `mjcb_passive` is set."""
    return any(callback_pointer(name).value is not None for name in NAMES[:MOVED])


@contextmanager
def guarding() -> Iterator[None]:
    """Marks the calling thread as being inside a guarded call.

    Our functions do not call the program's callbacks there.
    """
    outer = _process.pthread_getspecific(guard_key)
    _process.pthread_setspecific(guard_key, ctypes.c_void_p(_ANY_GUARD))
    try:
        yield
    finally:
        _process.pthread_setspecific(guard_key, ctypes.c_void_p(outer))


def log_program_callbacks() -> None:
    """Logs a warning for each callback that the program has set since the last call."""
    addresses = [int(address) for address in _record['program']]
    addresses += [callback_pointer(name).value or 0 for name in NAMES[MOVED:]]
    there = [each not in (0, _record['default'][bit]) for bit, each in enumerate(addresses)]
    logged = int(_record['logged'])
    # Replaces the whole record, so a callback that is removed and set again is logged again.
    _record['logged'] = sum(is_set << bit for bit, is_set in enumerate(there))
    for bit, name in enumerate(NAMES):
        if not there[bit] or logged >> bit & 1:
            continue
        if bit < MOVED:
            _log.warning(
                '%s was set in this process: it is called only for data outside the simulations,'
                ' and plugins keep their callbacks (at most one step ran without them)',
                name,
            )
        else:
            _log.warning(
                '%s was set in this process: MuJoCo calls it in the steps of all simulations', name
            )
