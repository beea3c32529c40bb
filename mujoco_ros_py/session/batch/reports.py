"""The log messages of a batch about its worlds."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping

from .stepped_world import SteppedWorld

_log = logging.getLogger(__name__)
_NUMBER = re.compile(r'\d+(\.\d+)?')
_MOST_TOLD = 3
"""The maximum number of failed worlds whose reasons are in a log line."""


def warn_of_python(worlds: Iterable[SteppedWorld]) -> None:
    """Warns if a plugin has Python callbacks: the GIL runs these on one thread at a time."""
    if any(world.loop.calls_python for world in worlds):
        _log.warning('a plugin has callbacks in Python: the threads run these one at a time')


class WarningReport:
    """Logs MuJoCo's warnings about worlds that keep running, each kind of warning once."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()
        """The warnings that were logged; each number in their texts is replaced by `#`."""

    def tell(self, warnings: Mapping[int, str]) -> None:
        """Logs each new kind of warning of a run, with the first world that it concerns."""
        for world, warning in warnings.items():
            kind = _NUMBER.sub('#', warning)
            if kind not in self._kinds:
                self._kinds.add(kind)
                _log.warning('world %d: MuJoCo warns: %s', world, warning)


def tell(failures: Mapping[int, str], worlds: int) -> None:
    """Logs how many worlds have failed in this run, with the reasons of the first few."""
    if not failures:
        return
    told = [f'world {world}: {why}' for world, why in list(failures.items())[:_MOST_TOLD]]
    left = len(failures) - len(told)
    more = f'; and {left} more' if left else ''
    _log.warning('%d of %d worlds have failed; %s%s', len(failures), worlds, '; '.join(told), more)
