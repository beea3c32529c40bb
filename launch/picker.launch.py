"""Starts the server with an arm and gripper, and a program that picks up a cube with them."""

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare('mujoco_ros_py')
    server = PathJoinSubstitution([share, 'launch', 'server.launch.py'])
    robot = PathJoinSubstitution([share, 'config', 'picker.yaml'])
    return LaunchDescription(
        [
            IncludeLaunchDescription(server, launch_arguments={'params_file': robot}.items()),
            Node(
                package='mujoco_ros_py',
                executable='pick_and_place',
                parameters=[{'use_sim_time': True}],
                output='screen',
            ),
        ]
    )
