"""Runs a script of a page in a forked process; see `mujoco_ros_py.processes.ForkServer`."""

from __future__ import annotations

import runpy
import sys

from mujoco_ros_py.testing.server_program import prepare

__all__ = ['main', 'prepare']


def main() -> int:
    """Runs the script that the first argument names, and returns the exit code."""
    runpy.run_path(sys.argv[1], run_name='__main__')
    return 0
