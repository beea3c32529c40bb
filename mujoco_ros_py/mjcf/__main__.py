"""Makes `python -m mujoco_ros_py.mjcf` the same as `mujoco_ros_py mjcf`."""

import signal
import sys

from .tools.commands import run

if __name__ == '__main__':
    code = run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C must not interrupt the exit
    sys.exit(code)
