"""The status of a simulation and of its plugins, as the viewer gets it."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..plugins.host import HostedPlugin
from ..session import Assembly
from ..simulation import Lateness, RealtimeMeter

_LONGEST = 500
"""The number of characters of a reason that are shown."""
_MOST_PLUGINS = 150
_FACTOR_S = 0.5
_PACKAGE = __package__.partition('.')[0]
_MOST_LINES = 12
_LONGEST_LINE = 300
"""The number of characters of a line of the log that are shown."""


class StatusReport:
    """Writes the status as JSON; one thread calls it. The log's lines are those of `log`."""

    def __init__(self, assembly: Assembly, log: LogLines) -> None:
        self._assembly = assembly
        self._log = log
        self._lateness = assembly.simulation.lateness_meter()
        self._meter = RealtimeMeter(assembly.simulation, at_least_s=_FACTOR_S)

    def __call__(self, answers: Sequence[str]) -> bytes:
        """Returns the status of this moment; `answers` are sentences about commands."""
        assembly, status = self._assembly, self._assembly.simulation.status()
        report = {
            'time': status.time,
            'steps': status.steps,
            'paused': status.paused,
            'realtime': status.realtime,
            'factor': self._meter.measure(status),
            'failure': status.failure[:_LONGEST],
            'loads': status.loads,
            'resets': status.resets,
            'protected': assembly.parts.protected,
            'answers': [text[:_LONGEST] for text in answers],
            'lateness_us': _lateness(self._lateness.measure()),
            'log': self._log.newest,
            'plugins': [_plugin(each) for each in assembly.host.plugins[:_MOST_PLUGINS]],
        }
        return json.dumps(report).encode()


def _lateness(measured: Lateness | None) -> dict[str, float]:
    """Returns how late the steps since the last status began; empty if none was paced."""
    if measured is None:
        return {}
    return {'median': measured.p50_us, '99 %': measured.p99_us, 'latest': measured.max_us}


def _plugin(hosted: HostedPlugin) -> dict[str, Any]:
    return {
        'name': hosted.name[:_LONGEST],
        'type': hosted.config.type[:_LONGEST],
        'state': hosted.state.value,
        'reason': hosted.reason[:_LONGEST],
        'costs': {
            method.removesuffix('_callback'): cost / 1e3
            for method, cost in hosted.costs_ns().items()
        },
    }


class LogLines(logging.Handler):
    """Keeps the newest lines that the package logs, from `begin` to `end`."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[tuple[str, str]] = deque(maxlen=_MOST_LINES)

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
        logging.getLogger(_PACKAGE).addHandler(self)

    def end(self) -> None:
        """Listens no more."""
        logging.getLogger(_PACKAGE).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps a record; it never raises."""
        try:
            text = record.getMessage()
        except Exception:  # the record has a wrong format
            self.handleError(record)
        else:
            self._lines.append((record.levelname, text[:_LONGEST_LINE]))
