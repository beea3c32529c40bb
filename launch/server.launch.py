"""Starts the server. Arguments that are not given are left to params_file or to the server."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import yaml
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

PARAMETERS = {
    'modelfile': (str, 'MJCF or zip: path, package://my_pkg/path, python://my_pkg.scenes:arena'),
    'mujoco_xml': (str, 'MJCF as text; beats modelfile'),
    'unpause': (bool, 'run at once (true) or start paused (false)'),
    'realtime': (float, 'simulated seconds per wall second; -1: as fast as possible'),
    'num_steps': (int, 'stop and exit after this many steps; -1: never'),
    'headless': (bool, 'no window'),
    'render_offscreen': (bool, 'render the cameras to topics'),
    'eval_mode': (bool, 'protected run: what would let a contestant cheat needs admin_hash'),
    'admin_hash': (str, 'what eval_mode asks for'),
    'use_sim_time': (bool, "the server's own node follows /clock, which the server publishes"),
}
JOINT_MAPS = {
    'initial_joint_positions': "positions at load and reset, as in '{joint1: 0.5}'",
    'initial_joint_velocities': "velocities at load and reset, as in '{joint1: 0.1}'",
}
LOG_LEVELS = ('debug', 'info', 'warn', 'error', 'fatal')
OTHERS = {
    'model_modules': ('', 'modules whose functions modelfile may name, with blanks between them'),
    'params_file': ('', 'parameter file of the server; the other arguments beat it'),
    'plugin_config': ('', 'YAML file with the plugins: a list, or a parameter file'),
    'namespace': ('', 'namespace of the server'),
    'log_level': ('info', ', '.join(LOG_LEVELS)),
}


def generate_launch_description() -> LaunchDescription:
    defaults = {name: ('', text) for name, (_, text) in PARAMETERS.items()}
    defaults |= {name: ('', text) for name, text in JOINT_MAPS.items()}
    arguments = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in (defaults | OTHERS).items()
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=_server)])


def _server(context: LaunchContext) -> list[Node]:
    given = {name: value for name, value in context.launch_configurations.items() if value}
    parameters = [_existing('params_file', given)] if 'params_file' in given else []
    if 'plugin_config' in given:
        parameters.append(_plugins(_existing('plugin_config', given)))
    parameters.append(_written(_values(given)))
    return [
        Node(
            package='mujoco_ros_py',
            executable='server',
            name='mujoco_server',
            namespace=LaunchConfiguration('namespace'),
            parameters=parameters,
            arguments=['--ros-args', '--log-level', _log_level(given)],
            output='screen',
        )
    ]


def _values(given: dict[str, str]) -> dict[str, Any]:
    """Returns the parameters that the arguments give, in their types."""
    values = {
        name: _TYPES[type_](name, given[name])
        for name, (type_, _) in PARAMETERS.items()
        if name in given
    }
    if 'model_modules' in given:
        values['model_modules'] = given['model_modules'].split()
    return values | {name: _joint_map(name, given[name]) for name in JOINT_MAPS if name in given}


def _bool(name: str, text: str) -> bool:
    return _checked(name, text, 'true or false', bool)


def _int(name: str, text: str) -> int:
    return _checked(name, text, 'a whole number', int)


def _checked(name: str, text: str, rule: str, type_: type) -> Any:
    value = _yaml(name, text)
    if type(value) is not type_:
        raise ValueError(f'{name} must be {rule}, got {text!r}')
    return value


def _float(name: str, text: Any) -> float:
    """Returns the text as the number that Python reads; to YAML 1e-3 would be a string."""
    try:
        return float(text)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f'{name} must be a number, got {text!r}') from None


_TYPES = {bool: _bool, int: _int, float: _float, str: lambda name, text: text}


def _joint_map(name: str, text: str) -> dict[str, dict[str, float | list[float]]]:
    """Returns a joint map whose numbers are floats, as ROS takes no list that mixes 0 and 0.5."""
    joints = _yaml(name, text)
    if not isinstance(joints, dict):
        raise ValueError(f"{name} must be numbers by joint, as in '{{joint1: 0.5}}', got {text!r}")
    numbers: dict[str, float | list[float]] = {}
    for joint, value in joints.items():
        where = f'{name}, {joint},'
        many = isinstance(value, list)
        numbers[joint] = [_float(where, each) for each in value] if many else _float(where, value)
    return {'joint_map': numbers}


def _yaml(name: str, text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(
            f'{name} must be YAML, got {text!r}: {" ".join(str(error).split())}'
        ) from None


def _log_level(given: dict[str, str]) -> str:
    level = given.get('log_level', 'info')
    if level.lower() not in LOG_LEVELS:
        raise ValueError(f'log_level must be one of {", ".join(LOG_LEVELS)}, got {level!r}')
    return level


def _existing(name: str, given: dict[str, str]) -> Path:
    """Returns the absolute path of a file; launch_ros itself would ignore a missing one."""
    path = Path(given[name]).expanduser().resolve()
    if not path.is_file():
        raise ValueError(f'{name} must be a file, and there is none at {path}')
    return path


def _plugins(path: Path) -> Path:
    """Returns a parameter file, or else the parameter that makes the server read the file."""
    if 'ros__parameters:' in path.read_text():
        return path
    return _written({'MujocoPlugins': str(path)})


def _written(parameters: dict[str, Any]) -> Path:
    """Writes a parameter file that only its owner can read.

    launch_ros would write one too, but text without quotes, and to rcl 0815 is a number then.
    """
    with NamedTemporaryFile('w', prefix='mujoco_server_', suffix='.yaml', delete=False) as file:
        yaml.dump({'/**': {'ros__parameters': parameters}}, file, _QuotingDumper)
    return Path(file.name)


class _QuotingDumper(yaml.SafeDumper):
    """A dumper that writes every text in quotes."""


_QuotingDumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar('tag:yaml.org,2002:str', text, style='"')
)
