"""Logs failed calls of a service, each reason at most once a second."""

from __future__ import annotations

import logging

from ...errors import MujocoRosError
from ...log_throttle import Throttle, subject_of

_log = logging.getLogger(__name__)


class FailureLog:
    """Logs the failed calls of the service `~/name`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._refusals = Throttle()

    def tell(self, error: BaseException) -> str:
        """Logs an error, with a traceback if it was not expected; returns its message."""
        message = str(error) or type(error).__name__
        expected = isinstance(error, MujocoRosError | TimeoutError)
        text = f'~/{self._name}: {message}' if expected else f'~/{self._name} failed'
        line = self._refusals.line(text, error, subject_of(message))
        if line is not None and expected:
            _log.warning('%s', line)
        elif line is not None:
            _log.error('%s', line, exc_info=error)
        return message
