"""The controller processes of a run."""

from __future__ import annotations

import re
import shlex
import signal
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from ..errors import ConfigError
from ..processes import Process, end_and_log
from ..processes.process_groups import Reaper

_GRACE_S = 5.0
_KILLED = -int(signal.SIGKILL)
"""The exit code of a killed process, for example after it ran out of memory."""
_REFUSED_WHOLE = (
    # rclpy
    r"parameter '([^']+)' to '.*' of type 'INTEGER(?:_ARRAY)?', expecting type 'DOUBLE",
    # rclcpp
    r'parameter \{([^{}]+)\} is of type \{double(?:_array)?\}, setting it to \{integer',
)
"""The errors of nodes that declare a double parameter and get an integer."""


class ControllerProcesses:
    """Starts controllers, each in its own process group.

    The controllers end with the `with` block, or with this process.
    """

    def __init__(
        self,
        commands: Sequence[Sequence[str]],
        folder: Path,
        directory: Path,
        variables: Mapping[str, str],
    ) -> None:
        """Starts the commands in `directory`, and writes their logs to `folder`.

        Raises ConfigError for a program that does not exist.
        """
        self._stack = ExitStack()
        self._reaper = Reaper()
        self._stack.callback(self._reaper.close)  # called last
        self.processes: list[Process] = []
        """The group leaders."""
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
                process = self._reaper.start(words, directory, variables, log.fileno())
            except OSError as error:
                told = f'{words[0]}: {error.strerror or error}'
                raise ConfigError(f'controller: {told}') from None
        self.processes.append(process)
        self._stack.callback(process.end, _GRACE_S)

    @property
    def all_done(self) -> bool:
        """Whether all controllers have ended with the exit status 0; false without controllers."""
        codes = [process.poll() for process in self.processes]
        return bool(codes) and not any(code != 0 for code in codes)

    def failure(self, awaited: bool) -> tuple[str, bool]:
        """Returns how a controller has failed, and whether it was killed; ('', False) if all run.

        An exit with status 0 counts as a failure only if `awaited` is true, because the simulation
        then waits for an answer of each controller.
        """
        for process, words, log in zip(self.processes, self._commands, self._logs, strict=True):
            code = process.poll()
            if code is None or (code == 0 and not awaited):
                continue
            told = end_and_log(f'the controller ({shlex.join(words)})', code, log)
            return told, code == _KILLED
        return '', False

    def __enter__(self) -> ControllerProcesses:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()


def refused_whole(folder: Path) -> set[str]:
    """Returns the names of parameters that controllers refused as integers, from their logs."""
    text = ''.join(log.read_text(errors='replace') for log in folder.glob('controller*.log'))
    return {name for pattern in _REFUSED_WHOLE for name in re.findall(pattern, text)}
