"""The log of what plugins raise."""

from __future__ import annotations

import logging

from ..log_throttle import Throttle


class FaultLog:
    """Logs the faults of plugins, each with its traceback; any thread may use it."""

    def __init__(self, logger: logging.Logger, throttle: Throttle | None = None) -> None:
        """With a `throttle`, faults of the same origin are logged once in a while."""
        self._logger, self._throttle = logger, throttle

    def tell(
        self, text: str, fault: BaseException | str, trace: BaseException | None = None
    ) -> None:
        """Logs a sentence about a fault, with a traceback if there is one."""
        line = text if self._throttle is None else self._throttle.line(text, fault)
        if line is not None:
            self._logger.error('%s', line, exc_info=trace)
