"""Programs of users, with all processes that they start, and folders: all go with this process."""

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
"""What the shell does: it reads groups until it gets an empty line, or its input is closed.

It does so in the background, as Ray kills the children of a worker that ends.
"""
_TELL_GROUP = 'echo $$ >&0; exec "$@" < /dev/null'
_LOOK_S = 0.01


class Group(Child):
    """A program that is the leader of a process group; `end` ends the whole group."""

    def end(self, grace_s: float, *, ask: bool = True) -> int:
        """Ends all processes of the group, by force after the grace time."""
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
        """Sends a signal to the group, and returns whether there is one."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
            return True
        return False


class Reaper:
    """A shell that ends process groups and removes folders as soon as this process is gone."""

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
        """Starts a program as the leader of a group that ends with this process, too.

        The process names its group before it becomes the program, so that it is never without a
        reaper. Raises OSError for a program that is not there.
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
        """Ends the shell, which then ends and removes nothing."""
        with suppress(BrokenPipeError):  # somebody has ended the shell
            os.write(self._ours, b'\n')
        os.close(self._ours)
