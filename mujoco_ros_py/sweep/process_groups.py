"""Processes and folders that go with the process that has made them, whatever ends that."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_REAP = (
    'exec 3<&0; { read -r _ <&3 || { kill -s TERM -- %(groups)s; sleep 3;'
    ' kill -s KILL -- %(groups)s; rm -rf -- "$@"; }; } &'
)
"""What the shell does: it waits until it gets a line, or the other end of its input is closed.

It does so in the background, as Ray kills the children of a worker that ends.
"""
_LOOK_S = 0.01


class Reaper:
    """A shell that ends process groups and removes folders as soon as this process is gone."""

    def __init__(self, *groups: int, folders: Sequence[Path] = ()) -> None:
        numbers = ' '.join(f'-{group}' for group in groups)
        theirs, self._ours = os.pipe()
        try:
            subprocess.run(
                ['sh', '-c', _REAP % {'groups': numbers}, 'sh', *map(str, folders)],
                stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, check=True,
            )  # fmt: skip
        finally:
            os.close(theirs)

    def close(self) -> None:
        """Ends the shell, which then ends and removes nothing."""
        with suppress(BrokenPipeError):  # somebody has ended the shell
            os.write(self._ours, b'\n')
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
