"""Starts, watches and ends processes; all of them end with this process, whatever ends that.

- `Worker` carries out work that may crash or hang, with limits of memory and time.
- `PythonProcess` calls a function of this package in a Python of its own.
- `ForkServer` starts copies of a process that has imported a program already.
- `process_groups` starts programs of users, with all processes that those start.

Each of these processes is a `Process`. Nothing in this room imports MuJoCo or ROS.
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
