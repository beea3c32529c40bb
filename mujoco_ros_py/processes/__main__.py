"""Runs a task's process: ``python -m mujoco_ros_py.processes <task> <descriptors>``."""

import sys

from .child import main

main(*sys.argv[1:])
