"""Helpers for tests of faults: the plugins in `faulty_plugins/`, and how to watch them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from rclpy.qos import QoSProfile
from std_msgs.msg import String

from .harness import PENDULUM, Client, Process, parameter_file, wait_until

PLUGINS = Path(__file__).parent / 'faulty_plugins'


def environment(*prefixes: Path) -> dict[str, str]:
    """Returns the environment in which the server finds these plugins and those of prefixes."""
    added = {'AMENT_PREFIX_PATH': [*prefixes, PLUGINS], 'PYTHONPATH': [*prefixes, PLUGINS]}
    return {
        name: os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get(name)])])
        for name, paths in added.items()
    }


def with_plugins(*plugins: Any, **parameters: Any) -> dict[str, Any]:
    """Returns the parameters of a server with a pendulum and these plugins."""
    return {'mujoco_xml': PENDULUM, 'MujocoPlugins': plugin_list(*plugins), **parameters}


def plugin_list(*plugins: Any) -> str:
    return yaml.safe_dump(list(plugins), sort_keys=False)


def among_witnesses(*plugins: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns these plugins between a plugin that counts in Python and a compiled one."""
    return [
        {'type': 'faulty/Witness', 'name': 'first'},
        *plugins,
        {'type': 'faulty/CompiledWitness', 'name': 'last'},
    ]


def between_witnesses(kind: str, **config: Any) -> list[dict[str, Any]]:
    """Returns the plugin `faulty` between a plugin that counts in Python and a compiled one."""
    return among_witnesses({'type': kind, 'name': 'faulty', **config})


class BusyClient(Client):
    """One of several clients that call the same services at once.

    Each client receives the answers for all clients, and drops those for the others. ROS keeps ten
    of them, which is too few if the clients share one Python.
    """

    def call_async(self, kind: Any, name: str, request: Any) -> Any:
        full = name if name.startswith('/') else f'{self._server}/{name}'
        if full not in self._clients:
            qos = QoSProfile(depth=1000)
            self._clients[full] = self.node.create_client(kind, full, qos_profile=qos)
        return super().call_async(kind, name, request)


class Counts:
    """The counts that the witnesses have published so far."""

    def __init__(self, client: Client, *names: str) -> None:
        self._told = {name: client.collect(String, f'/{name}/calls') for name in names}

    def latest(self, name: str) -> dict[str, int]:
        """Returns the newest counts of a witness."""
        told = self._told[name]
        return json.loads(wait_until(lambda: told and told[-1], f'{name} tells').data)

    def now(self) -> dict[str, dict[str, int]]:
        """Waits for the next counts of every witness, and returns them."""
        for told in self._told.values():
            told.clear()
        return {name: self.latest(name) for name in self._told}

    def wait_for_more(
        self, *kinds: str, by: int = 20, than: dict[str, dict[str, int]] | None = None
    ) -> None:
        """Waits until every witness was called more often, in all callbacks or in these.

        The calls are counted from now on, or from what `now` has returned earlier.
        """
        for name, before in (than or self.now()).items():
            for kind in kinds or ('control', 'passive', 'last_stage'):
                enough = before[kind] + by
                wait_until(
                    lambda: self.latest(name)[kind] >= enough,  # noqa: B023
                    f'{kind} of {name}',
                )


def plugin_status(client: Client, name: str = 'faulty') -> tuple[bytes, str, dict[str, str]]:
    """Returns level, message and values of the plugin in the next /diagnostics."""
    return client.diagnostics()[f'plugin {name}']


def plugin_state(client: Client, name: str = 'faulty') -> str:
    return plugin_status(client, name)[2]['state']


def sim_time(client: Client) -> float:
    return float(client.diagnostics()['simulation'][2]['time'])


def reload_with(client: Client, *plugins: Any) -> Any:
    """Returns the answer of a reload with other plugins."""
    (result,) = client.set_parameters(MujocoPlugins=plugin_list(*plugins))
    assert result.successful, result.reason
    return client.trigger('reload')


class FaultyServer:
    """A shared server without plugins, for tests that load faulty ones into it.

    It has the `output` of a process, since the latest load.
    """

    def __init__(self, process: Process, client: Client) -> None:
        self.process, self.client, self._begin = process, client, len(process.output)

    def load(self, *plugins: Any, run: bool = True) -> None:
        """Replaces the plugins; the simulation is paused until then, and runs if it is to."""
        assert self.client.pause(True).success
        self._begin = len(self.process.output)
        answer = reload_with(self.client, *plugins)
        assert answer.success, answer.message
        if run:
            assert self.client.pause(False).success

    def restore(self) -> None:
        """Takes the plugins off the parameters; the next test reloads the server."""
        if self.process.running():
            assert self.client.set_parameters(MujocoPlugins='[]')[0].successful

    @property
    def output(self) -> str:
        return self.process.output[self._begin :]

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines(keepends=True)

    def wait_for_output(self, text: str) -> None:
        wait_until(lambda: text in self.output, text, process=self.process)


BUSY_WARNINGS = 'has made no progress', 'continues after', 'messages were dropped'
"""Parts of the warnings that any server may log on a busy machine."""


def log_entries(process: Process | FaultyServer, level: str = 'ERROR') -> list[str]:
    """Returns the log entries of a level so far, each with the lines that follow it."""
    # The middleware may have left a line without its end.
    entries = re.split(r'(?=\[(?:DEBUG|INFO|WARN|ERROR|FATAL)\] \[\d+\.\d+\] )', process.output)
    return [entry for entry in entries if entry.startswith(f'[{level}]')]


@contextmanager
def starting(
    folder: Path, domain: int, parameters: dict[str, Any], copied: bool = False
) -> Iterator[Process]:
    """Starts a server inside the context without waiting for it."""
    file = parameter_file(folder / 'starting.yaml', parameters)
    args = ['--ros-args', '--params-file', str(file)]
    process = Process('mujoco_ros_py', args, domain, copied=copied, **environment())
    try:
        yield process
    finally:
        process.end()
