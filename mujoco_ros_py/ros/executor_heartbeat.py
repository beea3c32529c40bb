"""The thread of the executor as the watchdog sees it."""

from __future__ import annotations

import threading

from rclpy.clock import Clock, ClockType
from rclpy.node import Node

from ..simulation import activity

_BEAT_S = 0.25


class ExecutorHeartbeat:
    """A timer on the executor's thread, which shows that the thread goes on."""

    name = 'the executor of the ROS callbacks'

    def __init__(self, node: Node) -> None:
        self._beats: int | None = None
        self._thread: threading.Thread | None = None
        node.create_timer(_BEAT_S, self._beat, clock=Clock(clock_type=ClockType.STEADY_TIME))

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None before it has begun."""
        return self._beats

    def doing(self) -> str:
        """Returns what keeps the thread; an empty string if nothing is known."""
        thread = self._thread
        if thread is not None and not thread.is_alive():
            return 'its thread has ended'
        return str((thread and activity(thread.ident)) or '')

    def leave_behind(self) -> None:
        """Does nothing: no other thread can take over, as rclpy's executor has only one."""

    def _beat(self) -> None:
        self._thread = threading.current_thread()
        self._beats = (self._beats or 0) + 1
