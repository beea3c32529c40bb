"""The log of what plugins raise."""

from __future__ import annotations

import logging

from ...log_throttle import Throttle


class FaultLog:
    """Logs the faults of a plugin, each with its traceback; any thread may use it."""

    def __init__(
        self, logger: logging.Logger, plugin: str, throttle: Throttle | None = None
    ) -> None:
        """With a `throttle`, faults of the same origin are logged once in a while."""
        self._logger, self._plugin, self._throttle = logger, plugin, throttle

    def tell(
        self, text: str, fault: BaseException | str, trace: BaseException | None = None
    ) -> None:
        """Logs a sentence about a fault, with a traceback if there is one."""
        throttle = self._throttle
        line = text if throttle is None else throttle.line(text, fault, self._plugin)
        if line is not None:
            self._logger.error('%s', line, exc_info=trace)
