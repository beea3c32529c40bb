"""Computes the steps at which periodic work, such as publishing at a rate, is due."""

from __future__ import annotations

import math

_EARLY = 0.01
"""A step counts as due if it is early by at most this fraction of a timestep, because the time is
a sum of rounded timesteps."""


class Beat:
    """Computes the steps (beats) at which work with a fixed rate is due.

    Work is due at the first step at or after each multiple of its period. The multiples are
    counted from the start of the epoch, so all work with the same rate is due at the same steps,
    no matter when it started. While the simulation is unthrottled, beats are also at least a
    period of wall time apart.
    """

    def __init__(self, rate_hz: float) -> None:
        self.period_s = 1.0 / rate_hz
        self.wall_due = 0.0
        """The earliest time of the next beat while unthrottled, in s of the monotonic clock."""
        self._last: int | None = None
        """The number of the multiple at which work was last done."""

    def is_due(self, since: float, timestep: float) -> bool:
        """Returns whether work is due at a step: whether the step is a beat without work done yet.

        `since` is the time after the step, in s since the epoch began.
        """
        number = self._number(since, timestep)
        return self._last != number != self._number(since - timestep, timestep)

    def next_due(self, since: float, timestep: float) -> float:
        """Returns the time from which a step is due, in s since the epoch began.

        `since` is the current time on the same scale.
        """
        number = self._number(since - timestep, timestep)
        if self._last is not None:
            number = max(number, self._last)
        return (number + 1) * self.period_s - _EARLY * timestep

    def note(self, since: float, timestep: float, now: float) -> None:
        """Records that the work of the current beat is done; it is due again at the next multiple.

        `now` is the current time in s of the monotonic clock.
        """
        self._last = self._number(since, timestep)
        self.wall_due = (math.floor(now / self.period_s) + 1) * self.period_s

    def start_over(self) -> None:
        """Makes the next beat due, because a new epoch has begun."""
        self._last = None

    def _number(self, since: float, timestep: float) -> int:
        return math.floor((since + _EARLY * timestep) / self.period_s)
