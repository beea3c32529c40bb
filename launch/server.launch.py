"""Starts the server. Arguments override values in params_file and the server's defaults."""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

if (
    find_spec('mujoco_ros_py') is None
):  # `ros2 launch` may run in another Python than the environment's
    sys.path += map(str, Path(__file__).parents[3].glob('lib/python3*/site-packages'))

from mujoco_ros_py.config.launch_arguments import (
    check_names,
    launch_arguments,
    log_level,
    parameter_values,
)
from mujoco_ros_py.config.parameter_files import holds_parameters, parameter_file_text
from mujoco_ros_py.errors import ConfigError


def generate_launch_description() -> LaunchDescription:
    arguments = [
        DeclareLaunchArgument(name, default_value='', description=text)
        for name, text in launch_arguments().items()
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=_server)])


def _server(context: LaunchContext) -> list[Node]:
    given = {name: value for name, value in context.launch_configurations.items() if value}
    typed = [word.partition(':=')[0] for word in context.argv]
    check_names(given, _declared(context), typed)
    parameters = [_existing('params_file', given)] if 'params_file' in given else []
    if 'plugin_config' in given:
        parameters.append(_plugins(_existing('plugin_config', given)))
    parameters.append(_written(parameter_values(given)))
    level = log_level(given.get('log_level', 'info'))
    enclave = ['--enclave', given['enclave']] if 'enclave' in given else []
    return [
        Node(
            package='mujoco_ros_py',
            executable='server',
            name='mujoco_server',
            namespace=LaunchConfiguration('namespace'),
            parameters=parameters,
            arguments=['--ros-args', '--log-level', level, *enclave],
            output='screen',
        )
    ]


def _declared(context: LaunchContext) -> set[str]:
    """Returns the argument names of all launch files in this launch."""
    event = getattr(context.locals, 'event', None)
    root = getattr(event, 'launch_description', None)
    return {each.name for each in root.get_launch_arguments()} if root is not None else set()


def _existing(name: str, given: dict[str, str]) -> Path:
    """Returns the absolute path of a file. Raises ConfigError if the file is missing.

    launch_ros would ignore a missing file.
    """
    path = Path(given[name]).expanduser().resolve()
    if not path.is_file():
        raise ConfigError(f'{name} must be an existing file, got {path}')
    return path


def _plugins(path: Path) -> Path:
    """Returns the file if it contains parameters; otherwise a parameter file that names it."""
    return path if holds_parameters(path) else _written({'MujocoPlugins': str(path)})


def _written(parameters: dict[str, Any]) -> Path:
    """Writes a parameter file that only its owner can read.

    launch_ros would lose quotes in the values.
    """
    with NamedTemporaryFile('w', prefix='mujoco_server_', suffix='.yaml', delete=False) as file:
        file.write(parameter_file_text(parameters))
    return Path(file.name)
