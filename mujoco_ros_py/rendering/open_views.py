"""The views that the render loop shows, each due at its own times, and their painters."""

from __future__ import annotations

import threading
from collections.abc import Callable

import mujoco

from ..simulation import OwnedCallback, Owner
from .camera_options import AS_USUAL, CameraOptions
from .free_camera import FreeCamera
from .model_cameras import camera_name
from .renderer import Stream
from .view import View, take_joined
from .view_schedule import ViewSchedule

_ALL = Stream.RGB | Stream.DEPTH | Stream.SEGMENTED | Stream.MOMENT


class OpenView:
    """A view that is shown, with its model, its times and the owner of its functions."""

    def __init__(self, model: mujoco.MjModel, view: View, owner: Owner) -> None:
        self.model, self.view, self.owner = model, view, owner
        self.schedule = ViewSchedule(view.rate_hz)
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
        self.schedule.keep(wanted & ~take_joined(self.view))
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
        self._camera_options: dict[str, CameraOptions] = {}
        """The options of cameras of the model that somebody has set, by name."""
        self._changing = threading.Lock()

    @property
    def open(self) -> tuple[OpenView, ...]:
        """The views that are shown."""
        if any(opened.closed for opened in self._open):  # with their owners
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
        """Removes a view, and returns its open views."""
        found = next((opened for opened in self._open if opened.view is view), None)
        self._keep(lambda opened: opened.view is not view)
        return found

    def camera_options(self, name: str) -> CameraOptions:
        """Returns the options of a camera of the model."""
        return self._camera_options.get(name, AS_USUAL)

    def options_of(self, opened: OpenView) -> CameraOptions:
        """Returns the options of the camera of a view."""
        camera = opened.view.camera
        if not self._camera_options or isinstance(camera, FreeCamera):
            return AS_USUAL
        return self.camera_options(camera_name(opened.model, camera))

    def set_camera_options(self, name: str, options: CameraOptions) -> None:
        """Sets the options of a camera of the model."""
        self._camera_options = {**self._camera_options, name: options}

    def draw_again(self, name: str) -> None:
        """Has a camera's views drawn again if time stands; this is for the render thread."""
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
