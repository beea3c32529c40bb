"""Cancels futures whose functions nobody starts in time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future
from typing import Any

from .repeating_thread import RepeatingThread


class StartTimeouts:
    """Cancels futures that are not running after a time limit, from a thread of its own."""

    def __init__(self, limit_s: float, look_s: float) -> None:
        self._limit_s = limit_s
        self._look_s = look_s
        self._since: dict[Future[Any], float] = {}
        self._lock = threading.Lock()
        self._thread = RepeatingThread('timeouts', self._look)
        self.close = self._thread.close
        self._thread.start()

    def add(self, future: Future[Any]) -> None:
        """Cancels the future if it is not running when the limit has passed from now."""
        with self._lock:
            self._since[future] = time.monotonic()
        future.add_done_callback(self._forget)

    def _forget(self, future: Future[Any]) -> None:
        with self._lock:
            self._since.pop(future, None)

    def _look(self) -> float:
        late = time.monotonic() - self._limit_s
        with self._lock:
            overdue = [future for future, since in self._since.items() if since < late]
        for future in overdue:
            future.cancel()
        return self._look_s
