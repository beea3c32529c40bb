"""Subscribes to recorded topics once publishers appear, and queues the messages for writing."""

from __future__ import annotations

import logging
import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

from ...plugins import MujocoPlugin
from ...recording import MessageType

with suppress(ImportError):  # ROS is optional in a session
    from ...plugins.topic_qos import profile_to_hear

_log = logging.getLogger(__name__)
_LINE = '=' * 80
_SEQUENCE = re.compile(r'sequence<(?P<of>.+?)(?:, (?P<most>\d+))?>')
_ARRAY = re.compile(r'(?P<of>.+)\[(?P<count>\d+)\]')
_TEXT = re.compile(r'(?P<of>w?string)<(?P<most>\d+)>')
_WORDS = {'double': 'float64', 'float': 'float32', 'boolean': 'bool', 'octet': 'byte'}

PERIOD_S = 0.2
"""The interval between the recorder's searches for new topics, in s of wall time."""
_DEPTH = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingMessage:
    """A serialized message that waits to be written."""

    topic: str
    kind: MessageType
    qos: str
    """The publishers' quality of service, in rosbag2's format."""
    data: bytes
    wall_time_ns: int
    time_ns: int
    """The ROS time of the message's arrival."""


class WaitingMessages:
    """A queue of limited size from the receiving threads to the writing thread."""

    def __init__(self, most_bytes: float) -> None:
        """Messages beyond `most_bytes` are dropped and counted."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._waiting: deque[WaitingMessage] = deque()
        self._lock = threading.Lock()
        self.new_lost = 0
        """The number of messages dropped since this was last set to 0."""

    def add(self, message: WaitingMessage) -> None:
        """Queues a message for writing, if it fits; callable from any thread."""
        with self._lock:
            if self._bytes + len(message.data) > self._most_bytes:
                self.new_lost += 1
                return
            self._bytes += len(message.data)
            self._waiting.append(message)

    def take(self, before_ns: float = math.inf) -> Iterator[WaitingMessage]:
        """Yields the messages that arrived before a wall time, in order of arrival."""
        while self._waiting and self._waiting[0].wall_time_ns < before_ns:
            with self._lock:
                message = self._waiting.popleft()
                self._bytes -= len(message.data)
            yield message


class RecordedTopics:
    """Subscribes to topics as they appear, and queues their messages for writing."""

    def __init__(
        self, plugin: MujocoPlugin[Any], names: Sequence[str], messages: WaitingMessages
    ) -> None:
        """`names` can contain `*` as a wildcard; relative names belong to the plugin's group."""
        self._plugin, self._messages = plugin, messages
        self._names = [
            name if '*' in name or name.startswith('/') else plugin.ros.resolve_topic_name(name)
            for name in names
        ]
        self._known: set[str] = set()

    def look(self) -> None:
        """Subscribes to topics that have appeared; called on the plugin's thread."""
        node = self._plugin.node
        for topic, types in node.get_topic_names_and_types():
            if topic in self._known or not any(fnmatchcase(topic, name) for name in self._names):
                continue
            publishers = node.get_publishers_info_by_topic(topic)
            if not publishers:
                continue
            self._known.add(topic)
            try:
                self._subscribe(topic, types[0], publishers)
            except (ImportError, AttributeError, ValueError) as error:
                _log.warning(
                    '%s: %s is not recorded because its type %s is not available: %s',
                    self._plugin.name, topic, types[0], error,
                )  # fmt: skip

    def _subscribe(self, topic: str, name: str, publishers: Sequence[Any]) -> None:
        package, folder, kind = name.split('/')
        found = getattr(import_module(f'{package}.{folder}'), kind)
        qos = profile_to_hear([each.qos_profile for each in publishers], depth=_DEPTH)
        take = self._taker(topic, name, found, qos)
        self._plugin.node.create_subscription(found, topic, take, qos, raw=True)

    def _taker(self, topic: str, name: str, found: Any, qos: Any) -> Callable[[bytes], None]:
        kind, written = message_type(name, found), _as_written(qos)
        simulation = self._plugin.environment.simulation

        def take(data: bytes) -> None:
            self._messages.add(
                WaitingMessage(
                    topic=topic,
                    kind=kind,
                    qos=written,
                    data=data,
                    wall_time_ns=time.time_ns(),
                    time_ns=round(simulation.ros_time * 1e9),
                )
            )

        return take


def _as_written(qos: Any) -> str:
    """Returns the profile in rosbag2's format."""
    never = '{sec: 9223372036, nsec: 854775807}'
    return (
        f'- history: keep_last\n  depth: {qos.depth}\n'
        f'  reliability: {qos.reliability.name.lower()}\n'
        f'  durability: {qos.durability.name.lower()}\n'
        f'  deadline: {never}\n  lifespan: {never}\n  liveliness: automatic\n'
        f'  liveliness_lease_duration: {never}\n  avoid_ros_namespace_conventions: false\n'
    )


def message_type(name: str, kind: type[Any]) -> MessageType:
    """Returns a message type with its definition, followed by the definitions of nested messages.

    `name` is the name of the type, such as `sensor_msgs/msg/JointState`, and `kind` its class.
    Constants and default values are omitted, because serialized messages do not depend on them.
    """
    definitions: dict[str, str] = {}
    own = _definition(kind, definitions)
    others = (f'{_LINE}\nMSG: {inner}\n{text}' for inner, text in definitions.items())
    return MessageType(name=name, definition=''.join([own, *others]))


def _definition(kind: type[Any], definitions: dict[str, str]) -> str:
    lines = []
    for field, written in kind.get_fields_and_field_types().items():
        text, inner = _field(written)
        lines.append(f'{text} {field}\n')
        if '/' in inner and inner not in definitions:
            package, name = inner.split('/')
            definitions[inner] = ''  # reserves its place before the types nested in it
            definitions[inner] = _definition(
                getattr(import_module(f'{package}.msg'), name), definitions
            )
    return ''.join(lines)


def _field(written: str) -> tuple[str, str]:
    """Returns a type in the syntax of message definitions, and the type of its elements."""
    if found := _ARRAY.fullmatch(written):
        text, inner = _field(found['of'])
        return f'{text}[{found["count"]}]', inner
    if found := _SEQUENCE.fullmatch(written):
        text, inner = _field(found['of'])
        most = f'<={found["most"]}' if found['most'] else ''
        return f'{text}[{most}]', inner
    if found := _TEXT.fullmatch(written):
        return f'{found["of"]}<={found["most"]}', found['of']
    word = _WORDS.get(written, written)
    return word, word
