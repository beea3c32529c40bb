"""Starts the server with the robot and its plugins."""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

ROBOT = Path(__file__).resolve().parents[1]  # the package, or its installed share folder


def generate_launch_description():
    share = FindPackageShare('mujoco_ros_py')
    server = PathJoinSubstitution([share, 'launch', 'server.launch.py'])
    arguments = {
        'modelfile': str(ROBOT / 'robot.xml'),
        'plugin_config': str(ROBOT / 'plugins.yaml'),
    }
    start = IncludeLaunchDescription(server, launch_arguments=arguments.items())
    return LaunchDescription([start])
