"""What the render loop shows: views, each due at its own times, and what is painted into them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from .renderer import Frame, Paint, Stream

AT_ONCE = float('-inf')
EXACT_S = 1e-9
"""Time is a sum of steps: so much may be missing to the moment that is due."""
_AGAIN_S = 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Painter:
    """What a plugin adds to the scene before each colour image."""

    name: str
    """For messages: ``render_callback of plugin 'arrows'``."""
    paint: Paint
    """Called on the render thread with the model, the snapshot's data and the scene."""


@dataclass(kw_only=True, eq=False, slots=True)
class View:
    """What one camera is to show, to whom, how often."""

    camera: int
    """Id of a camera of the model."""
    width: int
    height: int
    rate_hz: float
    """Images per second of simulated time, at most; of wall time too while unthrottled."""
    wanted: Callable[[], Stream]
    """Which streams anybody wants now; called often, on the render thread."""
    deliver: Callable[[Frame], None]
    """Takes the images; called on the render thread."""
    due: float = field(default=AT_ONCE, init=False)
    wall_due: float = field(default=AT_ONCE, init=False)
    again: float = field(default=float('inf'), init=False)
    served: Stream = field(default=Stream(0), init=False)
    """Of what is wanted, what has had an image."""

    def streams_at(self, time: float, wanted: Stream, paused: bool) -> Stream:
        """What to draw now: all that is wanted when it is due; what is new while time stands."""
        if time >= self.due - EXACT_S:
            return wanted
        return self.streams_new(wanted) if paused else Stream(0)

    def streams_new(self, wanted: Stream) -> Stream:
        """What somebody new wants; all once more a second later.

        Who subscribes may be known here before it knows the publisher, and miss the first image.
        """
        return wanted if monotonic() >= self.again else wanted & ~self.served

    def note(self, time: float, wanted: Stream) -> None:
        """Images are made: the next come a period after those that were due, never earlier."""
        if time >= self.due - EXACT_S:
            self.due = time + 1.0 / self.rate_hz
            now, period_s = monotonic(), 1.0 / self.rate_hz
            self.wall_due = max(self.wall_due, now - period_s) + period_s
        new = wanted & ~self.served
        self.again = monotonic() + _AGAIN_S if new else float('inf')
        self.served = wanted

    def start_over(self) -> None:
        """The next image comes at once."""
        self.due = self.wall_due = AT_ONCE
        self.again = float('inf')
        self.served = Stream(0)
