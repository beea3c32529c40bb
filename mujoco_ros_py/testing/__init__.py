"""Tests of robots: servers that a test steps and reads, as a pytest plugin and without it.

pytest finds the plugin by itself where this package is installed; in a checkout, a `conftest.py`
says ``pytest_plugins = ['mujoco_ros_py.testing']``.
"""

from .serving import serve

try:
    from .pytest_plugin import (
        mujoco_config,
        pytest_addoption,
        pytest_configure,
        pytest_runtest_makereport,
        pytest_runtest_setup,
        server,
        start_server,
    )
except ModuleNotFoundError as error:  # `serve` and the replay need no pytest
    if error.name != 'pytest':
        raise

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
