"""What the render loop shows: views, each due at its own times, and who paints into them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

import mujoco

from ..simulation import OwnedCallback, Owner
from .free_camera import FreeCamera
from .renderer import Frame, Stream

AT_ONCE = float('-inf')
EXACT_S = 1e-9
"""Time is a sum of steps: so much may be missing to the moment that is due."""
_AGAIN_S = 1.0


@dataclass(kw_only=True, eq=False, slots=True)
class View:
    """What one camera is to show, to whom, how often."""

    camera: int | FreeCamera
    """The id of a camera of the model, or a camera that is not in it."""
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


class OpenView:
    """A view that is shown: of which model, and whose functions it calls."""

    def __init__(self, model: mujoco.MjModel, view: View, owner: Owner) -> None:
        self.model, self.view = model, view
        self._wanted = owner.callback(f'wanted of camera {view.camera}', lambda: view.wanted())
        self.deliver = owner.callback(
            f'deliver of camera {view.camera}', lambda frame: view.deliver(frame)
        )

    @property
    def closed(self) -> bool:
        """Nobody wants it any more."""
        return self.deliver.closed

    def streams(self) -> Stream:
        """What somebody wants now; nothing where that cannot be said."""
        wanted: Stream = self._wanted() or Stream(0)
        self.view.served &= wanted
        return wanted

    def close(self) -> None:
        """Its functions are not called any more; waits 1 s for one that is under way."""
        self._wanted.close()
        self.deliver.close()


class Views:
    """The views that are open and those who paint into them; both are replaced as a whole."""

    def __init__(self) -> None:
        self._open: tuple[OpenView, ...] = ()
        self.painters: tuple[OwnedCallback, ...] = ()
        self._changing = threading.Lock()

    @property
    def open(self) -> tuple[OpenView, ...]:
        """Those that are shown."""
        if any(opened.closed for opened in self._open):  # with their owner
            self._keep(lambda opened: not opened.closed)
        return self._open

    def add(self, opened: OpenView) -> None:
        """One more."""
        with self._changing:
            self._open = (*self._open, opened)

    def remove(self, view: View) -> OpenView | None:
        """What was open of it."""
        found = next((opened for opened in self._open if opened.view is view), None)
        self._keep(lambda opened: opened.view is not view)
        return found

    def clear(self) -> None:
        """None is shown any more."""
        self._keep(lambda opened: False)

    def _keep(self, kept: Callable[[OpenView], bool]) -> None:
        with self._changing:
            self._open = tuple(filter(kept, self._open))
