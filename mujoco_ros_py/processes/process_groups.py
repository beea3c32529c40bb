"""Starts users' programs. They end with this process, along with all their children.

Folders can be removed at the same time.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from .child import Child, spawn

_REAP = (
    'exec 3<&0; groups=;'
    ' { while read -r group <&3; do [ "$group" ] || exit; groups="$groups -$group"; done;'
    ' kill -s TERM -- $groups; sleep 3; kill -s KILL -- $groups; rm -rf -- "$@"; } &'
)
"""The shell script of a `Reaper`. It reads process groups, one per line.

An empty line ends the script. When its input is closed, it kills the groups and removes the
folders. It runs in the background because Ray kills the children of a worker that ends.
"""
_TELL_GROUP = 'echo $$ >&0; exec "$@" < /dev/null'
_LOOK_S = 0.01


class Group(Child):
    """A program that leads a process group; `end` ends the whole group."""

    def end(self, grace_s: float, *, ask: bool = True) -> int:
        """Terminates all processes of the group, and kills them after the grace time."""
        if ask:
            self._signal(signal.SIGTERM)
        end = time.monotonic() + grace_s
        while time.monotonic() < end:
            if (code := self.poll()) is not None and not self._signal(0):
                return code
            time.sleep(_LOOK_S)
        self._signal(signal.SIGKILL)
        return self.wait()

    def _signal(self, number: int) -> bool:
        """Sends a signal to the group; returns False if the group has no processes."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
            return True
        return False


class Reaper:
    """A shell that ends process groups and removes folders when this process ends."""

    def __init__(self, *groups: int, folders: Sequence[Path] = ()) -> None:
        theirs, self._ours = os.pipe()
        os.write(self._ours, ''.join(f'{group}\n' for group in groups).encode())
        try:
            subprocess.run(
                ['sh', '-c', _REAP, 'sh', *map(str, folders)],
                stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True, check=True,
            )  # fmt: skip
        finally:
            os.close(theirs)

    def start(
        self,
        words: Sequence[str],
        directory: Path,
        variables: Mapping[str, str],
        output: int,
    ) -> Group:
        """Starts a program as the leader of a group that also ends with this process.

        The new process registers its group with the shell before it executes the program, so the
        program never runs unwatched. Raises OSError if the program does not exist.
        """
        environment = {**os.environ, **variables}
        program = words[0] if os.sep not in words[0] else str(directory / words[0])
        if shutil.which(program, path=environment.get('PATH')) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), words[0])
        command = ['sh', '-c', _TELL_GROUP, 'sh', *words]
        started = spawn(
            command, stdin=self._ours, output=output, directory=directory, environment=environment
        )
        return Group(started.pid)

    def close(self) -> None:
        """Ends the shell without ending groups or removing folders."""
        with suppress(BrokenPipeError):  # the shell was killed
            os.write(self._ours, b'\n')
        os.close(self._ours)
