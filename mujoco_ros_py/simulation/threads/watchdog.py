"""Watches the threads that everything depends on, and tells which of them stands still."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

_log = logging.getLogger(__name__)

STANDSTILL_S = 2.0
"""The time in seconds without progress after which a thread counts as standing still."""
_LOOK_S = 0.25


class WatchedThread(Protocol):
    """A thread as the watchdog sees it, from its own thread."""

    name: str

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the thread goes on; None while it is not to run."""

    def doing(self) -> str:
        """Returns what keeps the thread: ``publish of plugin 'imu'``; empty if unknown."""

    def leave_behind(self) -> None:
        """Is called when the thread stands still, so that another takes over if that can be."""


@dataclass(frozen=True, slots=True)
class Standstill:
    """A thread that stands still."""

    thread: str
    doing: str
    since: float
    """When the thread last went on, in seconds of the monotonic clock."""

    def __str__(self) -> str:
        where = f' in {self.doing}' if self.doing else ''
        return f'{self.thread} has stood still for {time.monotonic() - self.since:.1f} s{where}'


class Watchdog:
    """Tells which threads stand still; one thread calls `look`, any thread `standing`."""

    def __init__(self, watched: Sequence[WatchedThread], limit_s: float = STANDSTILL_S) -> None:
        self._watched = watched
        self._limit_s = limit_s
        self._beats: dict[str, tuple[int | None, float]] = {}
        self._standing: dict[str, Standstill] = {}

    def standing(self) -> list[Standstill]:
        """Returns the threads that stand still now."""
        return list(self._standing.values())

    def look(self) -> float:
        """Logs which threads stop and go on; returns the pause until the next look in seconds."""
        for thread in self._watched:
            self._look(thread, time.monotonic())
        return _LOOK_S

    def _look(self, thread: WatchedThread, now: float) -> None:
        beats = thread.beats
        before, since = self._beats.get(thread.name, (None, now))
        if beats is None or beats != before:
            self._beats[thread.name] = beats, now
            if (stood := self._standing.pop(thread.name, None)) is not None:
                _log.warning('%s goes on after %.1f s', thread.name, now - stood.since)
        elif now - since > self._limit_s and thread.name not in self._standing:
            standstill = Standstill(thread.name, thread.doing(), since)
            self._standing[thread.name] = standstill
            _log.warning('%s', standstill)
            thread.leave_behind()
