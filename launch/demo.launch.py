"""Starts the server with the demo: a seven-joint arm that follows set-points from a topic."""

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description() -> LaunchDescription:
    share = FindPackageShare('mujoco_ros_py')
    server = PathJoinSubstitution([share, 'launch', 'server.launch.py'])
    demo = PathJoinSubstitution([share, 'config', 'demo.yaml'])
    return LaunchDescription(
        [IncludeLaunchDescription(server, launch_arguments={'params_file': demo}.items())]
    )
