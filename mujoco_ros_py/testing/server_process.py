"""The process of a test server: its domain, parameters, log and end."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from ..errors import SimulationError
from ..processes import Copy, end_and_log
from ..processes.channel import Channel
from .request_plugin import NAME, Requests
from .server_program import copied_server

_LAST_DOMAIN = 101
"""The highest ROS domain that is safe on every operating system."""
_END_S = 10.0
_BAD_INPUT = 2
_TYPE = 'mujoco_ros_py_testing/Requests'


class ServerProcess:
    """A paused `mujoco_ros_py` server in its own process and ROS domain.

    The server ends when this process ends, even if this process is killed.
    """

    def __init__(
        self, folder: Path, parameters: Mapping[str, object], plugins: Sequence[object]
    ) -> None:
        """Starts the server. `folder` holds its files and must exist until the server ends."""
        self._stack = ExitStack()
        taken = self._stack.enter_context(_Domain())
        self.domain = taken.number
        """The server's ROS domain."""
        self.folder = folder
        """The folder with the server's files."""
        self.log_file = folder / 'server.log'
        """The file with the server's output."""
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours)
        """The channel to the server's `Requests` plugin."""
        self._stack.callback(self.channel.close)
        own = {
            'type': _TYPE, 'name': NAME, 'descriptor': theirs.fileno(), 'folder': str(folder),
        }  # fmt: skip
        values = {**parameters, 'MujocoPlugins': json.dumps([*plugins, own])}
        file = folder / 'parameters.yaml'
        file.write_text(json.dumps({'/**': {'ros__parameters': values}}))  # JSON is YAML
        try:
            # The server inherits the lock of its domain, so that the domain stays locked until
            # the server has ended, even if this process is killed first.
            self._process = self._started(folder, file, [theirs.fileno(), taken.fileno()])
        except BaseException:
            self._stack.close()
            raise
        finally:
            theirs.close()

    def _started(self, folder: Path, file: Path, inherited: list[int]) -> Copy:
        words = ['--ros-args', '--params-file', str(file)]
        with self.log_file.open('wb') as log:
            environment = self._environment(_index(folder))
            return copied_server(words, environment, log.fileno(), inherited)

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._process.pid

    @property
    def log(self) -> str:
        """The server's output so far."""
        return self.log_file.read_text(errors='replace') if self.log_file.exists() else ''

    def ended(self, wait_s: float = 0.0) -> str:
        """Returns how the process ended, with the end of its log; empty while it runs."""
        try:
            code = self._process.wait(wait_s)
        except subprocess.TimeoutExpired:
            return ''
        which = f'the process {self.pid}' if self.pid else 'the process'  # no pid: fork failed
        return end_and_log(f'{which} of the server', code, self.log_file)

    @property
    def refused(self) -> bool:
        """Whether the server has ended because its load failed."""
        return self._process.poll() == _BAD_INPUT

    def command(self, *words: str) -> str:
        """Runs a command of `python -m mujoco_ros_py`, and returns its output.

        Raises SimulationError, with the server's message, if the command fails.
        """
        done = subprocess.run(
            [sys.executable, '-m', 'mujoco_ros_py', *words], env=self._environment(),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SimulationError(f'{words[0]} {words[1]}: {(done.stderr or done.stdout).strip()}')
        return done.stdout.strip()

    def end(self) -> None:
        """Ends the process with SIGTERM, or with SIGKILL if it takes too long."""
        self._process.end(_END_S)

    def close(self) -> None:
        """Ends the process, and releases the domain and the channel."""
        self.end()
        self._stack.close()

    def _environment(self, *prefixes: Path) -> dict[str, str]:
        """Returns the environment in which the server can also import the test's modules."""
        ament = [*map(str, prefixes), *filter(None, [os.environ.get('AMENT_PREFIX_PATH')])]
        variables = variables_for(self.domain)
        return {**os.environ, **variables, 'AMENT_PREFIX_PATH': os.pathsep.join(ament)}


def variables_for(domain: int | None) -> dict[str, str]:
    """Returns the environment variables with which a process reaches a server in this domain."""
    return {
        'ROS_AUTOMATIC_DISCOVERY_RANGE': os.environ.get(
            'ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST'
        ),
        'ROS_DOMAIN_ID': str(domain),
        'PYTHONUNBUFFERED': '1',
        'PYTHONPATH': os.pathsep.join(filter(None, sys.path)),
    }


def _index(folder: Path) -> Path:
    """Creates a separate ament index for `Requests`, to hide this plugin from other servers."""
    prefix = folder / 'prefix'
    index = prefix / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    index.mkdir(parents=True)
    (index / 'mujoco_ros_py_testing').write_text('plugins.xml\n')
    (prefix / 'plugins.xml').write_text(
        f'<library path="{Requests.__module__}"><class name="{_TYPE}"'
        f' type="{Requests.__module__}:{Requests.__name__}"'
        ' base_class_type="mujoco_ros_py::MujocoPlugin"/></library>'
    )
    return prefix


class _Domain:
    """A ROS domain that no other test server on this machine uses."""

    def __enter__(self) -> _Domain:
        for number in range(1, _LAST_DOMAIN + 1):
            path = Path(tempfile.gettempdir()) / f'mujoco_ros_py_domain_{number}'
            lock = path.open('a')
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                continue
            self._lock, self.number = lock, number
            return self
        raise SimulationError(f'all {_LAST_DOMAIN} ROS domains are taken by other tests')

    def fileno(self) -> int:
        """Returns the lock's descriptor; the lock is held as long as any process has it open."""
        return self._lock.fileno()

    def __exit__(self, *error: object) -> None:
        self._lock.close()
