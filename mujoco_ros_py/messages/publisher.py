"""Publishing what lies in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import PublishError
from ..rclpy_internals import RawPublisher
from .message import StructMessage

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.qos import QoSProfile


class StructPublisher:
    """An rclpy publisher that sends its `message` as it lies in memory.

    It costs half of what rclpy's `publish` costs, which converts each message, names and all, and
    the GIL is free while the middleware writes. One thread at a time fills and publishes.
    """

    def __init__(self, node: Node, kind: type[Any], topic: str, qos: QoSProfile | int) -> None:
        self._node = node
        self._publisher = node.create_publisher(kind, topic, qos)
        self._raw = RawPublisher(self._publisher)
        self.message = StructMessage(kind)
        """The message that is sent."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """How many subscribers the topic has."""
        return int(self._publisher.get_subscription_count())

    def publish(self) -> None:
        """Raises PublishError where the middleware does not take it, InvalidHandle once closed."""
        if reason := self._raw.publish(self.message.address):
            raise PublishError(f'{self.topic_name} was not published: {reason}')

    def close(self) -> None:
        """Ends the publisher."""
        self._node.destroy_publisher(self._publisher)
