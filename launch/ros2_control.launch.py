"""Starts the server and a ros2_control controller manager with the same URDF."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import yaml
from launch import LaunchContext, LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    OpaqueFunction,
    RegisterEventHandler,
    Shutdown,
)
from launch.event_handlers import OnProcessExit
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

_FILES = {
    'modelfile': 'The URDF; its <ros2_control> tags must use JointStateTopicSystem.',
    'controllers_file': 'The parameter file of the controller manager and its controllers.',
}
_USUAL_RATE = 100
"""The default update rate of a controller manager, in Hz."""


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription(
        [
            *(DeclareLaunchArgument(name, description=text) for name, text in _FILES.items()),
            DeclareLaunchArgument(
                'controllers',
                default_value='joint_state_broadcaster',
                description='The controllers to activate, separated by spaces.',
            ),
            DeclareLaunchArgument(
                'systems',
                default_value='',
                description='The names of the <ros2_control> tags, if the URDF has more than one.',
            ),
            OpaqueFunction(function=_start),
            RegisterEventHandler(OnProcessExit(on_exit=_end)),
        ]
    )


def _start(context: LaunchContext) -> list[Any]:
    given = context.launch_configurations
    path = Path(given['controllers_file']).expanduser().resolve()
    hardware = {'type': 'mujoco_ros_py/TopicBasedHardware', 'update_rate': _update_rate(path)}
    systems = [{'name': name, 'system': name} for name in given['systems'].split()]
    plugins = [
        *({**hardware, **system} for system in systems or [{}]),
        {'type': 'mujoco_ros_py/RobotDescription'},
    ]
    server = PathJoinSubstitution(
        [FindPackageShare('mujoco_ros_py'), 'launch', 'server.launch.py']
    )
    # The rate is 0 because joint_state_broadcaster publishes /joint_states.
    arguments = {'plugin_config': _written(plugins), 'joint_states_rate': '0.0', 'strict': 'true'}
    namespace = given.get('namespace', '')
    in_simulated_time = {'use_sim_time': True}
    return [
        IncludeLaunchDescription(server, launch_arguments=arguments.items()),
        # Without a name, because a name would keep the parameters from the node of the hardware.
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            namespace=namespace,
            parameters=[str(path), in_simulated_time],
            output='screen',
        ),
        Node(
            package='controller_manager',
            executable='spawner',
            namespace=namespace,
            arguments=[*given['controllers'].split(), '--param-file', str(path)],
            parameters=[in_simulated_time],
            output='screen',
        ),
    ]


def _written(plugins: list[Any]) -> str:
    """Writes a plugin list to a file. The file stays, because each reload reads it again."""
    with NamedTemporaryFile('w', prefix='mujoco_server_', suffix='.yaml', delete=False) as file:
        yaml.safe_dump(plugins, file)
    return file.name


def _update_rate(path: Path) -> float:
    """Returns the controller manager's update rate from a file; the last entry wins."""
    with path.open() as file:
        rates = list(_update_rates(yaml.safe_load(file) or {}, ''))
    return float(rates[-1] if rates else _USUAL_RATE)


def _update_rates(nodes: dict[str, Any], name: str) -> Iterator[float]:
    """Yields the update rates of controller managers, in any namespace below `name`."""
    for key, value in nodes.items():
        if key == 'ros__parameters' and name.endswith(('controller_manager', '*')):
            yield from [value['update_rate']] if 'update_rate' in value else []
        elif key != 'ros__parameters' and isinstance(value, dict):
            yield from _update_rates(value, f'{name}/{key}')


def _end(event: Any, context: LaunchContext) -> list[Any]:
    """Shuts the launch down when the server exits; the manager would wait for it forever."""
    has_ended = event.process_name.startswith('server')
    return [Shutdown(reason='the server has ended')] if has_ended else []
