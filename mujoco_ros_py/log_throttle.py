"""Limits how often refused messages and requests from outside are logged."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

PERIOD_S = 1.0
"""The minimum time in s between two log lines of the same reason."""
LONGEST = 2000
"""The maximum number of characters of a line; whoever asked gets the whole answer."""


@dataclass(slots=True)
class _Told:
    """When a reason was last logged, and how many refusals were left out since."""

    at_s: float
    left_out: int = 0


class Throttle:
    """Decides which refusals are logged: each reason once a second. Any thread may ask.

    Errors raised at the same source line count as the same reason, whatever their messages.
    Therefore no sender can have a reason logged more often, or make the list of reasons long.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._told: dict[tuple[object, ...], _Told] = {}
        self._lock = threading.Lock()

    def line(self, text: str, reason: BaseException | str) -> str | None:
        """Returns the line to log, with the number of those left out, or None to log nothing."""
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
    """Returns the type of an error and the place where it was raised."""
    frames = list(traceback.walk_tb(error.__traceback__))
    where = [(frame.f_code.co_filename, line) for frame, line in frames[-1:]]
    return type(error), *where
