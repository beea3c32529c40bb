"""The command line `mujoco_ros_py`, a tree of commands. A plain server starts without it."""

from .command_tree import COMMANDS, PROGRAM, run

__all__ = ['COMMANDS', 'PROGRAM', 'run']
