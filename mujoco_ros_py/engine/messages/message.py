"""A message in memory, its time stamps, and its publisher."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import PublishError
from ...rcl_internals import raw_publisher
from .layout import ELEMENT, TEXT, message_layout

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.qos import QoSProfile

Array = np.ndarray[Any, Any]
_NOTHING = np.zeros(1, np.uint16)
"""The terminating zero of an empty string."""
_END_S = 2.0**31
"""The limit of the seconds in a stamp, which are an int32."""


class StructMessage:
    """A message in its C layout, to be filled by NumPy; initially all fields are zero or empty.

    Set numbers with ``message['height'] = 480``. A field that is a message is a view, which needs
    to be looked up only once: ``stamp = message['header']['stamp']``, then ``stamp['sec'] = 3``.
    Set strings with `set_text` and sequences with `allocate`.
    """

    def __init__(self, kind: type) -> None:
        self._fields: Array = np.zeros((), message_layout(kind))
        self._kept: dict[int, Array] = {}
        """Maps the address of a string or sequence field to the array that the field points to."""
        _end_strings(self._fields)

    @property
    def address(self) -> int:
        """The address of the message."""
        return self._fields.ctypes.data

    def __getitem__(self, name: str) -> Array:
        """Returns a view of a field; the view of a nested message has its fields."""
        return self._fields[name]

    def __setitem__(self, name: str, values: object) -> None:
        """Sets a number or an array. Raises TypeError for a string or a sequence."""
        if self._fields[name].dtype.metadata:
            raise TypeError(f'{name} is not a number: use set_text, set_texts or allocate')
        self._fields[name] = values

    def set_text(self, field: Array, text: str) -> None:
        r"""Sets a string; writes invalid Unicode as ``\udcff``."""
        encoding = field.dtype.metadata[TEXT]
        width = 1 if encoding == 'utf-8' else 2
        encoded = text.encode(encoding, 'backslashreplace') + bytes(width)
        buffer = np.frombuffer(encoded, np.dtype(f'u{width}'))
        self._point(field, buffer, len(buffer) - 1)

    def set_texts(self, field: Array, texts: list[str]) -> None:
        """Sets a sequence of strings."""
        strings = self.allocate(field, len(texts))
        for number, text in enumerate(texts):
            self.set_text(strings[number, ...], text)

    def allocate(self, field: Array, count: int) -> Array:
        """Allocates the elements of a sequence, all zero or empty, and returns them.

        ``elements[k, ...]`` is the view of an element that is itself a message.
        """
        elements: Array = np.zeros(count, field.dtype.metadata[ELEMENT])
        _end_strings(elements)
        self._point(field, elements, count)
        return elements

    def _point(self, field: Array, buffer: Array, size: int) -> None:
        field['data'], field['size'], field['capacity'] = buffer.ctypes.data, size, len(buffer)
        place = field.ctypes.data
        if place in self._kept:
            self._forget(self._kept[place])
        self._kept[place] = buffer

    def _forget(self, replaced: Array) -> None:
        """Drops the arrays that strings and sequences in replaced elements point to."""
        start = replaced.ctypes.data
        inside = range(start, start + replaced.nbytes)
        for place in [place for place in self._kept if place in inside]:
            self._forget(self._kept.pop(place))


def numbers(field: Array) -> Array:
    """Returns a view of a field as an array, if all its numbers have one type (as in Vector3).

    The last axis contains the numbers, in the order of the message definition.
    """
    kind: np.dtype[Any] = field.dtype[0]
    return field[..., np.newaxis].view(kind)


def _end_strings(values: Array) -> None:
    """Adds the terminating zero of C to each string, including empty strings."""
    kind = values.dtype
    if kind.metadata and TEXT in kind.metadata:
        values['data'], values['capacity'] = _NOTHING.ctypes.data, 1
    elif not kind.metadata:
        for name in kind.names or ():
            _end_strings(values[name])


def set_time(stamp: Any, time_s: float) -> None:
    """Sets a field of builtin_interfaces/Time, or an array of them, exact to the nanosecond.

    Times out of range are clipped. NaN, which a plugin may set, becomes 0.
    """
    within = min(max(time_s, -_END_S), _END_S - 1) if not math.isnan(time_s) else 0.0
    stamp['sec'], stamp['nanosec'] = divmod(round(within * 1e9), 10**9)


class StructPublisher:
    """An rclpy publisher that sends its `message` directly from memory.

    Unlike rclpy's `publish`, it does not convert the message, which halves the cost, and it
    releases the GIL while the middleware writes. One thread at a time may fill and publish the
    message. If rclpy does not expose the addresses of its handles, rclpy converts and publishes
    the messages. Without a node, nothing is published.
    """

    def __init__(self, node: Node | None, kind: type, topic: str, qos: QoSProfile | int) -> None:
        self._node, self._topic = node, topic
        self._publisher = None if node is None else node.create_publisher(kind, topic, qos)
        self._raw = None if node is None else raw_publisher(self._publisher, kind)
        self.message = StructMessage(kind)
        """The message that is published."""
        self.through: Callable[[int], None] | None = None
        """If set, it receives the address of each message, and the message is not published."""

    @property
    def topic_name(self) -> str:
        """The full name of the topic."""
        return self._topic if self._publisher is None else str(self._publisher.topic_name)

    @property
    def subscribers(self) -> int:
        """The number of subscribers on the topic."""
        return 0 if self._publisher is None else int(self._publisher.get_subscription_count())

    def publish(self) -> None:
        """Publishes the content of `message`.

        Raises PublishError if the middleware refuses it, and rclpy's InvalidHandle after `close`.
        """
        if self.through is not None:
            self.through(self.message.address)
        elif self._raw is not None and (reason := self._raw.publish(self.message.address)):
            raise PublishError(f'{self.topic_name} was not published: {reason}')

    @property
    def publisher(self) -> Any:
        """The rclpy publisher; None if there is no node."""
        return self._publisher

    def close(self) -> None:
        """Destroys the publisher."""
        if self._node is not None:
            self._node.destroy_publisher(self._publisher)
