"""Logs the exceptions that plugins raise."""

from __future__ import annotations

import logging

from ...log_throttle import Throttle


class FaultLog:
    """Logs a plugin's faults, each with its traceback. Any thread may use it."""

    def __init__(
        self, logger: logging.Logger, plugin: str, throttle: Throttle | None = None
    ) -> None:
        """A `throttle` limits how often faults of the same origin are logged."""
        self._logger, self._plugin, self._throttle = logger, plugin, throttle

    def tell(
        self, text: str, fault: BaseException | str, trace: BaseException | None = None
    ) -> None:
        """Logs a message about a fault, with a traceback if `trace` is given."""
        throttle = self._throttle
        line = text if throttle is None else throttle.line(text, fault, self._plugin)
        if line is not None:
            self._logger.error('%s', line, exc_info=trace)
