"""When a view is drawn, and with which streams."""

from __future__ import annotations

from time import monotonic

from ..simulation import Beat
from .renderer import Stream

_AGAIN_S = 1.0


class ViewSchedule:
    """The times at which one view is due; the render thread asks it and tells it."""

    def __init__(self, rate_hz: float) -> None:
        self.beat = Beat(rate_hz)
        self._again = float('inf')
        self._served = Stream(0)
        """The wanted streams that have had an image."""

    def keep(self, streams: Stream) -> None:
        """Forgets the images of all other streams: whoever wants one of them is new."""
        self._served &= streams

    def streams_at(self, since: float, timestep: float, wanted: Stream, paused: bool) -> Stream:
        """Returns the streams to draw: all wanted ones when due, only new ones while paused.

        `since` is the time in s since the epoch began.
        """
        if self.beat.is_due(since, timestep):
            return wanted
        return self.streams_new(wanted) if paused else Stream(0)

    def streams_new(self, wanted: Stream) -> Stream:
        """Returns the streams of new subscribers, and all streams again a second later.

        A subscriber may be known here before it knows the publisher, and miss the first image.
        """
        return wanted if monotonic() >= self._again else wanted & ~self._served

    def note(self, since: float, timestep: float, wanted: Stream, now: float) -> None:
        """Records that images are made; an image for a newcomer puts off no other.

        `now` is when the moment was taken, in s of the monotonic clock.
        """
        if self.beat.is_due(since, timestep):
            self.beat.note(since, timestep, now)
        new = wanted & ~self._served
        self._again = monotonic() + _AGAIN_S if new else float('inf')
        self._served = wanted

    def start_over(self) -> None:
        """Begins with another epoch, of which there is no image yet."""
        self.beat.start_over()
        self._again = float('inf')
        self._served = Stream(0)
