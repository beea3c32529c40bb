"""Starts the server. What an argument leaves open, params_file or the server itself decides."""

from pathlib import Path

import yaml
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue

PARAMETERS = {
    'modelfile': (str, 'MJCF or zip: path, package://my_pkg/path, python://my_pkg.scenes:arena'),
    'mujoco_xml': (str, 'MJCF as text; beats modelfile'),
    'unpause': (bool, 'run at once (true) or start paused (false)'),
    'realtime': (float, 'simulated seconds per wall second; -1: as fast as possible'),
    'num_steps': (int, 'stop and exit after this many steps; -1: never'),
    'headless': (bool, 'no viewer'),
    'render_offscreen': (bool, 'render the cameras to topics'),
    'eval_mode': (bool, 'protected run: what would let a contestant cheat needs admin_hash'),
    'admin_hash': (str, 'what eval_mode asks for'),
    'use_sim_time': (bool, "the server's own node follows /clock, which the server publishes"),
}
JOINT_MAPS = {
    'initial_joint_positions': "positions at load and reset, as in '{joint1: 0.5}'",
    'initial_joint_velocities': "velocities at load and reset, as in '{joint1: 0.1}'",
}
OTHERS = {
    'model_modules': ('', 'modules whose functions modelfile may name, with blanks between them'),
    'params_file': ('', 'parameter file of the server; the other arguments beat it'),
    'plugin_config': ('', 'YAML file with the plugins: a list, or a parameter file'),
    'namespace': ('', 'namespace of the server'),
    'log_level': ('info', 'debug, info, warn, error or fatal'),
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
    parameters = [_existing(given[name]) for name in ('params_file',) if name in given]
    if 'plugin_config' in given:
        parameters.append(_plugins(_existing(given['plugin_config'])))
    parameters.append(
        {
            name: ParameterValue(LaunchConfiguration(name), value_type=type_)
            for name, (type_, _) in PARAMETERS.items()
            if name in given
        }
    )
    if 'model_modules' in given:
        parameters.append({'model_modules': given['model_modules'].split()})
    parameters += [{name: _joint_map(given[name])} for name in JOINT_MAPS if name in given]
    return [
        Node(
            package='mujoco_ros_py',
            executable='server',
            name='mujoco_server',
            namespace=LaunchConfiguration('namespace'),
            parameters=parameters,
            arguments=['--ros-args', '--log-level', LaunchConfiguration('log_level')],
            output='screen',
        )
    ]


def _existing(path: str) -> Path:
    """The absolute path. launch_ros itself passes over a file that is not there."""
    return Path(path).resolve(strict=True)


def _plugins(path: Path) -> Path | dict[str, ParameterValue]:
    """The file where it is a parameter file, else the parameter that has the server read it."""
    if 'ros__parameters:' in path.read_text():
        return path
    return {'MujocoPlugins': ParameterValue(str(path), value_type=str)}


def _joint_map(text: str) -> dict[str, dict[str, float | list[float]]]:
    """The parameter with every number a float: ROS takes no list that mixes 0 and 0.5."""
    joints = yaml.safe_load(text)
    return {
        'joint_map': {
            joint: [float(number) for number in value] if isinstance(value, list) else float(value)
            for joint, value in joints.items()
        }
    }
