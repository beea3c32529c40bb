"""Measures how fast a simulation runs."""

from __future__ import annotations

import time
from typing import Protocol

from .status import Status


class _HasStatus(Protocol):
    def status(self) -> Status:
        """Tells how the simulation stands."""


class RealtimeMeter:
    """Measures the simulated seconds per wall second."""

    def __init__(self, simulation: _HasStatus, at_least_s: float = 0.0) -> None:
        """No value is measured over less than `at_least_s`, in seconds of wall time."""
        self._last = (time.monotonic(), 0, simulation.status().loads)
        self._at_least_s = at_least_s
        self._factor = 0.0

    def measure(self, status: Status) -> float:
        """Returns the factor since the last value; after a load, that of the steps since then."""
        now, (then, steps, loads) = time.monotonic(), self._last
        if now - then < self._at_least_s:
            return self._factor
        self._last = (now, status.steps, status.loads)
        made = status.steps - (steps if loads == status.loads else 0)
        self._factor = made * status.timestep / max(now - then, 1e-9)
        return self._factor
