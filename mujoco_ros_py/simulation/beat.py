"""The moments at which something that is done at a rate is due."""

from __future__ import annotations

import math

_EARLY = 0.01
"""How much of a timestep a moment may be early, as the time is a sum of rounded timesteps."""


class Beat:
    """The beat of a rate: the first steps at or after the multiples of its period.

    The multiples count from the begin of the epoch. So everything with the same rate is due in the
    same moments, whenever it started. While the simulation is unthrottled, a period of wall time
    passes between two moments, too.
    """

    def __init__(self, rate_hz: float) -> None:
        self.period_s = 1.0 / rate_hz
        self.wall_due = 0.0
        """When the next moment is due at the earliest while unthrottled, in s of the monotonic
        clock."""
        self._last: int | None = None
        """The number of the newest multiple that has had its moment."""

    def is_due(self, since: float, timestep: float) -> bool:
        """Returns whether a step is on the beat, and was not noted yet.

        `since` is the time after the step, in s since the epoch began.
        """
        number = self._number(since, timestep)
        return self._last != number != self._number(since - timestep, timestep)

    def next_due(self, since: float, timestep: float) -> float:
        """Returns from when on a step is due, in s since the epoch began; it is `since` now."""
        number = self._number(since - timestep, timestep)
        if self._last is not None:
            number = max(number, self._last)
        return (number + 1) * self.period_s - _EARLY * timestep

    def note(self, since: float, timestep: float, now: float) -> None:
        """Notes that a moment was used; the next one belongs to a later multiple.

        `now` is when that was, in s of the monotonic clock.
        """
        self._last = self._number(since, timestep)
        self.wall_due = (math.floor(now / self.period_s) + 1) * self.period_s

    def start_over(self) -> None:
        """Forgets which moments were used, as another epoch has begun."""
        self._last = None

    def _number(self, since: float, timestep: float) -> int:
        return math.floor((since + _EARLY * timestep) / self.period_s)
