"""mujoco_ros_py/RecordedCommands: gives plugins the commands of a recording again."""

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
"""How far a time may be off, as ROS time is a sum."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedCommandsConfig:
    """The configuration of the RecordedCommands plugin."""

    file: str
    """The recording (.mcap) with the topics of the commands."""
    section: int = ranged(-1, minimum=-1)
    """The number of a section, see `mujoco_ros_py replay --info`; -1: the first in the file."""


class RecordedCommands(MujocoPlugin[RecordedCommandsConfig], Savable):
    """Gives plugins the recorded messages of the topics that they subscribe to.

    A message comes between two steps, at the simulated time at which it was recorded, as fast as
    the simulation may be. It is not published. A reset begins anew.
    """

    def load(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Opens the recording."""
        if not self.ros:
            raise PluginError('messages of a recording need ROS, and this session runs without it')
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
        """Finds the plugins that take recorded topics, and gives the messages of this moment."""
        recorded = {topic.name for topic in self._run.topics()}
        fed = sorted(recorded & self._takers().keys())
        if fed:
            _log.info('%s: gives the recorded messages of %s', self.name, listed(fed))
        else:
            known = listed(sorted(self._takers())) or 'none'
            _log.error(
                '%s: no plugin subscribes to a recorded topic (%s); subscribed to are: %s',
                self.name, listed(sorted(recorded)) or 'none', known,
            )  # fmt: skip
        self._begin(data)

    def reset(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Begins at the present time of the recording."""
        self._begin(data)

    def save(self) -> Any:
        """Returns nothing: the time tells which messages follow."""
        return None

    def restore(self, saved: Any) -> None:
        """Goes on at the restored time."""
        self.environment.submit(lambda model, data: self._begin(data))

    def unload(self) -> None:
        """Closes the recording."""
        if hasattr(self, '_run'):
            self._run.close()

    def last_stage_callback(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Gives the messages that came after this step, and before the next one."""
        if self._next is not None and self._is_due(self._next, data):
            self._give(data)

    def _begin(self, data: mujoco.MjData) -> None:
        """Finds the first message that is not in the past, and gives those of this moment."""
        least_ns, messages = (
            round(data.time * 1e9) - _ROUNDING_NS,
            self._run.messages(self._section),
        )
        self._messages = (each for each in messages if self._model_ns(each) >= least_ns)
        self._next = next(self._messages, None)
        self._give(data)

    def _give(self, data: mujoco.MjData) -> None:
        """Gives the messages that are due."""
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
                        '%s: %s was recorded as %s, and %s takes %s',
                        self.name, topic.name, topic.kind, plugin.name, kind,
                    )  # fmt: skip

    def _is_due(self, message: RecordedMessage, data: mujoco.MjData) -> bool:
        return bool(self._model_ns(message) <= round(data.time * 1e9) + _ROUNDING_NS)

    def _model_ns(self, message: RecordedMessage) -> int:
        """Returns the simulated time of a message of the section in ns; its own is ROS time."""
        return message.time_ns - round(self._run.sections[self._section].ros_offset * 1e9)

    def _takers(self) -> dict[str, list[MujocoPlugin[Any]]]:
        """Returns the plugins that subscribe to a topic, by its full name."""
        found: dict[str, list[MujocoPlugin[Any]]] = {}
        for plugin in list(self.environment.plugins.values()):
            for topic in plugin.ros.inbox.types:
                found.setdefault(topic, []).append(plugin)
        return found
