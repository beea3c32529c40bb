"""The CPU time of importing the MJCF object model, relative to dm_control's PyMJCF."""

from __future__ import annotations

import resource
import subprocess
import sys

from .pairs import peer
from .rounds import Rounds


def measure() -> Rounds:
    """Measures `mjcf` and `pymjcf`, each in a new Python process with existing bytecode."""
    peer()  # raises LeftOutError if PyMJCF is not installed
    while True:
        theirs = _cpu_s('from dm_control import mjcf')
        modules = 'mjcf', 'mjcf.pymjcf'
        yield {each: (_cpu_s(f'import mujoco_ros_py.{each}'), theirs) for each in modules}


def _cpu_s(code: str) -> float:
    """Returns the CPU time (s) of a new Python process for this code, including its children."""
    before = _of_children()
    subprocess.run([sys.executable, '-c', code], check=True)
    return _of_children() - before


def _of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
