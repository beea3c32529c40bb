"""Measures how late the steps of a simulation begin, and how fast it runs."""

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
    """How late steps began after their due times, in microseconds of wall time."""

    steps: int
    """The number of measured steps."""
    p50_us: float
    """The median: half of the steps were at most this late."""
    p99_us: float
    """The 99th percentile: 99 of 100 steps were at most this late."""
    p99_9_us: float
    """The 99.9th percentile: 999 of 1000 steps were at most this late."""
    max_us: float
    """The greatest lateness of a step."""


class LatenessMeter:
    """Measures how late the paced steps since the last measurement began.

    A step is paced if the loop waits for its due time. Steps of a paused or unthrottled simulation
    are not paced. Each meter counts independently; it must be used by one thread at a time.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._seen = loop.paced

    def measure(self) -> Lateness | None:
        """Returns the lateness of the paced steps since the last call; None without such steps.

        The loop keeps only the newest 4096 steps.
        """
        since, self._seen = self._seen, self._loop.paced
        late_us = self._loop.lateness_ns(since, self._seen) / 1e3
        if len(late_us) == 0:
            return None
        # The inverted CDF does not interpolate, so each percentile is a measured lateness.
        percentiles = np.percentile(late_us, _PERCENTILES, method='inverted_cdf')
        return Lateness(len(late_us), *map(float, percentiles))


class _HasStatus(Protocol):
    def status(self) -> Status:
        """Returns the status of the simulation."""


class RealtimeMeter:
    """Measures the real-time factor: simulated seconds per wall second."""

    def __init__(self, simulation: _HasStatus, at_least_s: float = 0.0) -> None:
        """`at_least_s` is the minimum duration of a measurement, in seconds of wall time."""
        self._last = (time.monotonic(), 0, simulation.status().loads)
        self._at_least_s = at_least_s
        self._factor = 0.0

    def measure(self, status: Status) -> float:
        """Returns the real-time factor since the last measurement.

        Before `at_least_s` has passed, returns the last factor again. After a load, only the steps
        since the load count.
        """
        now, (then, steps, loads) = time.monotonic(), self._last
        if now - then < self._at_least_s:
            return self._factor
        self._last = (now, status.steps, status.loads)
        made = status.steps - (steps if loads == status.loads else 0)
        self._factor = made * status.timestep / max(now - then, 1e-9)
        return self._factor
