"""What to say where a package of messages is missing, as not all of them are on PyPI."""

from __future__ import annotations

import logging
import shlex
import sys
from functools import cache
from importlib.util import find_spec

from ..engine.resources import local_path

_log = logging.getLogger(__name__)
_BUILDER = 'package://mujoco_ros_py/interfaces/install.py'
_OURS = 'mujoco_ros_msgs', 'mujoco_ros_py_interfaces'
"""The packages that no ROS installation brings."""


def missing_messages(package: str, effect: str) -> str:
    """Returns a message for users: a package is missing, what that means, and how to get it.

    `package` is one of those in `interfaces`. `effect` says in a clause what is off without it,
    such as 'no transforms are published'.
    """
    there = find_spec(package) is not None
    state = 'is too old, or cannot be imported' if there else 'is not installed'
    build = shlex.join([sys.executable, str(local_path(_BUILDER))])
    tools = f'with gcc, g++ and the headers of Python (python3-dev), by: {build}'
    if package in _OURS:
        return f'{package} {state}: {effect}. No ROS installation has it; it is built, {tools}'
    name = package.replace('_', '-')
    return (
        f'{package} {state}: {effect}. '
        f'It comes with ROS (its package {name}), or is built, {tools}'
    )


@cache
def warn_of_missing_messages(package: str, effect: str) -> None:
    """Logs the message of `missing_messages` as a warning, once in the life of the process."""
    _log.warning('%s', missing_messages(package, effect))
