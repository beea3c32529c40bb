"""The symbols by which compiled code finds memory of this process and keys of its threads.

Each symbol is registered before code that uses it is loaded: the place of exceptions by
`exception_places`, the registry of simulations by `callback_registry`, the callbacks of the
program by `program_callbacks`, what crashes name by `crash_line`, and the keys here.
"""

from __future__ import annotations

import ctypes

from .foreign.llvm_loader import add_symbol

PLACE = 'mujoco_ros_py_place'
"""The symbol of a pointer to a text, ``file\nfunction\nline``."""
REGISTRY = 'mujoco_ros_py_registry'
"""The symbol of a table that has the callback table of each mjData."""
PROGRAM = 'mujoco_ros_py_program_callbacks'
"""The symbol of a pointer to the PROGRAM_CALLBACKS of this process."""
CRASHES = 'mujoco_ros_py_crashes'
"""The symbol of the CRASHES of this process."""
GUARD_KEY = 'mujoco_ros_py_guard_key'
"""The symbol of the pthread key under which each thread finds the guard that it is in."""
STACK_LIMIT_KEY = 'mujoco_ros_py_stack_limit_key'
"""The symbol of the pthread key under which each thread stores the lowest address that recursion
may reach, as `compiled.recursion` uses it."""


def _new_thread_key(symbol: str) -> ctypes.c_uint:
    """Makes a pthread key, and registers it under a symbol for compiled code.

    The result has to live as long as the process. Raises OSError if the process has no key left.
    """
    key = ctypes.c_uint()
    if ctypes.CDLL(None).pthread_key_create(ctypes.byref(key), None):
        raise OSError('no pthread key left')
    add_symbol(symbol, ctypes.addressof(key))
    return key


guard_key, _stack_limit_key = map(_new_thread_key, (GUARD_KEY, STACK_LIMIT_KEY))
