"""CPU time of this package and of what it is compared with, measured in turn."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from .result import LeftOutError, Result

ROUNDS = 5
Pair = tuple[float, float]
"""Of this package, and of what it is compared with."""


@cache
def peer() -> Any:
    """PyMJCF. Raises LeftOutError if it is not installed."""
    os.environ.setdefault('MUJOCO_GL', 'egl')  # it asks for a window otherwise
    try:
        from dm_control import mjcf
    except ImportError as error:
        raise LeftOutError('dm_control is not installed: pip install dm_control') from error
    return mjcf


def worst(name: str, limit: float, pairs: list[Pair]) -> Result:
    """The row of several measurements: its ratio is that of the worst."""
    ours, theirs = max(pairs, key=lambda pair: pair[0] / pair[1])
    measured = ', '.join(f'{1e3 * a:.2f} ms against {1e3 * b:.2f} ms' for a, b in pairs)
    return Result(name=name, ratio=ours / theirs, rule='at most', limit=limit, measured=measured)


def paired(ours: Callable[[], Any], theirs: Callable[[], Any]) -> Pair:
    """Seconds of both, the medians of a few calls in turn."""
    return medians([(_cpu(ours), _cpu(theirs)) for _ in range(ROUNDS)])


def medians(pairs: list[Pair]) -> Pair:
    """The median of ours, and that of theirs."""
    ours, theirs = (statistics.median(each) for each in zip(*pairs, strict=True))
    return ours, theirs


def _cpu(function: Callable[[], Any]) -> float:
    """Seconds of CPU that a call takes, the mean of as many as fill a moment."""
    gc.collect()  # what the other one left
    count, start = 0, time.process_time()
    while count == 0 or time.process_time() - start < 0.05:
        function()
        count += 1
    return (time.process_time() - start) / count
