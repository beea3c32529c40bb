"""Starts the server and the controller manager of ros2_control, both with the same URDF."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import yaml
from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription, OpaqueFunction
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare

_FILES = {
    'modelfile': 'The URDF, which declares a JointStateTopicSystem in <ros2_control>.',
    'controllers_file': 'The parameters of the controller manager and of its controllers.',
}
_USUAL_RATE = 100
"""The update rate of a controller manager by default."""


def generate_launch_description() -> LaunchDescription:
    return LaunchDescription(
        [
            *(DeclareLaunchArgument(name, description=text) for name, text in _FILES.items()),
            DeclareLaunchArgument(
                'controllers',
                default_value='joint_state_broadcaster',
                description='The controllers that are activated, with spaces between them.',
            ),
            OpaqueFunction(function=_start),
        ]
    )


def _start(context: LaunchContext) -> list[Any]:
    given = context.launch_configurations
    path = Path(given['controllers_file']).expanduser().resolve()
    plugins = [
        {'type': 'mujoco_ros_py/TopicBasedHardware', 'update_rate': _update_rate(path)},
        {'type': 'mujoco_ros_py/RobotDescription'},
    ]
    server = PathJoinSubstitution(
        [FindPackageShare('mujoco_ros_py'), 'launch', 'server.launch.py']
    )
    # the broadcaster publishes /joint_states
    arguments = {'plugin_config': _written(plugins), 'joint_states_rate': '0.0'}
    in_simulated_time = {'use_sim_time': True}
    return [
        IncludeLaunchDescription(server, launch_arguments=arguments.items()),
        # without a name, as the parameters are also for the node of the hardware
        Node(
            package='controller_manager',
            executable='ros2_control_node',
            parameters=[str(path), in_simulated_time],
            output='screen',
        ),
        Node(
            package='controller_manager',
            executable='spawner',
            arguments=[*given['controllers'].split(), '--param-file', str(path)],
            parameters=[in_simulated_time],
            output='screen',
        ),
    ]


def _written(plugins: list[Any]) -> str:
    """Writes a list of plugins for the server, which reads it again in each reload."""
    with NamedTemporaryFile('w', prefix='mujoco_server_', suffix='.yaml', delete=False) as file:
        yaml.safe_dump(plugins, file)
    return file.name


def _update_rate(path: Path) -> float:
    """Returns the update rate of the controller manager in a parameter file."""
    with path.open() as file:
        nodes = yaml.safe_load(file) or {}
    for name, node in nodes.items():
        parameters = (node or {}).get('ros__parameters') or {}
        if name.endswith(('controller_manager', '*')) and 'update_rate' in parameters:
            return float(parameters['update_rate'])
    return float(_USUAL_RATE)
