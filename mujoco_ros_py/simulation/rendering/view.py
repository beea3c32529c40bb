"""A view: a request for the images of one camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .free_camera import FreeCamera
from .renderer import Frame, Stream


@dataclass(kw_only=True, eq=False, slots=True)
class View:
    """The images of one camera, with their rate and their consumer."""

    camera: int | FreeCamera
    """The id of a camera of the model, or a camera outside the model."""
    width: int
    height: int
    rate_hz: float
    """The maximum number of images per second of simulated time, and of wall time while
    unthrottled."""
    wanted: Callable[[], Stream]
    """Returns the wanted streams. Called often, on the render thread."""
    deliver: Callable[[Frame], None]
    """Receives the images, on the render thread."""
    _joined: Stream = field(default=Stream(0), init=False)

    def draw_again(self, streams: Stream) -> None:
        """Draws these streams once more even while paused, for new subscribers.

        Call this from `wanted`, when a stream has more subscribers than before.
        """
        self._joined |= streams


def take_joined(view: View) -> Stream:
    """Returns the streams that got new subscribers since the last call."""
    joined, view._joined = view._joined, Stream(0)
    return joined
