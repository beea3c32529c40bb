"""A thread that calls the same function repeatedly."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from ...config.wording import summary
from .owner import activity

_log = logging.getLogger(__name__)
_SHORT_S = 0.02
_LAST_S = 1.0
_AGAIN_S = 0.1
"""The pause before a function that raised is called again, in seconds."""


class RepeatingThread:
    """Calls a function repeatedly, until the thread is closed.

    The function returns the pause before the next call in seconds. It is called again even after
    an exception. Of successive exceptions, only the first is logged.
    """

    def __init__(self, name: str, function: Callable[[], float]) -> None:
        self.name = name
        self._function = function
        self._calls = 0
        self._started = False
        self._fault = ''
        self._stopped = threading.Event()
        self._thread = self._new_thread()

    @property
    def beats(self) -> int | None:
        """The number of calls that have returned; None if the thread should not run."""
        return self._calls if self._started and not self._stopped.is_set() else None

    @property
    def superseded(self) -> bool:
        """Whether another thread has taken over from the calling one."""
        return threading.current_thread() is not self._thread

    def start(self) -> None:
        """Starts the thread."""
        self._started = True
        self._thread.start()

    def replace(self) -> None:
        """Continues on a new thread. The old thread ends as soon as its call returns."""
        self._thread = self._new_thread()
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; waits up to 1 s for its last call."""
        self._stopped.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(_LAST_S)

    def doing(self) -> str:
        """Describes the thread's current activity; empty if unknown."""
        if not self._thread.is_alive():
            return 'its thread has ended'
        return str(activity(self._thread.ident) or self._fault)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name=self.name, daemon=True)

    def _run(self) -> None:
        while not self._stopped.is_set() and not self.superseded:
            pause_s = self._call()
            if pause_s <= 0:
                continue
            if pause_s < _SHORT_S:
                time.sleep(pause_s)  # waiting for an event takes more system calls
            else:
                self._stopped.wait(min(pause_s, threading.TIMEOUT_MAX))

    def _call(self) -> float:
        try:
            pause_s = self._function()
        except BaseException as error:  # the server depends on this thread, so it must not end
            if not self._fault:
                _log.exception('%s raised; its thread continues', self.name)
            self._fault = f'it raises {summary(error)}'
            return _AGAIN_S
        self._fault = ''
        if not self.superseded:
            self._calls += 1
        return pause_s
