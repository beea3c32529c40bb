"""The commands of `mujoco_ros_py`; not imported by a server with only ROS arguments."""

from .command_tree import COMMANDS, PROGRAM, run

__all__ = ['COMMANDS', 'PROGRAM', 'run']
