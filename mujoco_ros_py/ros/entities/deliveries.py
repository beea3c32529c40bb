"""Gives messages to the subscriptions of a plugin, as if they had come on their topics."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, TimeoutError
from contextlib import suppress
from typing import Any

from rclpy.serialization import deserialize_message

from ...config.wording import unknown
from ...errors import ConfigError, PluginError
from ...simulation import Owner
from ..message_values import filled

Give = Callable[[Any], Future[Any]]
_LOOK_S = 0.2


class Deliveries:
    """The subscriptions of one plugin, by the full name of the topic; implements `Inbox`."""

    def __init__(self, owner: Owner, full_name: Callable[[str], str]) -> None:
        self._owner, self._full_name = owner, full_name
        self._known: dict[str, tuple[Any, Give]] = {}

    def add(self, topic: str, kind: Any, give: Give) -> None:
        """Adds a subscription; `give(message)` returns a future that is done after the call."""
        self._known[topic] = kind, give

    @property
    def types(self) -> dict[str, str]:
        """The types of the messages, by the full name of the topic."""
        return {topic: type_name(kind) for topic, (kind, _) in tuple(self._known.items())}

    def give(self, topic: str, message: bytes) -> None:
        """Has a serialized message read, and does not wait for that."""
        kind, give = self._known[topic]
        give(deserialize_message(message, kind))

    def on_thread(self, topic: str, function: Callable[[Any], Any]) -> Give:
        """Returns a `Give` that calls a function on the plugin's thread."""
        call = self._owner.callback(f'the function of topic {topic}', function, wait_s=_LOOK_S)

        def give(message: Any) -> Future[Any]:
            done: Future[Any] = Future()
            self._owner.thread.run(lambda: done.set_result(call(message)))
            return done

        return give

    def deliver(self, topic: str, fields: Mapping[str, Any]) -> None:
        """Gives a message with these fields to a subscription, and waits until it has been read.

        Without a topic, the plugin must have one subscription. Raises ConfigError for an unknown
        topic or field, and PluginError if the plugin fails or is unloaded meanwhile.
        """
        if topic:
            topic = self._full_name(topic)
        elif len(self._known) == 1:
            (topic,) = self._known
        if topic not in self._known:
            raise ConfigError(unknown('topic', topic, self._known))
        kind, give = self._known[topic]
        given = give(filled(kind(), fields))
        while not given.done():
            if self._owner.closed:
                raise PluginError(f'{self._owner.name} has failed or was unloaded')
            with suppress(TimeoutError):
                given.result(_LOOK_S)
        given.result()


def type_name(kind: type[Any]) -> str:
    """Returns the name of a type of messages, such as `std_msgs/msg/Bool`."""
    package, folder = kind.__module__.split('.')[:2]
    return f'{package}/{folder}/{kind.__name__}'
