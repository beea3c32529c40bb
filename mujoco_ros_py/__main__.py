"""The command line: `python -m mujoco_ros_py` is the server, or a command such as `mjcf`."""

import os
import signal
import sys
from importlib import import_module

_BAD_INPUT = 2
"""The exit code for invalid input."""
_STANDARD_FILES = 3
"""The number of standard descriptors: input, output and errors."""


def main() -> int:
    """Runs a command; without a command, runs a server with the ROS arguments."""
    return _run(sys.argv[1:])


def parameter_server() -> int:
    """Runs a parameter server."""
    return _run(['parameter-server', *sys.argv[1:]])


def _run(argv: list[str]) -> int:
    _open_standard_files()
    _end_without_noise()
    try:
        requirements = import_module('mujoco_ros_py.requirements')
        if argv[:1] != ['mjcf']:  # `mjcf` does not need numba
            requirements.check_numba()
    except ImportError as error:
        print(f'mujoco_ros_py: {error}', file=sys.stderr)
        return _BAD_INPUT
    server_start = import_module('mujoco_ros_py.server_start')
    if _is_for_ros(argv):  # does not need the command line, which imports slowly
        code: int = server_start.serve(argv)
    else:
        code = import_module('mujoco_ros_py.command_line').run(argv)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C must not interrupt the exit
    code = server_start.ended(code)
    return code


def _is_for_ros(argv: list[str]) -> bool:
    """Returns whether all arguments are for ROS, and no shell completion is requested."""
    return argv[:1] in ([], ['--ros-args']) and '_MUJOCO_ROS_PY_COMPLETE' not in os.environ


def _open_standard_files() -> None:
    """Opens missing standard files, so no other file gets their descriptors."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < _STANDARD_FILES:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _end_without_noise() -> None:
    """Makes signals end the process without a traceback while modules are imported."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: os._exit(128 + number))


if __name__ == '__main__':
    sys.exit(main())
