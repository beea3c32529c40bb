"""The command line `mujoco_ros_py`, as one tree of commands; a bare server does without it."""

from .command_tree import COMMANDS, PROGRAM, run

__all__ = ['COMMANDS', 'PROGRAM', 'run']
