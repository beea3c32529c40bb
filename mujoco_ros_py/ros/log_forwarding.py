"""Forwards what the package logs to the node's logger, and so to the console and /rosout."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..config.wording import printable
from .rclpy_internals import write_log

_ROOT = 'mujoco_ros_py'


class RosHandler(logging.Handler):
    """Forwards log records to a ROS logger, with their severity and their place in the source."""

    def __init__(self, logger: Any) -> None:
        super().__init__()
        self._logger = logger

    def emit(self, record: logging.LogRecord) -> None:
        """Logs a record, with its traceback if there is one; never raises."""
        try:
            self._emit(record)
        except Exception:  # the record has a wrong format, or the context is shut down
            self.handleError(record)

    def _emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text = f'{text}\n{"".join(traceback.format_exception(record.exc_info[1])).rstrip()}'
        text = printable(text)  # file names may have lone surrogates
        place = record.funcName or '', record.pathname, record.lineno
        write_log(self._logger, _severity(record.levelno), text, place)


def _severity(level: int) -> int:
    """Returns the severity of ROS for a level of Python: the same number, from 10 to 50."""
    return min(max(level // 10 * 10, logging.DEBUG), logging.CRITICAL)


@contextmanager
def forwarded_logs(logger: Any) -> Iterator[None]:
    """Forwards the log of the package while the block runs; afterwards it goes where it went."""
    root, handler = logging.getLogger(_ROOT), RosHandler(logger)
    before = root.level, root.propagate
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    root.propagate = False
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(before[0])
        root.propagate = before[1]
