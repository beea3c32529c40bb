"""Runs the process of the viewer: ``python -m mujoco_ros_py.viewer <descriptors>``."""

import sys

from .viewer_main import main

sys.exit(main(*map(int, sys.argv[1:])))
