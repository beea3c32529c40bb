"""The executables; `python -m mujoco_ros_py` is the server, or `mjcf` commands."""

import contextlib
import logging
import os
import signal
import sys
import threading
from importlib import import_module
from typing import Any

from mujoco_ros_py.errors import IsolationError

_CLIENT = 'call', 'set', 'publish'
"""Commands that talk to a server that runs."""
_BAD_INPUT = 2
"""Exit code."""
_STANDARD_FILES = 3
"""Input, output and errors."""


def main() -> int:
    """Runs the server, or a command for models, which needs no ROS."""
    _open_standard_files()
    _end_without_noise()
    try:
        import_module('mujoco_ros_py.requirements')
    except ImportError as error:
        print(f'mujoco_ros_py: {error}', file=sys.stderr)
        return _BAD_INPUT
    if sys.argv[1:2] == ['mjcf']:
        code: int = import_module('mujoco_ros_py.mjcf.tools.commands').run(sys.argv[2:])
        return code
    if sys.argv[1:2] and sys.argv[1] in _CLIENT:
        return int(import_module('mujoco_ros_py.ros.client').main())
    return _run('main', _model_process())


def parameter_server() -> int:
    """Runs a parameter server."""
    _open_standard_files()
    _end_without_noise()
    return _run('parameter_server')


def _open_standard_files() -> None:
    """No other file gets the numbers that libraries print to, if this starts without output."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < _STANDARD_FILES:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _model_process() -> Any:
    """Compiles models. It is forked before there are threads, which takes next to no time."""
    trial = import_module('mujoco_ros_py.simulation.models.model_trial')
    worker = import_module('mujoco_ros_py.isolation').Worker(f'{trial.__name__}:carry_out')
    with contextlib.suppress(IsolationError):  # who needs it is told then
        worker.fork()
    return worker


def _run(module: str, *arguments: Any) -> int:
    code: int = import_module(f'mujoco_ros_py.ros.{module}').main(*arguments)
    if threading.active_count() > 1:
        _exit_with_threads(code)
    return code


def _end_without_noise() -> None:
    """Lets a signal end the process, as long as the modules are still being imported."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: os._exit(128 + number))


def _exit_with_threads(code: int) -> None:
    """Leaves without the interpreter's own end, in which a thread that is in C++ code would abort.

    Python ends a thread that comes back for the GIL by unwinding it, which rclpy's destructors do
    not allow. Such a thread is one that a plugin left, or that makes a plugin still.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == '__main__':
    sys.exit(main())
