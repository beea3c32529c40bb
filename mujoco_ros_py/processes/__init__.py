"""Starts, watches and ends child processes. They all end with this process, even if it is killed.

- `Worker` runs tasks that may crash or hang, within memory and time limits.
- `PythonProcess` calls a function of this package in a separate Python process.
- `ForkServer` starts programs as copies of a process that has already imported them.
- `process_groups` starts users' programs, and ends them together with all their children.

Each of these processes is a `Process`. Nothing in this folder imports MuJoCo or ROS.
"""

from .fork_server import Copy, ForkServer, ForkServers
from .process import Process, end_and_log
from .python_process import PythonProcess
from .task_loop import peak_memory
from .worker import Limits, Worker
from .worker_process import MIB

__all__ = [
    'MIB',
    'Copy',
    'ForkServer',
    'ForkServers',
    'Limits',
    'Process',
    'PythonProcess',
    'Worker',
    'end_and_log',
    'peak_memory',
]
