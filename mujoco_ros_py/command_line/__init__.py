"""The command line `mujoco_ros_py`, a tree of commands; starting a bare server skips it."""

from .command_tree import COMMANDS, PROGRAM, run

__all__ = ['COMMANDS', 'PROGRAM', 'run']
