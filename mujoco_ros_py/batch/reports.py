"""What a batch logs about its worlds."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping

from .stepped_world import SteppedWorld

_log = logging.getLogger(__name__)
_NUMBER = re.compile(r'\d+(\.\d+)?')
_MOST_TOLD = 3
"""The most worlds whose failures are logged at once."""


def warn_of_python(worlds: Iterable[SteppedWorld]) -> None:
    """Tells that callbacks in Python take turns, whatever the number of threads is."""
    if any(world.loop.calls_python for world in worlds):
        _log.warning('a plugin has callbacks in Python, for which all threads take turns')


class WarningReport:
    """Logs MuJoCo's warnings of worlds that go on, once for each kind of warning."""

    def __init__(self) -> None:
        self._kinds: set[str] = set()
        """The warnings that were logged, without their numbers."""

    def tell(self, warnings: Mapping[int, str]) -> None:
        """Logs the first warning of each kind, with its world; the worlds are those of a run."""
        for world, warning in warnings.items():
            kind = _NUMBER.sub('#', warning)
            if kind not in self._kinds:
                self._kinds.add(kind)
                _log.warning('world %d: MuJoCo warns: %s', world, warning)


def tell(failures: Mapping[int, str], worlds: int) -> None:
    """Logs which of so many worlds have failed just now, and why the first of them have."""
    if not failures:
        return
    told = [f'world {world}: {why}' for world, why in list(failures.items())[:_MOST_TOLD]]
    left = len(failures) - len(told)
    more = f'; and {left} more' if left else ''
    _log.warning('%d of %d worlds have failed; %s%s', len(failures), worlds, '; '.join(told), more)
