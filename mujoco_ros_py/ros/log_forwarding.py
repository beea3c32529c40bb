"""Forwards what the package logs to the node's logger, and so to the console and /rosout."""

from __future__ import annotations

import logging
import traceback
from typing import Any

from ..config.wording import printable

_ROOT = 'mujoco_ros_py'


class RosHandler(logging.Handler):
    """Forwards log records to a ROS logger, with the same severity."""

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
        # rclpy allows one severity for each line of source
        if record.levelno >= logging.CRITICAL:
            self._logger.fatal(text)
        elif record.levelno >= logging.ERROR:
            self._logger.error(text)
        elif record.levelno >= logging.WARNING:
            self._logger.warning(text)
        elif record.levelno >= logging.INFO:
            self._logger.info(text)
        else:
            self._logger.debug(text)


def forward_logs(logger: Any) -> RosHandler:
    """Forwards the log of the package from now on; `stop_forwarding` ends that."""
    root = logging.getLogger(_ROOT)
    handler = RosHandler(logger)
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    root.propagate = False
    return handler


def stop_forwarding(handler: RosHandler) -> None:
    """Ends the forwarding, as the node is destroyed."""
    logging.getLogger(_ROOT).removeHandler(handler)
