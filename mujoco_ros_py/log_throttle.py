"""Limits how often refused messages and requests from other processes are logged."""

from __future__ import annotations

import re
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

PERIOD_S = 1.0
"""The minimum time in s between two log lines with the same reason and subject."""
SUBJECTS = 100
"""The maximum number of subjects per reason that are logged within `PERIOD_S`."""
LONGEST = 2000
"""The maximum number of characters of a log line; the answer to the sender is not shortened."""


_NUMBER = re.compile(r'(?<![\w.])[-+]?(\d[\d.,]*(e[-+]?\d+)?|nan|inf)(?!\w)')


@dataclass(slots=True)
class _Told:
    """The time of a reason's last log line, and the number of refusals suppressed since."""

    at_s: float
    left_out: int = 0


class Throttle:
    """Decides which refusals are logged: each reason once a second for each subject.

    Errors raised at the same source line count as the same reason, whatever their messages.
    Therefore a sender cannot flood the log, or fill the table of reasons, by varying its messages.
    Thread-safe.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._told: dict[tuple[object, ...], dict[str, _Told]] = {}
        """Maps each reason to its subjects, and each subject to its last log line."""
        self._lock = threading.Lock()

    def line(self, text: str, reason: BaseException | str, subject: str = '') -> str | None:
        """Returns the line to log, with the number of suppressed lines, or None to log nothing.

        `subject` is the object that the line is about, such as a joint: the same reason is logged
        separately for each subject.
        """
        key = _origin(reason) if isinstance(reason, BaseException) else (reason,)
        with self._lock:
            now, subjects = self._now(), self._told.setdefault(key, {})
            told = subjects.get(subject) or _room(subjects, now)
            if told is not None and now - told.at_s < PERIOD_S:
                told.left_out += 1
                return None
            subjects[subject] = _Told(now)
        more = (
            f' ({told.left_out:,} more since it was last logged)' if told and told.left_out else ''
        )
        return (text if len(text) <= LONGEST else f'{text[:LONGEST]} ...') + more


def subject_of(text: str) -> str:
    """Returns the subject of a message: its text without numbers, which differ each time."""
    return _NUMBER.sub('', text)


def _room(subjects: dict[str, _Told], now: float) -> _Told | None:
    """Makes room in a full table by dropping the subjects logged more than `PERIOD_S` ago.

    If the table stays full, returns the last entry, which then counts the new subject too.
    """
    if len(subjects) >= SUBJECTS:
        for old in [each for each, told in subjects.items() if now - told.at_s >= PERIOD_S]:
            del subjects[old]
    return list(subjects.values())[-1] if len(subjects) >= SUBJECTS else None


def _origin(error: BaseException) -> tuple[object, ...]:
    """Returns the type of an error and the source line that raised it."""
    frames = list(traceback.walk_tb(error.__traceback__))
    where = [(frame.f_code.co_filename, line) for frame, line in frames[-1:]]
    return type(error), *where
