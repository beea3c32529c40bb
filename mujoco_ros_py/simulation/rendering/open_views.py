"""The open views of the render loop, with a schedule for each view, and the painters."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

import mujoco

from ..beat import Beat
from ..threads.owner import OwnedCallback, Owner
from .free_camera import FreeCamera
from .model_cameras import camera_name
from .options import AS_USUAL, CameraOptions
from .renderer import Stream
from .view import View, take_joined

_ALL = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED | Stream.MOMENT
_AGAIN_S = 1.0


class OpenView:
    """An open view, with its model, its schedule and the owner of its functions."""

    def __init__(self, model: mujoco.MjModel, view: View, owner: Owner) -> None:
        self.model, self.view, self.owner = model, view, owner
        self.schedule = ViewSchedule(view.rate_hz)
        self._wanted = owner.callback(f'wanted of camera {view.camera}', lambda: view.wanted())
        self.deliver = owner.callback(
            f'deliver of camera {view.camera}', lambda frame: view.deliver(frame)
        )

    @property
    def closed(self) -> bool:
        """Whether the view's functions are no longer called."""
        return self.deliver.closed

    def streams(self) -> Stream:
        """Returns the wanted streams; empty if the view's function fails."""
        wanted: Stream = self._wanted() or Stream(0)
        self.schedule.keep(wanted & ~take_joined(self.view))
        return wanted

    def close(self) -> None:
        """Stops calling the view's functions; waits up to 1 s for a call in progress."""
        self._wanted.close()
        self.deliver.close()


class Views:
    """The open views and the painters. Changes replace a whole tuple: readers need no lock."""

    def __init__(self) -> None:
        self._open: tuple[OpenView, ...] = ()
        self.painters: tuple[OwnedCallback, ...] = ()
        self._camera_options: dict[str, CameraOptions] = {}
        """The camera options that were set, by the name of a camera of the model."""
        self._changing = threading.Lock()

    @property
    def open(self) -> tuple[OpenView, ...]:
        """The open views."""
        if any(opened.closed for opened in self._open):  # their owners were closed
            self._keep(lambda opened: not opened.closed)
        return self._open

    def of(self, owner: Owner) -> tuple[OpenView, ...]:
        """Returns the views that an owner has opened."""
        return tuple(opened for opened in self.open if opened.owner is owner)

    def add(self, opened: OpenView) -> None:
        """Adds a view."""
        with self._changing:
            self._open = (*self._open, opened)

    def remove(self, view: View) -> OpenView | None:
        """Removes a view; returns its open view, or None if the view is not open."""
        found = next((opened for opened in self._open if opened.view is view), None)
        self._keep(lambda opened: opened.view is not view)
        return found

    def camera_options(self, name: str) -> CameraOptions:
        """Returns the options of a camera of the model."""
        return self._camera_options.get(name, AS_USUAL)

    def options_of(self, opened: OpenView) -> CameraOptions:
        """Returns the options of a view's camera."""
        camera = opened.view.camera
        if not self._camera_options or isinstance(camera, FreeCamera):
            return AS_USUAL
        return self.camera_options(camera_name(opened.model, camera))

    def set_camera_options(self, name: str, options: CameraOptions) -> None:
        """Sets the options of a camera of the model."""
        self._camera_options = {**self._camera_options, name: options}

    def draw_again(self, name: str) -> None:
        """Draws a camera's views again even while paused; for the render thread only."""
        for opened in self.open:
            camera = opened.view.camera
            if not isinstance(camera, FreeCamera) and camera_name(opened.model, camera) == name:
                opened.view.draw_again(_ALL)

    def clear(self) -> None:
        """Removes all views."""
        self._keep(lambda opened: False)

    def _keep(self, kept: Callable[[OpenView], bool]) -> None:
        with self._changing:
            self._open = tuple(filter(kept, self._open))


class ViewSchedule:
    """The schedule of one view; used only by the render thread."""

    def __init__(self, rate_hz: float) -> None:
        self.beat = Beat(rate_hz)
        self._again = float('inf')
        self._served = Stream(0)
        """The wanted streams that have already had an image."""

    def keep(self, streams: Stream) -> None:
        """Forgets that other streams had an image: their next subscribers count as new."""
        self._served &= streams

    def streams_at(self, since: float, timestep: float, wanted: Stream, paused: bool) -> Stream:
        """Returns the streams to draw: all wanted streams if due, only new streams while paused.

        `since` is the time in s since the epoch began.
        """
        if self.beat.is_due(since, timestep):
            return wanted
        return self.streams_new(wanted) if paused else Stream(0)

    def streams_new(self, wanted: Stream) -> Stream:
        """Returns the streams of new subscribers, and one second later all streams again.

        A subscriber can be counted here before it discovers the publisher, and then misses the
        first image.
        """
        return wanted if monotonic() >= self._again else wanted & ~self._served

    def note(self, since: float, timestep: float, wanted: Stream, now: float) -> None:
        """Records an image; extra images for new subscribers do not delay the next regular image.

        `now` is the time of the snapshot, in s of the monotonic clock.
        """
        if self.beat.is_due(since, timestep):
            self.beat.note(since, timestep, now)
        new = wanted & ~self._served
        self._again = monotonic() + _AGAIN_S if new else float('inf')
        self._served = wanted

    def start_over(self) -> None:
        """Starts a new epoch, without any images so far."""
        self.beat.start_over()
        self._again = float('inf')
        self._served = Stream(0)
