"""The topics whose messages the Imperfections plugin delays, drops and changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ...config import listed, unknown
from ...errors import ConfigError
from ...plugins import MujocoPlugin, State, ros_type
from .timeline import NamedEntry
from .transit_rows import Pipe, remember, renew

_log = logging.getLogger(__name__)
Key = tuple[str, bool]
"""The full name of a topic, and whether the server publishes on it."""


class FilteredTopics:
    """Finds the topics that the entries of a timeline act on, and creates a filter for each.

    A filter stays until the plugin is unloaded, even if its last entry is removed.
    """

    def __init__(self, plugin: MujocoPlugin[Any], decide: Callable[..., object]) -> None:
        self._plugin, self._decide = plugin, decide
        self._filters: dict[Key, Any] = {}
        self._kinds: dict[Key, Any] = {}
        """The message types of the filtered topics, in the order of the filter numbers."""

    def pipes(self, entries: Sequence[NamedEntry]) -> list[Pipe]:
        """Returns a `Pipe` for each topic. Topics that already have a filter keep their positions.

        Raises ConfigError for an unknown plugin or topic. Without ROS there are no topics, and the
        result is empty.
        """
        ros = self._plugin.ros
        if not ros:
            self._note_missing(entries)
            return []
        kinds: dict[Key, Any] = dict(self._kinds)
        acting: dict[Key, list[NamedEntry]] = {}
        encoders: dict[Key, list[tuple[NamedEntry, str]]] = {}
        for entry in entries:
            for key, kind in self._topics_of(entry):
                kinds.setdefault(key, kind)
                if entry.target.kind == 'joint':
                    encoders.setdefault(key, []).append((entry, entry.target.joint))
                else:
                    acting.setdefault(key, []).append(entry)
        return [
            Pipe(
                topic=topic,
                published=published,
                kind=kind,
                entries=tuple(acting.get((topic, published), ())),
                encoders=tuple(encoders.get((topic, published), ())),
            )
            for (topic, published), kind in kinds.items()
        ]

    def filter(self, pipes: Sequence[Pipe], state: State) -> None:
        """Creates a filter for each topic that has no filter yet."""
        for number, pipe in enumerate(pipes):
            key = pipe.topic, pipe.published
            if key not in self._filters:
                self._kinds[key] = pipe.kind
                self._filters[key] = self._plugin.ros.create_message_filter(
                    pipe.topic,
                    self._decide,
                    incoming=not pipe.published,
                    state=state,
                    number=number,
                )

    def renew(self, fields: Mapping[str, Any], state: State) -> None:
        """Writes new `transit_fields` into the state, but keeps what its rows remember."""
        if not renew(state, fields):
            remember(fields, state)
            for name, array in fields.items():
                state[name] = array

    @property
    def held(self) -> int:
        """The number of delayed messages that are not delivered yet."""
        return sum(each.held for each in tuple(self._filters.values()))

    @property
    def lost(self) -> int:
        """The number of messages that were lost."""
        return sum(each.lost for each in tuple(self._filters.values()))

    def clear(self) -> None:
        """Drops the messages that are not delivered yet."""
        for each in self._filters.values():
            each.clear()

    def save(self) -> list[Any]:
        """Returns the messages that are not delivered yet."""
        return [each.save() for each in self._filters.values()]

    def check_saved(self, saved: Any) -> None:
        """Raises ConfigError unless `restore` can use `saved`."""
        if not isinstance(saved, list) or len(saved) != len(self._filters):
            raise ConfigError(f'messages must be a list with {len(self._filters)} topics')
        for each, messages in zip(self._filters.values(), saved, strict=True):
            each.check_saved(messages)

    def restore(self, saved: Sequence[Any]) -> None:
        """Replaces the messages that are not delivered yet by saved messages."""
        for each, messages in zip(self._filters.values(), saved, strict=True):
            each.restore(messages)

    def _topics_of(self, entry: NamedEntry) -> Iterator[tuple[Key, Any]]:
        """Yields the topics that an entry acts on, with their message types."""
        target = entry.target
        if target.kind == 'plugin':
            yield from self._commands_of(entry)
        elif target.kind in ('topic', 'field'):
            yield from self._directions_of(entry)
        elif target.kind == 'joint':
            states = ros_type('sensor_msgs/msg/JointState')
            for topic, kind in self._plugin.ros.plugin_topics(incoming=False).items():
                if kind is states and self._is_own(topic):
                    yield (topic, True), kind

    def _commands_of(self, entry: NamedEntry) -> Iterator[tuple[Key, Any]]:
        """Yields the topics that a plugin subscribes to."""
        name, environment = entry.target.plugin, self._plugin.environment
        plugins = environment.plugins
        full = f'{environment.namespace}/{name}' if environment.namespace else name
        plugin = plugins.get(full, plugins.get(name))
        place = f'timeline.{entry.name}.of'
        if plugin is None:
            raise ConfigError(
                f'{place}: {unknown("plugin", name, plugins)} (it must come before this plugin)'
            )
        types = self._plugin.ros.plugin_topics(incoming=True)
        own = plugin.ros.resolve_topic_name('~/x').removesuffix('x')
        private = [topic for topic in types if topic.startswith(own)]  # also goals of actions
        subscribed = [topic for topic in plugin.ros.inbox.types if topic in types]
        topics = dict.fromkeys([*subscribed, *private])
        if not topics:
            raise ConfigError(f'{place}: plugin {name!r} subscribes to no topic and has no action')
        yield from (((topic, False), types[topic]) for topic in topics)

    def _directions_of(self, entry: NamedEntry) -> Iterator[tuple[Key, Any]]:
        """Yields the topic of an entry: published, subscribed to, or once for each direction."""
        full = self._plugin.ros.resolve_topic_name(entry.target.topic)
        known: set[str] = set()
        found = False
        for published in (True, False):
            types = self._plugin.ros.plugin_topics(incoming=not published)
            known.update(types)
            if full in types:
                found = True
                yield (full, published), types[full]
        if not found:
            what = unknown('topic', full, sorted(known))
            raise ConfigError(f'timeline.{entry.name}.of: {what}')

    def _is_own(self, topic: str) -> bool:
        """Returns whether a topic belongs to the plugin's group, according to its namespace."""
        environment, ros = self._plugin.environment, self._plugin.ros
        if environment.namespace:
            return topic.startswith(ros.resolve_topic_name('x').removesuffix('x'))
        others = {each.environment.namespace for each in environment.plugins.values()} - {''}
        return not any(f'/{name}/' in topic for name in others)

    def _note_missing(self, entries: Sequence[NamedEntry]) -> None:
        names = [entry.name for entry in entries if entry.target.kind in _NEED_ROS]
        if names:
            _log.warning(
                '%s: without ROS there are no messages, so these entries have no effect: %s',
                self._plugin.name,
                listed(names),
            )


_NEED_ROS = 'plugin', 'topic', 'field'
