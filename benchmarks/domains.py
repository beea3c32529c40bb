"""ROS domains that nobody else on this machine uses, and processes that end with their parent."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ENDING_WITH_US = ['setpriv', '--pdeathsig', 'KILL'] if shutil.which('setpriv') else []
"""The command that runs another one and has the kernel kill it as soon as its parent has ended."""
SECOND = 'SECOND_ROS_DOMAIN_ID'
"""The variable with the domain of a row's second server, which the first one does not hear."""
_LAST = 101
"""The last domain that every system can use."""


@contextmanager
def free_domains(count: int) -> Iterator[list[str]]:
    """Yields so many ROS domains, which tests and other rows leave alone meanwhile."""
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
        raise OSError(f'all {_LAST} ROS domains are taken')


def second_domain() -> dict[str, str]:
    """Returns the environment of a second server and its clients."""
    return {'ROS_DOMAIN_ID': os.environ[SECOND]}
