"""Runs the process of the viewer: ``python -m mujoco_ros_py.viewer <descriptors>``."""

import sys

from .page_process import main

sys.exit(main(*map(int, sys.argv[1:])))
