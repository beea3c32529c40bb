"""Refusals of what comes from outside, which may come ten thousand times a second."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

PERIOD_S = 1.0
"""A reason is told no more often."""
LONGEST = 2000
"""Characters of a line; whoever asked has the whole answer."""


@dataclass(slots=True)
class _Told:
    at_s: float
    left_out: int = 0


class Throttle:
    """Decides which refusals are told: each reason once a second. Any thread may ask.

    Errors that are raised at the same line of source have the same reason, whatever they say, so
    that no sender can have it told more often or make the list of reasons long.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._told: dict[tuple[object, ...], _Told] = {}
        self._lock = threading.Lock()

    def line(self, text: str, reason: BaseException | str) -> str | None:
        """The text as it is to be logged, with how many were left out; None: leave it out."""
        key = _origin(reason) if isinstance(reason, BaseException) else (reason,)
        with self._lock:
            now, told = self._now(), self._told.get(key)
            if told is not None and now - told.at_s < PERIOD_S:
                told.left_out += 1
                return None
            self._told[key] = _Told(now)
        more = (
            f' ({told.left_out:,} more since it was told last)' if told and told.left_out else ''
        )
        return (text if len(text) <= LONGEST else f'{text[:LONGEST]} ...') + more


def _origin(error: BaseException) -> tuple[object, ...]:
    """Its type, and where it was raised."""
    frames = list(traceback.walk_tb(error.__traceback__))
    where = [(frame.f_code.co_filename, line) for frame, line in frames[-1:]]
    return type(error), *where
