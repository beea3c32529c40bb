"""A thread that does the same thing again and again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

_SHORT_S = 0.02
_LAST_S = 1.0


class Ticker:
    """Calls a function again and again, until it is closed.

    The function returns how long to pause before the next call, in seconds.
    """

    def __init__(self, name: str, function: Callable[[], float]) -> None:
        self._function = function
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; returns when its last call is over, or 1 s later."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(_LAST_S)

    def _run(self) -> None:
        while not self._stopped.is_set():
            pause_s = self._function()
            if pause_s <= 0:
                continue
            if pause_s < _SHORT_S:
                time.sleep(pause_s)  # an event costs more system calls
            else:
                self._stopped.wait(min(pause_s, threading.TIMEOUT_MAX))
