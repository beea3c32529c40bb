"""Starts the processes that a row measures, and exchanges requests and answers with them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .domains import ENDING_WITH_US

FOLDER = Path(__file__).parent
QUIET: Mapping[str, Any] = {'report_interval': 0.0, 'joint_states_rate': 0.0}
"""Parameters of a server that publishes only its clock."""
_ANSWER = 'ANSWER'
_END_S = 5.0


def server_command(parameters: Mapping[str, Any], *words: str) -> list[str]:
    """Returns the command to start a server with these parameters and ROS arguments."""
    given = [f'{name}:={value}' for name, value in _flat({'strict': True, **parameters})]
    options = [word for each in given for word in ('-p', each)]
    return [sys.executable, '-m', 'mujoco_ros_py', '--ros-args', *options, *words]


def _flat(parameters: Mapping[str, Any], prefix: str = '') -> Iterator[tuple[str, str]]:
    """Yields parameters as ROS arguments. Values are written as JSON, which is valid YAML."""
    for name, value in parameters.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f'{prefix}{name}.')
        else:
            yield prefix + name, json.dumps(value)


def plugins(**named: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the parameters that load plugins in this order."""
    return {'MujocoPlugins': {'names': list(named), **named}}


class Asked:
    """A process that answers each line of input with a line of numbers."""

    def __init__(self, process: subprocess.Popen[str], name: str) -> None:
        self._process, self._name = process, name

    def ask(self, *words: object) -> list[float]:
        """Sends a request and returns the answer. Raises ChildProcessError if the process ends."""
        self.tell(*words)
        return self.hear()

    def tell(self, *words: object) -> None:
        """Sends a request without waiting for the answer."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # `hear` raises the error
            print(*words, file=self._process.stdin, flush=True)

    def hear(self) -> list[float]:
        """Waits for an answer. Raises ChildProcessError if the process ends first."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_ANSWER):
                return [float(word) for word in line.split()[1:]]
        code = self._process.wait()
        raise ChildProcessError(f'{self._name} exited with code {code}')


@contextmanager
def running(command: list[str], **variables: str) -> Iterator[Asked]:
    """Runs a process within the context, with additional environment variables."""
    process = subprocess.Popen(
        [*ENDING_WITH_US, *command], env={**os.environ, **variables}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Asked(process, command[2])
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):  # a bare node may miss the signal
            process.wait(_END_S)
        process.kill()
        process.wait()


def answer(function: Callable[..., Iterable[float]]) -> None:
    """Calls the function with the numbers of each input line, and prints the results."""
    for line in sys.stdin:
        print(_ANSWER, *function(*map(float, line.split())), flush=True)
