"""The subcommands of `mujoco_ros_py mjcf`."""

from .group import mjcf, run

__all__ = ['mjcf', 'run']
