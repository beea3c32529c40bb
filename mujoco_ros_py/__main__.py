"""The command line: `python -m mujoco_ros_py` is the server, or a command such as `mjcf`."""

import contextlib
import logging
import os
import signal
import sys
import threading
from importlib import import_module
from typing import Any

from mujoco_ros_py.errors import IsolationError, RecordingError
from mujoco_ros_py.quick_imports import quick_imports

_CLIENT = 'call', 'set', 'publish'
"""The commands that talk to a running server."""
_RECORDINGS = 'replay', 'render'
"""The commands for recordings."""
_BAD_INPUT = 2
"""The exit code for invalid input."""
_STANDARD_FILES = 3
"""The number of standard files: input, output and errors."""


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
    if sys.argv[1:2] and sys.argv[1] in _RECORDINGS:
        recordings = import_module('mujoco_ros_py.playback.command_line')
        return _ended(int(recordings.run(sys.argv[1:], _play, _go_on)))
    if sys.argv[1:2] == ['sweep']:
        return int(import_module('mujoco_ros_py.sweep.sweep_command').run(sys.argv[2:]))
    if sys.argv[1:2] and sys.argv[1] in _CLIENT:
        return int(import_module('mujoco_ros_py.ros.client').main())
    return _run('main', _model_process())


def parameter_server() -> int:
    """Runs a parameter server."""
    _open_standard_files()
    _end_without_noise()
    return _run('parameter_server')


def _play(run: Any, given: Any) -> int:
    """Plays a recording to topics, and returns the exit code."""
    code: int = _module_with_ros('topic_replay').play(run, given)
    return code


def _go_on(run: Any, given: Any) -> int:
    """Runs a server that goes on from a moment of a recording, and returns the exit code."""
    worker = _model_process()
    code: int = _module_with_ros('continued_run').go_on(run, given, worker)
    return code


def _module_with_ros(name: str) -> Any:
    """Returns a module that needs ROS. Raises RecordingError where ROS is missing."""
    try:
        return import_module(f'mujoco_ros_py.ros.{name}')
    except ImportError as error:
        raise RecordingError(f'this needs ROS, and --viewer does not: {error}') from None


def _open_standard_files() -> None:
    """Opens missing standard files, so that no other file gets their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < _STANDARD_FILES:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _model_process() -> Any:
    """Returns the process that compiles models, forked before there are threads, which is fast."""
    with quick_imports():
        import_module('mujoco')  # deeper in the imports, NumPy's would take 25 ms longer
        trial = import_module('mujoco_ros_py.simulation.models.model_trial')
        isolation = import_module('mujoco_ros_py.isolation')
    worker = isolation.Worker(f'{trial.__name__}:carry_out')
    with contextlib.suppress(IsolationError):  # the first model will report the error
        worker.fork()
    import_module('mujoco_ros_py.engine').load_ahead()
    return worker


def _run(module: str, *arguments: Any) -> int:
    with quick_imports():
        imported = import_module(f'mujoco_ros_py.ros.{module}')
    return _ended(imported.main(*arguments))


def _ended(code: int) -> int:
    """Returns the exit code, unless threads are left that need another end of the process."""
    if threading.active_count() > 1:
        _exit_with_threads(code)
    return code


def _end_without_noise() -> None:
    """Lets a signal end the process without a traceback while modules are being imported."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: os._exit(128 + number))


def _exit_with_threads(code: int) -> None:
    """Ends the process without finalizing the interpreter, which would abort threads in C++ code.

    Python ends a thread that returns for the GIL by unwinding it, which rclpy's destructors do not
    allow. Such a thread is one that a plugin left behind or that still makes a plugin.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == '__main__':
    sys.exit(main())
