"""Groups of processes that end with the process that has started them, whatever ends that."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress

_REAP = (
    'read _; for group in "$@"; do kill -s TERM -- "-$group"; done;'
    ' sleep 3; for group in "$@"; do kill -s KILL -- "-$group"; done'
)
"""What the shell does: it waits until the other end of its input is closed."""
_LOOK_S = 0.01


class Reaper:
    """A shell that ends groups of processes as soon as this process is gone."""

    def __init__(self, *groups: int) -> None:
        theirs, self._ours = os.pipe()
        try:
            self._shell = subprocess.Popen(
                ['sh', '-c', _REAP, 'sh', *map(str, groups)],
                stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(theirs)

    def close(self) -> None:
        """Ends the shell, which then ends nothing."""
        self._shell.kill()
        self._shell.wait()
        os.close(self._ours)


def end_group(leader: subprocess.Popen[bytes], grace_s: float) -> None:
    """Ends all processes of a group by SIGTERM, and by force what is left of it then."""
    _signal(leader.pid, signal.SIGTERM)
    end = time.monotonic() + grace_s
    while time.monotonic() < end:
        if leader.poll() is not None and not _signal(leader.pid, 0):
            return
        time.sleep(_LOOK_S)
    _signal(leader.pid, signal.SIGKILL)
    leader.wait()


def _signal(group: int, number: int) -> bool:
    """Sends a signal to a group, and returns whether there is one."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
        return True
    return False
