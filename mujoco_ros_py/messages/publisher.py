"""Publishes messages from memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import PublishError
from ..rcl_internals import raw_publisher
from .message import StructMessage

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.qos import QoSProfile


class StructPublisher:
    """An rclpy publisher that sends its `message` directly from memory.

    This costs half as much as rclpy's `publish`, which converts each message, and releases the GIL
    while the middleware writes. One thread at a time may fill and publish the message. If rclpy
    does not tell the addresses of its handles, messages are converted and published by rclpy.
    Without a node nothing is published.
    """

    def __init__(
        self, node: Node | None, kind: type[Any], topic: str, qos: QoSProfile | int
    ) -> None:
        self._node, self._topic = node, topic
        self._publisher = None if node is None else node.create_publisher(kind, topic, qos)
        self._raw = None if node is None else raw_publisher(self._publisher, kind)
        self.message = StructMessage(kind)
        """The message that is published."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return self._topic if self._publisher is None else str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """The number of subscribers that the topic has."""
        return 0 if self._publisher is None else int(self._publisher.get_subscription_count())

    def publish(self) -> None:
        """Publishes the content of `message`.

        Raises PublishError if the middleware refuses it, and rclpy's InvalidHandle once closed.
        """
        if self._raw is not None and (reason := self._raw.publish(self.message.address)):
            raise PublishError(f'{self.topic_name} was not published: {reason}')

    def close(self) -> None:
        """Destroys the publisher."""
        if self._node is not None:
            self._node.destroy_publisher(self._publisher)
