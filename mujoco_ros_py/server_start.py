"""Runs a server: forks the process that compiles models, imports the node, and ends cleanly."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .errors import ConfigError, IsolationError
from .quick_imports import quick_imports

_BAD_INPUT = 2
"""The exit code for invalid input."""


def serve(argv: Sequence[str]) -> int:
    """Runs a server with ROS arguments until it ends, and returns the exit code."""
    return _run('main', model_process(), argv)


def serve_parameters(argv: Sequence[str]) -> int:
    """Runs a parameter server with ROS arguments until it ends, and returns the exit code."""
    return _run('parameter_server', argv)


def model_process() -> Any:
    """Forks the process that compiles models, early: a process without threads forks quickly."""
    with quick_imports():
        import_module('mujoco')  # first: inside another import, NumPy imports 25 ms slower
        trial = import_module('mujoco_ros_py.simulation.models.model_trial')
        processes = import_module('mujoco_ros_py.processes')
    worker = processes.Worker(f'{trial.__name__}:carry_out')
    with contextlib.suppress(IsolationError):  # the first model will report the error
        worker.fork()
    import_module('mujoco_ros_py.engine').load_ahead()
    return worker


def ros_module(name: str) -> Any:
    """Imports a module of `mujoco_ros_py.ros`. Raises ConfigError without ROS."""
    try:
        return import_module(f'mujoco_ros_py.ros.{name}')
    except ImportError as error:
        told = "source a ROS installation, or pip install 'mujoco_ros_py[ros]'"
        raise ConfigError(f'this needs ROS ({told}): {error}') from None


def ended(code: int) -> int:
    """Returns the exit code, or ends the process here if threads are left."""
    if threading.active_count() > 1:
        _exit_with_threads(code)
    return code


def _run(module: str, *arguments: Any) -> int:
    try:
        with quick_imports():
            imported = ros_module(module)
    except ConfigError as error:
        print(f'mujoco_ros_py: {error}', file=sys.stderr)
        return _BAD_INPUT
    code: int = imported.main(*arguments)
    return code


def _exit_with_threads(code: int) -> None:
    """Ends the process without finalizing the interpreter, which would abort threads in C++ code.

    When Python ends, it unwinds each thread that waits for the GIL, and rclpy's destructors do not
    permit that. The thread may be left behind by a plugin, or may still be creating a plugin.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
