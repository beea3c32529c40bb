"""Imports the MJCF object model, against dm_control's PyMJCF, in CPU time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from .pairs import Pair, peer, worst
from .result import Result

_ROUNDS = 15
_THEIRS = 'from dm_control import mjcf'


def measure(name: str, limit: float) -> Result:
    """Measures the slower of `mjcf` and `pymjcf`, each in a new Python with bytecode written."""
    peer()  # PyMJCF may not be installed
    ours = [f'from mujoco_ros_py import {module}' for module in ('mjcf', 'pymjcf')]
    rounds = [[_cpu(code) for code in (*ours, _THEIRS)] for _ in range(_ROUNDS + 1)][1:]
    *fastest, theirs = (min(each) for each in zip(*rounds, strict=True))
    pairs: list[Pair] = [(each, theirs) for each in fastest]
    return worst(name, limit, pairs)


def _cpu(code: str) -> float:
    """Returns the CPU seconds of a new Python for this code, with those of its child processes."""
    env = {key: value for key, value in os.environ.items() if key != 'PYTHONDONTWRITEBYTECODE'}
    before = _of_children()
    subprocess.run([sys.executable, '-c', code], env=env, check=True)
    return _of_children() - before


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
