"""Takes back what nobody takes up."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any

from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node


class Patience:
    """Cancels futures that are still not running after a while, on the executor's thread."""

    def __init__(self, node: Node, limit_s: float, look_s: float) -> None:
        self._limit_s = limit_s
        self._since: dict[Future[Any], float] = {}
        self._lock = threading.Lock()
        node.create_timer(look_s, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def wait_for(self, future: Future[Any]) -> None:
        """From now on, and no longer than until it is done."""
        with self._lock:
            self._since[future] = time.monotonic()
        future.add_done_callback(self._forget)

    def _forget(self, future: Future[Any]) -> None:
        with self._lock:
            self._since.pop(future, None)

    def _look(self) -> None:
        late = time.monotonic() - self._limit_s
        with self._lock:
            overdue = [future for future, since in self._since.items() if since < late]
        for future in overdue:
            future.cancel()
