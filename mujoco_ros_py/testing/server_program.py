"""The server as a forked program: the imports before the fork, and the main of each copy."""

from __future__ import annotations

import atexit
import sys
import threading
from contextlib import suppress
from importlib import import_module

from ..processes import ForkServers
from ..quick_imports import quick_imports

OWN = {'AMENT_PREFIX_PATH', 'PYTEST_CURRENT_TEST', 'PYTHONPATH', 'ROS_DOMAIN_ID'}
"""The environment variables that can differ between servers forked from one process."""

_MODULES = (
    'mujoco_ros_py.__main__',
    'mujoco_ros_py.requirements',
    'mujoco_ros_py.simulation.models.model_trial',
    'mujoco_ros_py.ros.main',
    'mujoco_ros_py.ros.original.interface',
    'mujoco_ros_py.ros.simulation_interfaces.interface',
    'mujoco_ros_py.ros.states.interface',
    'mujoco_ros_py.testing.request_plugin',
)


def prepare() -> None:
    """Imports the modules of every server, and loads their compiled code.

    Import errors are ignored here: each server reports them itself.
    """
    with quick_imports():
        for name in _MODULES:
            with suppress(ImportError):
                import_module(name)
        with suppress(ImportError):
            import_module('mujoco_ros_py.engine').load_ahead()
        _load_type_supports()
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join()


def _load_type_supports() -> None:
    """Loads the C code of all imported message types.

    A server needs most of these types for its services; loading them takes 0.1 s.
    """
    for name, module in list(sys.modules.items()):
        if name.endswith(('.msg', '.srv', '.action')):
            for kind in list(vars(module).values()):
                if getattr(kind, '_TYPE_SUPPORT', 'no message') is None:
                    kind.__import_type_support__()


def main() -> int:
    """Runs a server and returns its exit code."""
    if (numbers := sys.modules.get('numpy.random')) is not None:  # imported by NumPy 1
        numbers.seed()  # as a new process would; Python and numba reseed after a fork
    code: int = import_module('mujoco_ros_py.__main__').main()
    return code


_servers = ForkServers(__name__, OWN)
atexit.register(_servers.close)
copied_server = _servers.start
