"""Measures the CPU time of this package and of its counterpart in turn."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from .rounds import LeftOutError, Rounds


@cache
def peer() -> Any:
    """Returns the module of PyMJCF. Raises LeftOutError if it is not installed."""
    os.environ.setdefault('MUJOCO_GL', 'egl')  # dm_control would open a window otherwise
    try:
        from dm_control import mjcf
    except ImportError as error:
        raise LeftOutError('needs dm_control: pip install mujoco_ros_py[bench]') from error
    return mjcf


def in_turn(**cases: tuple[Callable[[], Any], ...]) -> Rounds:
    """Compares the functions of this package with those of its counterpart, case by case."""
    while True:
        yield {case: (_cpu_s(ours), _cpu_s(theirs)) for case, (ours, theirs) in cases.items()}


def _cpu_s(function: Callable[[], Any]) -> float:
    """Returns the mean CPU time (s) of a call, over repeated calls.

    Includes garbage collection, but only of garbage from these calls. `gc.freeze` excludes objects
    of the counterpart and of imported modules, which share a process only in this comparison.
    """
    gc.collect()
    gc.freeze()
    count, start = 0, time.process_time()
    while count == 0 or time.process_time() - start < 0.05:
        function()
        count += 1
    taken = (time.process_time() - start) / count
    gc.unfreeze()
    return taken
