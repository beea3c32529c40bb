"""Reserves unused ROS domains, and ends child processes when their parent ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ENDING_WITH_US = ['setpriv', '--pdeathsig', 'KILL'] if shutil.which('setpriv') else []
"""A command prefix: the kernel kills the command when its parent process ends."""
SECOND = 'SECOND_ROS_DOMAIN_ID'
"""The environment variable with a separate ROS domain for a row's second server."""
_LAST = 101
"""The highest ROS domain that works on every system."""


@contextmanager
def free_domains(count: int) -> Iterator[list[str]]:
    """Yields `count` ROS domains, locked against other rows and tests while in use."""
    with ExitStack() as stack:
        free = []
        for number in range(1, _LAST + 1):
            path = Path(tempfile.gettempdir()) / f'mujoco_ros_py_domain_{number}'
            lock = stack.enter_context(path.open('a'))
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                free.append(str(number))
            if len(free) == count:
                yield free
                return
        raise OSError(f'all {_LAST} ROS domains are in use')


def second_domain() -> dict[str, str]:
    """Returns environment variables for a second server and its clients."""
    return {'ROS_DOMAIN_ID': os.environ[SECOND]}
