"""Carries out the documentation's shell commands like a shell, or only checks them."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

from deadline import DEADLINE_S
from system.faults import BUSY_WARNINGS
from system.harness import Client, Process, wait_until

from mujoco_ros_py.command_line.ros_arguments import split_ros_arguments
from mujoco_ros_py.config.launch_arguments import launch_arguments

from . import commands
from .pages import ROOT

PARAMETER_SERVER = 'parameter_server'
SET_UP = (
    '. ',
    'cd ',
    'colcon build',
    'make ',
    'python scripts/',
    'python ~/sim/share/mujoco_ros_py/interfaces/install.py',
    'python3 -m venv',
    'ros2 security ',
    'rosdep install',
)
"""The beginnings of commands that change the machine, which other tests run."""
REMEDIES = ('docker ', 'export ', 'fastdds shm ', 'rm -r ', 'sudo ', 'unset ')
"""The beginnings of commands for containers or for a faulty machine, which no test runs."""
SERVER = re.compile(
    r'(?P<program>mujoco_ros_py|\.venv/bin/python -m mujoco_ros_py|ros2 run mujoco_ros_py \w+)'
    r' (?P<arguments>--ros-args .*)'
)
CLIENT = re.compile(r'mujoco_ros_py (call|set|get|publish|echo|list|action|param|tf)\b')
LAUNCH = 'ros2 launch mujoco_ros_py '


def is_run(command: str) -> bool:
    """Returns whether the tests carry out a command, instead of only checking it."""
    if command.startswith((LAUNCH, *SET_UP)):
        return False
    program = command.startswith(('ros2 ', 'python -m pytest '))
    return program or any(each.match(command) for each in (SERVER, CLIENT))


def check(command: str) -> None:
    """Checks a command without carrying it out. Raises AssertionError for an unknown command."""
    if command.startswith(LAUNCH):
        check_launch(*shlex.split(command.removeprefix(LAUNCH)))
    elif command.startswith('pip install '):
        check_pip_install(*shlex.split(command)[2:])
    else:
        assert command.startswith((*SET_UP, *REMEDIES)), f'no test knows {command!r}'


class Shell:
    """Carries out the lines of one block, and ends the servers that it has started.

    `running()` returns a server and a client, for a line that needs one when none was started.
    Servers get `more` parameters than the lines show.
    """

    def __init__(
        self,
        domain: int,
        environment: dict[str, str],
        running: Callable[[], tuple[Process, Client]],
        more: dict[str, Any],
    ) -> None:
        self._domain, self._environment, self._running = domain, environment, running
        self._more = [f'{name}:={json.dumps(value)}' for name, value in more.items()]
        self._processes: list[Process] = []
        self._client: Client | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def run(self, command: str) -> None:
        if server := SERVER.fullmatch(command):
            self._begin(server['program'], shlex.split(server['arguments']))
        elif not is_run(command):
            check(command)
        elif command.startswith('ros2 '):
            commands.run(command, self.client)
        elif CLIENT.match(command):
            self._talk(shlex.split(command)[1:])
        else:
            self._test(shlex.split(command)[3:])

    def _test(self, arguments: list[str]) -> None:
        """Runs the tests that a page shows."""
        done = subprocess.run(
            [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', *arguments],
            env={**os.environ, **self._environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    @property
    def client(self) -> Client:
        """A client of the server that the block has started, or of the server that ran before
        it."""
        if self._client is None and self._processes:
            self._client = self._stack.enter_context(closing(Client(self._domain)))
        elif self._client is None:
            process, self._client = self._running()
            self._processes.append(process)
        return self._client

    def errors(self) -> list[str]:
        lines = (line for process in self._processes for line in process.lines)
        return [line for line in lines if line.startswith('[ERROR]') or 'Traceback' in line]

    def _talk(self, words: list[str]) -> None:
        assert self.client, 'somebody must be there'
        words, for_ros = split_ros_arguments(words)
        words = [*words, '--timeout', str(DEADLINE_S), *for_ros]
        process = Process('mujoco_ros_py', words, self._domain, copied=True, **self._environment)
        assert process.wait() == 0, process.output

    def _begin(self, program: str, arguments: list[str]) -> None:
        name = program.split()[-1]
        assert name == 'mujoco_ros_py' or (ROOT / 'scripts' / name).exists(), name
        spaces = [a.removeprefix('__ns:=') for a in arguments if a.startswith('__ns:=')]
        node = f'{"".join(spaces)}/{"mujoco_server" if name != PARAMETER_SERVER else name}'
        files = [str(ROOT / a) if a.startswith('config/') else a for a in arguments]
        files += [word for parameter in self._more for word in ('-p', parameter)]
        module, copied = 'mujoco_ros_py', name != PARAMETER_SERVER
        if name == PARAMETER_SERVER:
            module = 'mujoco_ros_py.ros.parameter_server'
        process = Process(module, files, self._domain, copied=copied, **self._environment)
        self._stack.callback(end, process)
        self._processes.append(process)
        if name == PARAMETER_SERVER:
            return
        process.wait_for_output(': loaded ')
        loaded(process)
        if len(self._processes) > 1:  # discovery can take longer than a start
            wait_until(
                lambda: (
                    self.client.trigger(f'{node}/reload').success
                    and 'MujocoPlugins comes from' in process.output
                ),
                'the plugins of the parameter server',
            )


def end(process: Process) -> None:
    """Ends a process by Ctrl-C."""
    if process.running():
        process.signal(signal.SIGINT)
        assert process.wait() in (0, -signal.SIGINT), process.output
    else:
        process.wait()


def loaded(process: Process) -> None:
    """Waits until the server has loaded. Raises AssertionError if something is wrong."""
    found = re.search(r'(\d+) of (\d+) plugins ready', process.output)
    assert found, process.output
    assert found[1] == found[2], process.output
    doubts = [line for line in process.lines if line.startswith(('[WARN]', '[ERROR]'))]
    known = ('no parameter MujocoPlugins', *BUSY_WARNINGS)
    assert all(any(text in line for text in known) for line in doubts), process.output


def check_launch(file: str, *arguments: str) -> None:
    """Checks only that a launch file's arguments exist, because launch needs a ROS
    installation."""
    text = (ROOT / 'launch' / file).read_text()
    assert file == 'server.launch.py' or 'server.launch.py' in text, file  # it is included
    for argument in arguments:
        assert argument.partition(':=')[0] in launch_arguments(), argument


def check_pip_install(what: str) -> None:
    name, _, extra = what.partition('[')
    folder = ROOT if name.endswith('/mujoco_ros_py') else ROOT / name
    assert (folder / 'setup.py').is_file(), what
    for each in filter(None, extra.rstrip(']').split(',')):
        assert f"'{each}':" in (folder / 'setup.py').read_text(), what
