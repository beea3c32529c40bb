"""Processes and folders that go with the process that has made them, whatever ends that."""

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
from typing import IO

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
        output: IO[bytes],
    ) -> subprocess.Popen[bytes]:
        """Starts a program as the leader of a group that ends with this process, too.

        The process names its group before it becomes the program, so that it is never without a
        reaper. Raises OSError for a program that is not there.
        """
        environment = {**os.environ, **variables}
        program = words[0] if os.sep not in words[0] else str(directory / words[0])
        if shutil.which(program, path=environment.get('PATH')) is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), words[0])
        return subprocess.Popen(
            ['sh', '-c', _TELL_GROUP, 'sh', *words], cwd=directory, env=environment,
            stdin=self._ours, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip

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
