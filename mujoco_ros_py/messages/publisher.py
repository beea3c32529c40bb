"""Publishing what lies in memory."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import PublishError
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
        self._handle = self._publisher.handle
        self._pointer = self._handle.pointer
        self._rcl_publish, self._error_string, self._reset_error = _rcl()
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
        with self._handle:
            if self._rcl_publish(self._pointer, self.message.address, None) != 0:
                reason = self._error_string().text.decode(errors='replace')
                self._reset_error()
                raise PublishError(f'{self.topic_name} was not published: {reason}')

    def close(self) -> None:
        """Ends the publisher."""
        self._node.destroy_publisher(self._publisher)


class _ErrorString(ctypes.Structure):
    """rcutils_error_string_t."""

    _fields_ = (('text', ctypes.c_char * 1024),)


@cache
def _rcl() -> tuple[Any, Any, Any]:
    """Functions of the libraries that rclpy has loaded; a call of one releases the GIL."""
    publish = ctypes.CDLL('librcl.so').rcl_publish
    publish.argtypes, publish.restype = [ctypes.c_void_p] * 3, ctypes.c_int
    rcutils = ctypes.CDLL('librcutils.so')
    text = rcutils.rcutils_get_error_string
    text.argtypes, text.restype = [], _ErrorString
    return publish, text, rcutils.rcutils_reset_error
