"""Runs work that may crash or hang its process in a process of its own.

Nothing in this room imports MuJoCo or ROS.
"""

from .child import end_with, peak_memory
from .fork_server import Copy, ForkServer
from .limits import MIB, Limits
from .worker import Worker

__all__ = ['MIB', 'Copy', 'ForkServer', 'Limits', 'Worker', 'end_with', 'peak_memory']
