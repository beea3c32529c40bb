"""Meters of a simulation: how late its steps begin, and how fast it runs."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..engine import Loop
from .status import Status

_PERCENTILES = (50, 99, 99.9, 100)


@dataclass(frozen=True, slots=True)
class Lateness:
    """How long after they were due some steps began, in microseconds of wall time."""

    steps: int
    """The number of steps that were measured."""
    p50_us: float
    """The median: half of the steps were at most so late."""
    p99_us: float
    """The 99th percentile: 99 of 100 steps were at most so late."""
    p99_9_us: float
    """The 99.9th percentile: 999 of 1000 steps were at most so late."""
    max_us: float
    """The lateness of the latest step."""


class LatenessMeter:
    """Measures how late the steps began that were paced since the last measurement.

    A step is paced if the loop waits for it: not while the simulation is paused or unthrottled.
    Each meter counts for itself, and any one thread may use it.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._seen = loop.paced

    def measure(self) -> Lateness | None:
        """Returns the lateness of the steps since the last call; None if none was paced.

        Of more than 4096 steps, only the newest 4096 are known.
        """
        since, self._seen = self._seen, self._loop.paced
        late_us = self._loop.lateness_ns(since, self._seen) / 1e3
        if len(late_us) == 0:
            return None
        # These are latenesses that occurred, as nothing is interpolated.
        percentiles = np.percentile(late_us, _PERCENTILES, method='inverted_cdf')
        return Lateness(len(late_us), *map(float, percentiles))


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
