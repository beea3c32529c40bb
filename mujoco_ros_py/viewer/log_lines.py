"""The last lines of the log, for the page."""

from __future__ import annotations

import logging
from collections import deque

_ROOT = __package__.partition('.')[0]
_MOST = 12
_LONGEST = 300
"""The number of characters of a line that are shown."""


class LogLines(logging.Handler):
    """Keeps the newest lines that the package logs, from `begin` to `end`."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[tuple[str, str]] = deque(maxlen=_MOST)

    @property
    def newest(self) -> list[tuple[str, str]]:
        """Level and text of each line, the newest last; the level is that of Python's logging."""
        self.acquire()  # `emit` is called with it
        try:
            return list(self._lines)
        finally:
            self.release()

    def begin(self) -> None:
        """Listens to the log of the package."""
        logging.getLogger(_ROOT).addHandler(self)

    def end(self) -> None:
        """Listens no more."""
        logging.getLogger(_ROOT).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a record; it never raises."""
        try:
            text = record.getMessage()
        except Exception:  # the record has a wrong format
            self.handleError(record)
        else:
            self._lines.append((record.levelname, text[:_LONGEST]))
