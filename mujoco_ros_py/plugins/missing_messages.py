"""Messages for users about packages of ROS messages that are not installed.

PyPI does not have all of these packages, so some messages explain how to build them.
"""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec

from ..engine.resources import local_path
from ..errors import PluginError

_BUILDER = 'package://mujoco_ros_py/interfaces/install.py'
_OURS = 'mujoco_ros_msgs', 'mujoco_ros_py_interfaces'
"""Packages that no ROS installation includes."""
_OF_PYPI = (
    'builtin_interfaces', 'diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'rcl_interfaces',
    'rosgraph_msgs', 'sensor_msgs', 'std_msgs', 'std_srvs', 'trajectory_msgs',
    'visualization_msgs',
)  # fmt: skip
"""Packages that the extra `ros` installs from PyPI."""


def missing_messages(package: str, effect: str) -> str:
    """Returns a message about a missing package: the effect, and how to install the package.

    `effect` is a clause that names what does not work without the package, such as 'no transforms
    are published'.
    """
    there = find_spec(package) is not None
    state = 'is too old, or cannot be imported' if there else 'is not installed'
    build = shlex.join([sys.executable, str(local_path(_BUILDER))])
    tools = f'with gcc, g++ and the Python headers (python3-dev): {build}'
    if package in _OURS:
        return f'{package} {state}: {effect}. ROS does not include it; build it {tools}'
    told = f'{package} {state}: {effect}. Install the ROS package {_ros_name(package)}'
    if package in _OF_PYPI:
        return f"{told}, or run: pip install 'mujoco_ros_py[ros]'"
    if _is_built(package):
        return (
            f'{package} {state}: {effect}. '
            f'Install the ROS package {_ros_name(package)}, or build it {tools}'
        )
    return told


def as_refusal(error: BaseException) -> BaseException:
    """Replaces the failed import of a message package with an error that says how to install it.

    Returns any other error unchanged.
    """
    package = error.name if isinstance(error, ModuleNotFoundError) else None
    package = (package or '').partition('.')[0]
    if not package.endswith(('_msgs', '_srvs', '_interfaces')):
        return error
    return PluginError(missing_messages(package, 'the plugin imports it; see `ros_type`'))


def _ros_name(package: str) -> str:
    return package.replace('_', '-')


def _is_built(package: str) -> bool:
    """Returns whether the package can be built from `interfaces`."""
    return (local_path(_BUILDER).parent / package).is_dir()
