"""The views that the render loop shows, each due at its own times, and their painters."""

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
"""The tolerance in s for due times, as simulated time is a sum of timesteps."""
_AGAIN_S = 1.0


@dataclass(kw_only=True, eq=False, slots=True)
class View:
    """A view: what one camera shows, to whom, and how often."""

    camera: int | FreeCamera
    """The id of a camera of the model, or a camera that is not in it."""
    width: int
    height: int
    rate_hz: float
    """The maximum number of images per second of simulated time, and of wall time while
    unthrottled."""
    wanted: Callable[[], Stream]
    """The function that returns the wanted streams; it is called often, on the render thread."""
    deliver: Callable[[Frame], None]
    """The function that takes the images; it is called on the render thread."""
    due: float = field(default=AT_ONCE, init=False)
    wall_due: float = field(default=AT_ONCE, init=False)
    again: float = field(default=float('inf'), init=False)
    served: Stream = field(default=Stream(0), init=False)
    """The wanted streams that have had an image."""

    def streams_at(self, time: float, wanted: Stream, paused: bool) -> Stream:
        """Returns the streams to draw: all wanted ones when due, only new ones while paused."""
        if time >= self.due - EXACT_S:
            return wanted
        return self.streams_new(wanted) if paused else Stream(0)

    def streams_new(self, wanted: Stream) -> Stream:
        """Returns the streams of new subscribers, and all streams again a second later.

        A subscriber may be known here before it knows the publisher, and miss the first image.
        """
        return wanted if monotonic() >= self.again else wanted & ~self.served

    def note(self, time: float, wanted: Stream) -> None:
        """Records that images are made; the next ones are due one period later, never earlier."""
        if time >= self.due - EXACT_S:
            self.due = time + 1.0 / self.rate_hz
            now, period_s = monotonic(), 1.0 / self.rate_hz
            self.wall_due = max(self.wall_due, now - period_s) + period_s
        new = wanted & ~self.served
        self.again = monotonic() + _AGAIN_S if new else float('inf')
        self.served = wanted

    def start_over(self) -> None:
        """Makes the next image due at once."""
        self.due = self.wall_due = AT_ONCE
        self.again = float('inf')
        self.served = Stream(0)


class OpenView:
    """A view that is shown, with its model and the owner of its functions."""

    def __init__(self, model: mujoco.MjModel, view: View, owner: Owner) -> None:
        self.model, self.view = model, view
        self._wanted = owner.callback(f'wanted of camera {view.camera}', lambda: view.wanted())
        self.deliver = owner.callback(
            f'deliver of camera {view.camera}', lambda frame: view.deliver(frame)
        )

    @property
    def closed(self) -> bool:
        """Whether nobody wants the view any more."""
        return self.deliver.closed

    def streams(self) -> Stream:
        """Returns the wanted streams; none if the view's function fails."""
        wanted: Stream = self._wanted() or Stream(0)
        self.view.served &= wanted
        return wanted

    def close(self) -> None:
        """Stops calling the view's functions; waits up to 1 s for a running one."""
        self._wanted.close()
        self.deliver.close()


class Views:
    """The open views and the painters; both are replaced as a whole."""

    def __init__(self) -> None:
        self._open: tuple[OpenView, ...] = ()
        self.painters: tuple[OwnedCallback, ...] = ()
        self._changing = threading.Lock()

    @property
    def open(self) -> tuple[OpenView, ...]:
        """The views that are shown."""
        if any(opened.closed for opened in self._open):  # with their owners
            self._keep(lambda opened: not opened.closed)
        return self._open

    def add(self, opened: OpenView) -> None:
        """Adds a view."""
        with self._changing:
            self._open = (*self._open, opened)

    def remove(self, view: View) -> OpenView | None:
        """Removes a view, and returns its open views."""
        found = next((opened for opened in self._open if opened.view is view), None)
        self._keep(lambda opened: opened.view is not view)
        return found

    def clear(self) -> None:
        """Removes all views."""
        self._keep(lambda opened: False)

    def _keep(self, kept: Callable[[OpenView], bool]) -> None:
        with self._changing:
            self._open = tuple(filter(kept, self._open))
