"""Aligns measured joint states with the simulated time."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
_ALIGNED, _LATEST, _FEWEST = 100, 10, 20
"""The numbers of messages that align the clocks, that must agree with them, and that suffice."""
_ROUNDING = 1e-6
_DEVIATIONS = 3.0
"""The largest disagreement, in deviations of the timing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A measured state of the followed joints."""

    stamp: float
    """The time of the robot's clock in s."""
    time: float
    """The same moment in simulated time."""
    positions: Array
    velocities: Array
    aligned: bool
    """Whether both clocks have run equally fast lately."""
    span: float
    """The time between the positions that the velocities are computed from; 0: measured."""


class Measurements:
    """Turns messages into measured states and windows for predictions."""

    def __init__(self, horizon: float, delay: float, timing: float) -> None:
        self._horizon, self._delay = horizon, delay
        self._tolerance = _DEVIATIONS * timing
        self._offsets: deque[float] = deque(maxlen=_ALIGNED)
        self._last: list[tuple[float, Array]] = []
        self._first: Measured | None = None
        self._newest = -np.inf

    @property
    def offset(self) -> float:
        """The simulated time minus the robot's time, in s; 0 before the first message.

        The median is unaffected by moments when a process or the network is late.
        """
        return median(self._offsets) - self._delay if self._offsets else 0.0

    @property
    def aligned(self) -> bool:
        """Whether both clocks have run equally fast lately."""
        if len(self._offsets) < _FEWEST:
            return False
        latest = list(self._offsets)[-_LATEST:]
        change = median(latest) - median(self._offsets)
        return abs(change) <= self._tolerance + _ROUNDING

    def clear(self) -> None:
        """Forgets all messages, after a jump of a clock."""
        self._offsets.clear()
        self._last.clear()
        self._first, self._newest = None, -np.inf

    def add(
        self, stamp: float, arrival: float, positions: Array, velocities: Array | None
    ) -> Measured | None:
        """Adds a message that arrived at a simulated time; returns a new measured state or None.

        Without velocities, the state is that of the message before, whose velocities follow from
        its neighbours. A stamp that is older than the last one is a jump of the robot's clock.
        """
        if stamp <= self._newest:
            if stamp == self._newest:
                return None
            self.clear()
        self._newest = stamp
        self._offsets.append(arrival - stamp)
        if velocities is not None:
            return self._made(stamp, positions, velocities, 0.0)
        self._last = [*self._last, (stamp, positions)][-3:]
        if len(self._last) < 3:
            return None
        (begin, before), (middle, there), (end, after) = self._last
        return self._made(middle, there, (after - before) / (end - begin), end - begin)

    def window(self, measured: Measured) -> tuple[Measured, Measured] | None:
        """Returns the first and the last state of a prediction that ends with this state."""
        first = self._first
        if first is None or measured.stamp - first.stamp > 2.0 * self._horizon:
            self._first = measured
            return None
        if measured.stamp - first.stamp < self._horizon * (1.0 - 1e-6):
            return None
        self._first = measured
        return (first, measured) if first.aligned and measured.aligned else None

    def _made(self, stamp: float, positions: Array, velocities: Array, span: float) -> Measured:
        return Measured(
            stamp=stamp, time=stamp + self.offset, positions=positions, velocities=velocities,
            aligned=self.aligned,
            span=span,
        )  # fmt: skip
