"""Starts the server with the robot and its plugins."""

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    server, robot = FindPackageShare('mujoco_ros_py'), FindPackageShare('my_robot')
    arguments = {
        'modelfile': PathJoinSubstitution([robot, 'robot.xml']),
        'plugin_config': PathJoinSubstitution([robot, 'plugins.yaml']),
    }
    return LaunchDescription(
        [
            IncludeLaunchDescription(
                PathJoinSubstitution([server, 'launch', 'server.launch.py']),
                launch_arguments=arguments.items(),
            )
        ]
    )
