"""Watches the threads of a session that everything else depends on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from ..config.wording import summary
from ..simulation import STANDSTILL_S, Owner, RepeatingThread, Standstill, Watchdog, WatchedThread

_log = logging.getLogger(__name__)


class WatchedThreads:
    """Watches threads, and notes what the session's own functions raise on them."""

    def __init__(self, *watched: WatchedThread) -> None:
        self.owner = Owner('the server', self._failed)
        """The owner of the functions of the session and of its node, which go on after a fault."""
        self._faults: dict[str, tuple[str, float]] = {}
        self._watched = list(watched)
        self._watchdog = Watchdog(self._watched)
        self._reports: list[Callable[[], object]] = []
        self._thread = RepeatingThread('watchdog', self._look)
        self.start, self.close = self._thread.start, self._thread.close

    @property
    def names(self) -> list[str]:
        """The names of the threads that are watched."""
        return [thread.name for thread in self._watched]

    def watch(self, *threads: WatchedThread) -> None:
        """Watches more threads; this must be called before `start`."""
        self._watched += threads

    def report(self, function: Callable[[], object]) -> None:
        """Calls a function at each look, too; this must be called before `start`."""
        self._reports.append(function)

    def standing(self) -> list[Standstill]:
        """Returns the threads that stand still now."""
        return self._watchdog.standing()

    def faults(self) -> list[str]:
        """Returns a sentence for each of the session's own functions that raises now."""
        recent = time.monotonic() - STANDSTILL_S
        return [text for text, when in tuple(self._faults.values()) if when > recent]

    def _look(self) -> float:
        for report in self._reports:
            report()
        return self._watchdog.look()

    def _failed(self, where: str, error: BaseException) -> None:
        text = f'{where} raised {summary(error)}'
        if self._faults.get(where, ('', 0.0))[0] != text:
            _log.error('%s; it is called again', text, exc_info=error)
        self._faults[where] = text, time.monotonic()
