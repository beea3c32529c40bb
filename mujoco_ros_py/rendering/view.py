"""A view, as whoever needs images describes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .free_camera import FreeCamera
from .renderer import Frame, Stream


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
    _joined: Stream = field(default=Stream(0), init=False)

    def draw_again(self, streams: Stream) -> None:
        """Has these streams drawn once more if time stands, as somebody new looks at them.

        It is for `wanted`, which may see that a stream has more subscribers than before.
        """
        self._joined |= streams


def take_joined(view: View) -> Stream:
    """Returns the streams that somebody new looks at since the last call."""
    joined, view._joined = view._joined, Stream(0)
    return joined
