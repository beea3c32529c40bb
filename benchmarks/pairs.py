"""Measures the CPU time of this package and of its counterpart in turn."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from .result import LeftOutError, Result

ROUNDS = 9
Pair = tuple[float, float]
"""The time of this package and that of its counterpart, in s."""


@cache
def peer() -> Any:
    """Returns the module of PyMJCF. Raises LeftOutError if it is not installed."""
    os.environ.setdefault('MUJOCO_GL', 'egl')  # otherwise it asks for a window
    try:
        from dm_control import mjcf
    except ImportError as error:
        raise LeftOutError('dm_control is not installed: pip install dm_control') from error
    return mjcf


def worst(name: str, limit: float, pairs: list[Pair]) -> Result:
    """Returns the row of several measurements, with the worst of their ratios."""
    ours, theirs = max(pairs, key=lambda pair: pair[0] / pair[1])
    measured = ', '.join(f'{1e3 * a:.2f} ms against {1e3 * b:.2f} ms' for a, b in pairs)
    return Result(name=name, ratio=ours / theirs, rule='at most', limit=limit, measured=measured)


def paired(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = ROUNDS) -> Pair:
    """Returns the time of the fastest round of both in s, of so many rounds in turn."""
    return fastest([(_cpu(ours), _cpu(theirs)) for _ in range(rounds)])


def fastest(pairs: list[Pair]) -> Pair:
    """Returns the least of this package's times, and the least of the counterpart's.

    Each is that of the round which other processes and machines disturbed least, as `timeit`
    explains.
    """
    ours, theirs = (min(each) for each in zip(*pairs, strict=True))
    return ours, theirs


def _cpu(function: Callable[[], Any]) -> float:
    """Returns the CPU seconds of a call, as the mean of calls that fill a short time.

    Collections of garbage count, but only of what the calls leave: not of what the counterpart has
    left, nor of the modules of both, which only this comparison has in one process.
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
