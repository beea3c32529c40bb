"""How much stack each thread has for compiled code that recurses; see `compiled.recursion`."""

from __future__ import annotations

from .library import add_thread_key

LIMIT_SYMBOL = 'mujoco_ros_py_stack_limit_key'
"""Of the pthread key under which a thread keeps the lowest address that recursion may reach."""
_limit_key = add_thread_key(LIMIT_SYMBOL)
