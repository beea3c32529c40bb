"""Simulation servers for tests of robots, as a pytest plugin or through `serve`.

pytest loads the plugin automatically if this package is installed. In a checkout, add
``pytest_plugins = ['mujoco_ros_py.testing']`` to `conftest.py`.
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
except ModuleNotFoundError as error:  # `serve` and the replay work without pytest
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
