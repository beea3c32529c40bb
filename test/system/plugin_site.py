"""Installs the plugins of `recording` for a server, and reads the events that they write."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml

from .harness import Client, wait_until

MODULE = 'recording'
SOURCE = Path(__file__).with_name(f'{MODULE}.py')


class PluginSite:
    """A folder for PYTHONPATH with the module and the metadata that pip would install."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / 'site'
        self._record = self.folder / 'record.txt'
        self._found = folder / 'found'
        self.add_module(MODULE, SOURCE.read_text())
        self._record.touch()

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the server's process."""
        others = os.environ.get('PYTHONPATH', '')
        return {'PYTHONPATH': os.pathsep.join([str(self.folder), others])}

    def add_module(self, name: str, source: str) -> None:
        """Adds a distribution with one module, whose classes are all plugins."""
        information = self.folder / f'{name}-1.0.dist-info'
        information.mkdir(parents=True)
        (self.folder / f'{name}.py').write_text(source)
        (information / 'METADATA').write_text(f'Name: {name}\nVersion: 1.0\n')
        rows = ''.join(f'{name}/{each} = {name}:{each}\n' for each in _classes(source))
        (information / 'entry_points.txt').write_text(f'[mujoco_ros_py.plugins]\n{rows}')

    def describe_instead(self) -> dict[str, str]:
        """Replaces the entry points by a plugin description, as colcon installs it."""
        (self.folder / f'{MODULE}-1.0.dist-info' / 'entry_points.txt').unlink()
        share = self.folder / 'share'
        index = share / 'ament_index/resource_index/mujoco_ros_py__pluginlib__plugin' / MODULE
        for file, text in {
            index: f'share/{MODULE}/plugins.xml\n',
            share / MODULE / 'plugins.xml': _description(),
        }.items():
            file.parent.mkdir(parents=True)
            file.write_text(text)
        others = os.environ.get('AMENT_PREFIX_PATH', '')
        return {'AMENT_PREFIX_PATH': os.pathsep.join(filter(None, [str(self.folder), others]))}

    def wait_for_listener(self, topic: str) -> Callable[..., None]:
        """Makes the server wait for a subscription to a topic, as earlier messages would be lost.

        The subscription calls the returned function when it has found the publisher: the publisher
        may find the subscription long before that. The server must be fresh.
        """
        patience = _PATIENCE.replace('TOPIC', topic).replace('FOUND', str(self._found))
        (self.folder / 'sitecustomize.py').write_text(patience)
        return lambda *_: self._found.touch()

    def events(self, *whats: str, who: str | None = None) -> list[SimpleNamespace]:
        """Returns the events so far, in order; only those of the named kinds if there are any."""
        written = self._record.read_text()
        lines = written[: written.rfind('\n') + 1].splitlines()
        events = [SimpleNamespace(**json.loads(line)) for line in lines]
        return [
            event
            for event in events
            if (not whats or event.what in whats) and who in (None, event.who)
        ]

    def forget(self) -> None:
        """Drops the events so far."""
        self._record.write_text('')

    def names(self, *whats: str) -> list[str]:
        """Returns the events as 'event label'."""
        return [f'{event.what} {event.who}' for event in self.events(*whats)]

    def wait_for(self, what: str, count: int = 1, who: str | None = None) -> list[SimpleNamespace]:
        """Returns the events of this kind as soon as there are `count` of them."""
        return wait_until(
            lambda: len(found := self.events(what, who=who)) >= count and found,
            f'{count} times {what} {who or ""}',
        )


def plugin(kind: str, label: str = '', **config: Any) -> dict[str, Any]:
    """Returns the struct of a test plugin with this class, whose name is the label."""
    names = {'name': label, 'label': label} if label else {}
    return {'type': f'{MODULE}/{kind}', **names, **config}


def as_text(*plugins: Any) -> str:
    """Returns MujocoPlugins as a block of text."""
    return yaml.safe_dump(list(plugins), sort_keys=False)


def data_of(client: Client) -> SimpleNamespace:
    """Returns time, qpos and qvel from a Probe."""
    answer = client.trigger('data')
    return SimpleNamespace(**json.loads(answer.message))


_PATIENCE = """
import os
import time
from rclpy.node import Node

create = Node.create_publisher

def create_publisher(node, kind, topic, *args, **kwargs):
    publisher = create(node, kind, topic, *args, **kwargs)
    deadline = time.monotonic() + 300
    while topic == 'TOPIC' and not (
        publisher.get_subscription_count() and os.path.exists('FOUND')
    ):
        assert time.monotonic() < deadline, 'nobody listens to TOPIC'
        time.sleep(0.01)
    return publisher

Node.create_publisher = create_publisher
"""


def _classes(source: str) -> list[str]:
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]


def _description() -> str:
    rows = ''.join(
        f'<class name="{MODULE}/{name}" type="{MODULE}:{name}"'
        ' base_class_type="mujoco_ros_py::MujocoPlugin"/>'
        for name in _classes(SOURCE.read_text())
    )
    return f'<library path="{MODULE}">{rows}</library>'
