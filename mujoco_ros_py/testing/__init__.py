"""Tests of robots: servers that a test steps and reads, as a pytest plugin and without it.

pytest finds the plugin by itself where this package is installed; in a checkout, a `conftest.py`
says ``pytest_plugins = ['mujoco_ros_py.testing']``.
"""

from .pytest_plugin import (
    mujoco_config,
    pytest_addoption,
    pytest_configure,
    pytest_runtest_makereport,
    pytest_runtest_setup,
    server,
    start_server,
)
from .serving import serve

__all__ = [
    'mujoco_config',
    'pytest_addoption',
    'pytest_configure',
    'pytest_runtest_makereport',
    'pytest_runtest_setup',
    'serve',
    'server',
    'start_server',
]
