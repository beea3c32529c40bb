"""mujoco_ros_py/RecordedCommands: replays a recording's commands to plugins."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco

from ...config import listed, ranged
from ...errors import PluginError, RecordingError
from ...plugins import MujocoPlugin, Savable
from ...recording import RecordedMessage, RecordedRun

_log = logging.getLogger(__name__)
_ROUNDING_NS = 1
"""The tolerance in ns when message times and simulated time are compared: ROS time is a sum of
rounded numbers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedCommandsConfig:
    """The configuration of the RecordedCommands plugin."""

    file: str
    """The recording (.mcap) with the command topics."""
    section: int = ranged(-1, minimum=-1)
    """The section number, see `mujoco_ros_py replay --info`; -1: the first section in the file."""


class RecordedCommands(MujocoPlugin[RecordedCommandsConfig], Savable):
    """Delivers recorded messages to the plugins that subscribe to their topics.

    Each message is delivered between two steps, at the simulated time of its recording, at any
    simulation speed. Messages are not published. A reset restarts the replay.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Opens the recording."""
        if not self.ros:
            raise PluginError('recorded commands need ROS, but this session runs without it')
        try:
            self._run = RecordedRun(Path(self.config.file).expanduser())
        except RecordingError as error:
            raise PluginError(str(error)) from None
        first = (each['number'] for each in self._run.events() if each.get('event') == 'section')
        self._section = self.config.section if self.config.section >= 0 else next(first, 0)
        self._messages: Iterator[RecordedMessage] = iter(())
        self._next: RecordedMessage | None = None
        self._told: set[str] = set()

    def after_load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Finds the plugins that subscribe to recorded topics, and delivers due messages."""
        recorded = {topic.name for topic in self._run.topics()}
        fed = sorted(recorded & self._takers().keys())
        if fed:
            _log.info('%s: replays the recorded messages of %s', self.name, listed(fed))
        else:
            known = listed(sorted(self._takers())) or 'none'
            _log.error(
                '%s: no plugin subscribes to a recorded topic (%s); subscribed topics: %s',
                self.name, listed(sorted(recorded)) or 'none', known,
            )  # fmt: skip
        self._begin(data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Restarts the replay at the current time."""
        self._begin(data)

    def save(self) -> Any:
        """Returns None: the simulated time determines which messages follow."""
        return None

    def restore(self, saved: Any) -> None:
        """Continues the replay at the restored time."""
        self.environment.submit(lambda model, data: self._begin(data))

    def unload(self) -> None:
        """Closes the recording."""
        if hasattr(self, '_run'):
            self._run.close()

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Delivers the messages that arrived after this step and before the next."""
        if self._next is not None and self._is_due(self._next, data):
            self._give(data)

    def _begin(self, data: mujoco.MjData) -> None:
        """Skips past messages, and delivers the messages that are due."""
        least_ns, messages = (
            round(data.time * 1e9) - _ROUNDING_NS,
            self._run.messages(self._section),
        )
        self._messages = (each for each in messages if self._model_ns(each) >= least_ns)
        self._next = next(self._messages, None)
        self._give(data)

    def _give(self, data: mujoco.MjData) -> None:
        """Delivers the messages that are due."""
        takers = self._takers()
        while self._next is not None and self._is_due(self._next, data):
            message, self._next = self._next, next(self._messages, None)
            topic = message.topic
            for plugin in takers.get(topic.name, ()):
                kind = plugin.ros.inbox.types[topic.name]
                if kind == topic.kind:
                    plugin.ros.inbox.give(topic.name, message.data)
                elif topic.name not in self._told:
                    self._told.add(topic.name)
                    _log.error(
                        '%s: %s was recorded as %s, but %s expects %s',
                        self.name, topic.name, topic.kind, plugin.name, kind,
                    )  # fmt: skip

    def _is_due(self, message: RecordedMessage, data: mujoco.MjData) -> bool:
        return bool(self._model_ns(message) <= round(data.time * 1e9) + _ROUNDING_NS)

    def _model_ns(self, message: RecordedMessage) -> int:
        """Converts a message's ROS time to simulated time in ns, using the section's offset."""
        return message.time_ns - round(self._run.sections[self._section].ros_offset * 1e9)

    def _takers(self) -> dict[str, list[MujocoPlugin[Any]]]:
        """Returns the plugins that subscribe to each topic, by the topic's full name."""
        found: dict[str, list[MujocoPlugin[Any]]] = {}
        for plugin in list(self.environment.plugins.values()):
            for topic in plugin.ros.inbox.types:
                found.setdefault(topic, []).append(plugin)
        return found
