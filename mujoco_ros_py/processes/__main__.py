"""Runs a `PythonProcess`: ``python -m mujoco_ros_py.processes <function> <lifeline> ...``."""

import sys

from .python_process import run

sys.exit(run(*sys.argv[1:]))
