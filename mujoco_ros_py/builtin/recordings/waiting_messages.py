"""Serialized messages that wait to be written, bounded in memory."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from ...recording import MessageType


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitingMessage:
    """A serialized message of a topic."""

    topic: str
    kind: MessageType
    qos: str
    """The quality of service of its publishers, as rosbag2 writes it."""
    data: bytes
    wall_time_ns: int
    time_ns: int
    """The ROS time when it came."""


class WaitingMessages:
    """Holds messages from the threads that receive them for the one that writes."""

    def __init__(self, most_bytes: float) -> None:
        """Messages beyond `most_bytes` are left out, and counted."""
        self._most_bytes = most_bytes
        self._bytes = 0
        self._waiting: deque[WaitingMessage] = deque()
        self._lock = threading.Lock()
        self.new_lost = 0
        """The count of messages that were left out since somebody has set it to 0."""

    def add(self, message: WaitingMessage) -> None:
        """Has a message written, if there is room; any thread may call this."""
        with self._lock:
            if self._bytes + len(message.data) > self._most_bytes:
                self.new_lost += 1
                return
            self._bytes += len(message.data)
            self._waiting.append(message)

    def take(self, before_ns: float = math.inf) -> Iterator[WaitingMessage]:
        """Yields the messages that came before a wall time, in the order in which they came."""
        while self._waiting and self._waiting[0].wall_time_ns < before_ns:
            with self._lock:
                message = self._waiting.popleft()
                self._bytes -= len(message.data)
            yield message
