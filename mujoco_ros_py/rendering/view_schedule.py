"""When a view is drawn, and with which streams."""

from __future__ import annotations

from time import monotonic

from .renderer import Stream

AT_ONCE = float('-inf')
EXACT_S = 1e-9
"""The tolerance in s for due times, as simulated time is a sum of timesteps."""
_AGAIN_S = 1.0


class ViewSchedule:
    """The times at which one view is due; the render thread asks it and tells it."""

    def __init__(self) -> None:
        self.due = self.wall_due = AT_ONCE
        """When the next images are due, in s of simulated time and of the monotonic clock."""
        self._again = float('inf')
        self._served = Stream(0)
        """The wanted streams that have had an image."""

    def keep(self, streams: Stream) -> None:
        """Forgets the images of all other streams: whoever wants one of them is new."""
        self._served &= streams

    def streams_at(self, time: float, wanted: Stream, paused: bool) -> Stream:
        """Returns the streams to draw: all wanted ones when due, only new ones while paused."""
        if time >= self.due - EXACT_S:
            return wanted
        return self.streams_new(wanted) if paused else Stream(0)

    def streams_new(self, wanted: Stream) -> Stream:
        """Returns the streams of new subscribers, and all streams again a second later.

        A subscriber may be known here before it knows the publisher, and miss the first image.
        """
        return wanted if monotonic() >= self._again else wanted & ~self._served

    def note(self, time: float, wanted: Stream, rate_hz: float) -> None:
        """Records that images are made; the next ones are due one period later, never earlier."""
        if time >= self.due - EXACT_S:
            now, period_s = monotonic(), 1.0 / rate_hz
            self.due = time + period_s
            self.wall_due = max(self.wall_due, now - period_s) + period_s
        new = wanted & ~self._served
        self._again = monotonic() + _AGAIN_S if new else float('inf')
        self._served = wanted

    def start_over(self) -> None:
        """Makes the next image due at once."""
        self.due = self.wall_due = AT_ONCE
        self._again = float('inf')
        self._served = Stream(0)
