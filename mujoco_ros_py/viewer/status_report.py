"""Reports the status of a simulation and its plugins to the viewer."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..plugins.host import HostedPlugin, switches_of
from ..session import Assembly
from ..simulation import Lateness, RealtimeMeter

_LONGEST = 500
"""The maximum number of characters of a shown reason."""
_MOST_PLUGINS = 150
_FACTOR_S = 0.5
_PACKAGE = __package__.partition('.')[0]
_MOST_LINES = 12
_MOST_SWITCHES = 32
_LONGEST_LINE = 300
"""The maximum number of characters of a shown log line."""


class StatusReport:
    """Encodes the status as JSON, with the log lines of `log`; call it from one thread."""

    def __init__(self, assembly: Assembly, log: LogLines) -> None:
        self._assembly = assembly
        self._log = log
        self._lateness = assembly.simulation.lateness_meter()
        self._meter = RealtimeMeter(assembly.simulation, at_least_s=_FACTOR_S)

    def __call__(self, answers: Sequence[str]) -> bytes:
        """Returns the current status; `answers` are the messages about the viewer's commands."""
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
    """Returns the lateness of the steps since the last status; empty if no step was paced."""
    if measured is None:
        return {}
    return {'median': measured.p50_us, '99 %': measured.p99_us, 'latest': measured.max_us}


def _plugin(hosted: HostedPlugin) -> dict[str, Any]:
    return {
        'name': hosted.name[:_LONGEST],
        'type': hosted.config.type[:_LONGEST],
        'state': hosted.state.value,
        'reason': hosted.reason[:_LONGEST],
        'switches': dict(list(switches_of(hosted).items())[:_MOST_SWITCHES]),
        'costs': {
            method.removesuffix('_callback'): cost / 1e3
            for method, cost in hosted.costs_ns().items()
        },
    }


class LogLines(logging.Handler):
    """Keeps the newest log lines of the package, from `begin` to `end`."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[tuple[str, str]] = deque(maxlen=_MOST_LINES)

    @property
    def newest(self) -> list[tuple[str, str]]:
        """The level name of Python's logging and the text of each line, newest last."""
        self.acquire()  # `emit` is called under the same lock
        try:
            return list(self._lines)
        finally:
            self.release()

    def begin(self) -> None:
        """Starts listening to the package's log."""
        logging.getLogger(_PACKAGE).addHandler(self)

    def end(self) -> None:
        """Stops listening."""
        logging.getLogger(_PACKAGE).removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Stores a record; never raises."""
        try:
            text = record.getMessage()
        except Exception:  # the record's arguments do not fit its format
            self.handleError(record)
        else:
            self._lines.append((record.levelname, text[:_LONGEST_LINE]))
