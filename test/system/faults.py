"""What the tests of faults share: the plugins in `faulty_plugins/`, and how to watch them."""

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
    """In which the server finds the plugins here, and those under other prefixes."""
    added = {'AMENT_PREFIX_PATH': [*prefixes, PLUGINS], 'PYTHONPATH': [*prefixes, PLUGINS]}
    return {
        name: os.pathsep.join([*map(str, paths), *filter(None, [os.environ.get(name)])])
        for name, paths in added.items()
    }


def with_plugins(*plugins: Any, **parameters: Any) -> dict[str, Any]:
    """Parameters of a server with a pendulum and these plugins."""
    return {'mujoco_xml': PENDULUM, 'MujocoPlugins': plugin_list(*plugins), **parameters}


def plugin_list(*plugins: Any) -> str:
    return yaml.safe_dump(list(plugins), sort_keys=False)


def between_witnesses(kind: str, **config: Any) -> list[dict[str, Any]]:
    """The plugin `faulty`, one before it that counts in Python, one after it in compiled code."""
    return [
        {'type': 'faulty/Witness', 'name': 'first'},
        {'type': kind, 'name': 'faulty', **config},
        {'type': 'faulty/CompiledWitness', 'name': 'last'},
    ]


class BusyClient(Client):
    """One of several that call the same services at once.

    Each receives the answers for all and leaves out those for the others; of them ROS keeps ten,
    which is too few where the clients share one Python.
    """

    def call_async(self, kind: Any, name: str, request: Any) -> Any:
        full = name if name.startswith('/') else f'{self._server}/{name}'
        if full not in self._clients:
            qos = QoSProfile(depth=1000)
            self._clients[full] = self.node.create_client(kind, full, qos_profile=qos)
        return super().call_async(kind, name, request)


class Counts:
    """What the witnesses told so far."""

    def __init__(self, client: Client, *names: str) -> None:
        self._told = {name: client.collect(String, f'/{name}/calls') for name in names}

    def latest(self, name: str) -> dict[str, int]:
        """The newest counts of a witness."""
        told = self._told[name]
        return json.loads(wait_until(lambda: told and told[-1], f'{name} tells').data)

    def wait_for_more(self, *kinds: str, by: int = 20) -> None:
        """Every witness is called some more times, in each of its callbacks or in these."""
        for name, told in self._told.items():
            told.clear()
            before = self.latest(name)
            for kind in kinds or ('control', 'passive', 'last_stage'):
                enough = before[kind] + by
                wait_until(
                    lambda: self.latest(name)[kind] >= enough,  # noqa: B023
                    f'{kind} of {name}',
                )


def plugin_status(client: Client, name: str = 'faulty') -> tuple[bytes, str, dict[str, str]]:
    """Level, message and values that /diagnostics has next."""
    return client.diagnostics()[f'plugin {name}']


def plugin_state(client: Client, name: str = 'faulty') -> str:
    return plugin_status(client, name)[2]['state']


def sim_time(client: Client) -> float:
    return float(client.diagnostics()['simulation'][2]['time'])


def reload_with(client: Client, *plugins: Any) -> Any:
    """The answer of a reload with other plugins."""
    (result,) = client.set_parameters(MujocoPlugins=plugin_list(*plugins))
    assert result.successful, result.reason
    return client.trigger('reload')


def log_entries(process: Process, level: str = 'ERROR') -> list[str]:
    """What was logged at a level so far, each entry with the lines that follow it."""
    entries = re.split(r'^(?=\[[A-Z]+\] \[\d)', process.output, flags=re.MULTILINE)
    return [entry for entry in entries if entry.startswith(f'[{level}]')]


@contextmanager
def starting(
    folder: Path, domain: int, parameters: dict[str, Any], **env: str
) -> Iterator[Process]:
    """A server that is not waited for."""
    file = parameter_file(folder / 'starting.yaml', parameters)
    process = Process(
        'mujoco_ros_py', ['--ros-args', '--params-file', str(file)], domain, **environment(), **env
    )
    try:
        yield process
    finally:
        process.end()
