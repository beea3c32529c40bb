"""The subcommands of `mujoco_ros_py mjcf`."""

from .parser import main
from .process import run

__all__ = ['main', 'run']
