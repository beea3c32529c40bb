"""The CPU time of compiling the physics loop, relative to compiling it with numba.njit.

A round compiles the largest function of the loop with all its callees, in a new process with an
empty cache. The counterpart compiles the same source with plain numba decorators.
"""

from __future__ import annotations

import os
import sys
import tempfile

from .rounds import Rounds

_OURS = """
from mujoco_ros_py.engine import own_code
own_code.function('run')
"""
_THEIRS = """
import numba
from mujoco_ros_py.engine import own_code
from mujoco_ros_py.engine.foreign import llvmlite_internals
llvmlite_internals.forget_lock_callbacks = lambda: None
from mujoco_ros_py.engine.compiled import own_functions
own_functions.own_function = lambda **options: numba.njit(nogil=True, **options)
from mujoco_ros_py.engine.compiled import kernel
numba.cfunc(numba.int64(*[numba.int64] * own_code.ARGUMENTS['run']))(kernel.run)
"""


def measure() -> Rounds:
    """Compiles both in turn, each time from scratch."""
    while True:
        yield _cpu_s(_OURS), _cpu_s(_THEIRS)


def _cpu_s(code: str) -> float:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, 'MUJOCO_ROS_PY_CACHE_DIR': cache}
        arguments = [sys.executable, '-c', code]
        child = os.posix_spawn(sys.executable, arguments, environment)
        _, status, usage = os.wait4(child, 0)
    assert status == 0, arguments
    return usage.ru_utime + usage.ru_stime
