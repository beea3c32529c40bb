"""The processes of the controllers of a run."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from ..errors import ConfigError
from .process_groups import Reaper, end_group

_GRACE_S = 5.0
_TOLD_LINES = 12
_REFUSED_WHOLE = (
    # rclpy
    r"parameter '([^']+)' to '.*' of type 'INTEGER(?:_ARRAY)?', expecting type 'DOUBLE",
    # rclcpp
    r'parameter \{([^{}]+)\} is of type \{double(?:_array)?\}, setting it to \{integer',
)
"""What nodes say that declare a double, and get a whole number."""
RETRIED = (signal.SIGKILL,)
"""The signals by which the system ends processes for reasons of its own, such as its memory."""


class ControllerProcesses:
    """Controllers, each in a process group of its own, which ends with this process.

    Use it in a `with` block, which ends them.
    """

    def __init__(
        self,
        commands: Sequence[Sequence[str]],
        folder: Path,
        directory: Path,
        variables: Mapping[str, str],
    ) -> None:
        """Starts the commands in `directory`; their logs go into `folder`.

        Raises ConfigError for a program that is not there.
        """
        self._stack = ExitStack()
        self._reaper = Reaper()
        self._stack.callback(self._reaper.close)  # called last
        self.processes: list[subprocess.Popen[bytes]] = []
        """The leaders of the groups."""
        self._commands = commands
        self._logs: list[Path] = []
        try:
            for number, words in enumerate(commands):
                name = 'controller.log' if len(commands) == 1 else f'controller_{number}.log'
                self._logs.append(folder / name)
                self._start(words, directory, variables)
        except BaseException:
            self._stack.close()
            raise

    def _start(self, words: Sequence[str], directory: Path, variables: Mapping[str, str]) -> None:
        with self._logs[-1].open('wb') as log:
            try:
                process = self._reaper.start(words, directory, variables, log)
            except OSError as error:
                told = f'{words[0]}: {error.strerror or error}'
                raise ConfigError(f'controller: {told}') from None
        self.processes.append(process)
        self._stack.callback(end_group, process, _GRACE_S)

    @property
    def all_done(self) -> bool:
        """Whether there are controllers, and all of them have ended with the exit status 0."""
        codes = [process.poll() for process in self.processes]
        return bool(codes) and not any(code != 0 for code in codes)

    def failure(self, awaited: bool) -> tuple[str, bool]:
        """Returns how a controller has ended that should not have, and whether it was killed.

        The text is empty if none has. `awaited` tells that the simulation waits for controllers,
        so that none of them may end.
        """
        for process, words, log in zip(self.processes, self._commands, self._logs, strict=True):
            code = process.poll()
            if code is None or (code == 0 and not awaited):
                continue
            how = f'with the code {code}' if code >= 0 else f'by {signal.Signals(-code).name}'
            lines = log.read_text(errors='replace').splitlines()[-_TOLD_LINES:]
            told = f'the controller ({shlex.join(words)}) has ended {how}'
            text = '\n'.join([f'{told}; its log:', *lines]) if lines else told
            return text, code < 0 and signal.Signals(-code) in RETRIED
        return '', False

    def __enter__(self) -> ControllerProcesses:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()


def refused_whole(folder: Path) -> set[str]:
    """Returns the parameters that the controllers of a folder wanted as doubles, by their logs."""
    text = ''.join(log.read_text(errors='replace') for log in folder.glob('controller*.log'))
    return {name for pattern in _REFUSED_WHOLE for name in re.findall(pattern, text)}


def variables_for(domain_id: int | None) -> dict[str, str]:
    """Returns the variables by which a process reaches the server of a run."""
    return {
        'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
        'ROS_DOMAIN_ID': str(domain_id),
        'PYTHONUNBUFFERED': '1',
        'PYTHONPATH': os.pathsep.join(filter(None, sys.path)),
    }
