"""Symbols through which compiled code finds memory and thread keys of the process.

Each symbol must be registered before code that uses it is loaded. `exception_places` registers
PLACE, `callback_registry` REGISTRY, `program_callbacks` PROGRAM, `crash_line` CRASHES, and this
module the thread keys.
"""

from __future__ import annotations

import ctypes

from .foreign.llvm_loader import add_symbol

PLACE = 'mujoco_ros_py_place'
"""Symbol of a pointer to the text ``file\nfunction\nline``, the place in the user's code at which
an exception was last raised; null if no place is stored."""
REGISTRY = 'mujoco_ros_py_registry'
"""Symbol of a pointer to the registry that maps each mjData to its callback table."""
PROGRAM = 'mujoco_ros_py_program_callbacks'
"""Symbol of a pointer to the record with MuJoCo's global callbacks; see
`records.PROGRAM_CALLBACKS`."""
CRASHES = 'mujoco_ros_py_crashes'
"""Symbol of the record from which a crash is reported; see `crash_records.CRASHES`."""
GUARD_KEY = 'mujoco_ros_py_guard_key'
"""Symbol of the pthread key for the innermost guard of a thread, the block to which a fatal error
of libmujoco jumps; see `guard_block`."""
STACK_LIMIT_KEY = 'mujoco_ros_py_stack_limit_key'
"""Symbol of the pthread key for the lowest address that recursion may reach on a thread, used by
`compiled.recursion`."""


def _new_thread_key(symbol: str) -> ctypes.c_uint:
    """Creates a pthread key and registers it under a symbol for compiled code.

    The result must stay alive until the process exits. Raises OSError if no pthread key is left.
    """
    key = ctypes.c_uint()
    if ctypes.CDLL(None).pthread_key_create(ctypes.byref(key), None):
        raise OSError('no pthread key left')
    add_symbol(symbol, ctypes.addressof(key))
    return key


guard_key, _stack_limit_key = map(_new_thread_key, (GUARD_KEY, STACK_LIMIT_KEY))
