"""Watches essential threads, and reports those that make no progress."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

_log = logging.getLogger(__name__)

STANDSTILL_S = 2.0
"""How long a thread may make no progress before it is reported, in seconds."""
_LOOK_S = 0.25


class WatchedThread(Protocol):
    """A thread that the watchdog watches. The watchdog's thread calls the methods."""

    name: str

    @property
    def beats(self) -> int | None:
        """A number that changes while the thread makes progress; None if it should not run."""

    def doing(self) -> str:
        """Describes the thread's activity: ``publish of plugin 'imu'``; empty if unknown."""

    def leave_behind(self) -> None:
        """Called when the thread makes no progress; starts a replacement if possible."""


@dataclass(frozen=True, slots=True)
class Standstill:
    """A thread that makes no progress."""

    thread: str
    doing: str
    since: float
    """The time of the thread's last progress, in seconds of the monotonic clock."""

    def __str__(self) -> str:
        where = f' in {self.doing}' if self.doing else ''
        return (
            f'{self.thread} has made no progress for {time.monotonic() - self.since:.1f} s{where}'
        )


class Watchdog:
    """Reports threads without progress. One thread calls `look`; any thread calls `standing`."""

    def __init__(self, watched: Sequence[WatchedThread], limit_s: float = STANDSTILL_S) -> None:
        self._watched = watched
        self._limit_s = limit_s
        self._beats: dict[str, tuple[int | None, float]] = {}
        self._standing: dict[str, Standstill] = {}

    def standing(self) -> list[Standstill]:
        """Returns the threads that make no progress now."""
        return list(self._standing.values())

    def look(self) -> float:
        """Logs which threads stop or continue; returns the time to the next look in seconds."""
        for thread in self._watched:
            self._look(thread, time.monotonic())
        return _LOOK_S

    def _look(self, thread: WatchedThread, now: float) -> None:
        beats = thread.beats
        before, since = self._beats.get(thread.name, (None, now))
        if beats is None or beats != before:
            self._beats[thread.name] = beats, now
            if (stood := self._standing.pop(thread.name, None)) is not None:
                _log.warning('%s continues after %.1f s', thread.name, now - stood.since)
        elif now - since > self._limit_s and thread.name not in self._standing:
            standstill = Standstill(thread.name, thread.doing(), since)
            self._standing[thread.name] = standstill
            _log.warning('%s', standstill)
            thread.leave_behind()
