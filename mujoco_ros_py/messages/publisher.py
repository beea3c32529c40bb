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
    """

    def __init__(self, node: Node, kind: type[Any], topic: str, qos: QoSProfile | int) -> None:
        self._node = node
        self._publisher = node.create_publisher(kind, topic, qos)
        self._raw = raw_publisher(self._publisher, kind)
        self.message = StructMessage(kind)
        """The message that is published."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """The number of subscribers that the topic has."""
        return int(self._publisher.get_subscription_count())

    def publish(self) -> None:
        """Publishes the content of `message`.

        Raises PublishError if the middleware refuses it, and rclpy's InvalidHandle once closed.
        """
        if reason := self._raw.publish(self.message.address):
            raise PublishError(f'{self.topic_name} was not published: {reason}')

    def close(self) -> None:
        """Destroys the publisher."""
        self._node.destroy_publisher(self._publisher)
