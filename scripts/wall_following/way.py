"""How far the robot has gone, by its odometry."""

from __future__ import annotations


class Way:
    """Adds up the distances between the places of the odometry."""

    def __init__(self) -> None:
        self.length = 0.0
        """The way in m."""
        self._last: complex | None = None

    def go_on(self, x: float, y: float) -> None:
        """Goes on to the next place."""
        place = complex(x, y)
        if self._last is not None:
            self.length += abs(place - self._last)
        self._last = place
