"""Measures the length of the driven path from odometry."""

from __future__ import annotations


class Way:
    """Adds up the distances between odometry positions."""

    def __init__(self) -> None:
        self.length = 0.0
        """The length of the path, in m."""
        self._last: complex | None = None

    def go_on(self, x: float, y: float) -> None:
        """Adds the distance to the next position."""
        place = complex(x, y)
        if self._last is not None:
            self.length += abs(place - self._last)
        self._last = place
