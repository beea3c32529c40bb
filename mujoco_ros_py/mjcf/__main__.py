"""`python -m mujoco_ros_py.mjcf` is `mujoco_ros_py mjcf`."""

import sys

from .tools.commands import run

if __name__ == '__main__':
    sys.exit(run(sys.argv[1:]))
