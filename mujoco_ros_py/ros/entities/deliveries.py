"""Delivers messages directly to the subscriptions of a plugin, bypassing their topics."""

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
    """The subscriptions of one plugin by full topic name; implements `Inbox`."""

    def __init__(self, owner: Owner, full_name: Callable[[str], str]) -> None:
        self._owner, self._full_name = owner, full_name
        self._known: dict[str, tuple[Any, Give]] = {}

    def add(self, topic: str, kind: Any, give: Give) -> None:
        """Adds a subscription; the future of `give(message)` is done when the message is read."""
        self._known[topic] = kind, give

    @property
    def types(self) -> dict[str, str]:
        """The message types by full topic name."""
        return {topic: type_name(kind) for topic, (kind, _) in tuple(self._known.items())}

    def give(self, topic: str, message: bytes) -> None:
        """Passes a serialized message to the subscription, without waiting."""
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
        """Passes a message with these fields to a subscription, and waits until it has been read.

        An empty topic stands for the plugin's only subscription. Raises ConfigError for an unknown
        topic or field, and PluginError if the plugin fails or is unloaded in the meantime.
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
    """Returns the name of a message type, such as `std_msgs/msg/Bool`."""
    package, folder = kind.__module__.split('.')[:2]
    return f'{package}/{folder}/{kind.__name__}'
