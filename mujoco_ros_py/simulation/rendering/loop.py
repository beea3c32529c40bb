"""The render loop, which draws the wanted images from snapshots on its own thread."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TypeVar

import mujoco

from ...errors import RenderingError
from ..simulation import Simulation
from ..snapshots import SnapshotReceiver
from ..threads.command_queue import CommandQueue
from ..threads.owner import OwnedCallback, Owner, activity
from .backend import GraphicsContext, open_context
from .drawing import Drawing
from .open_views import OpenView, Views
from .options import CameraOptions, RenderOptions
from .view import View

_log = logging.getLogger(__name__)
Result = TypeVar('Result')

_OPEN_S = 20.0
"""The timeout in s for opening a context, or for loading a model's textures and meshes."""


class RenderLoop:
    """Renders views on a thread with one OpenGL context. The physics never waits for rendering.

    A view is drawn from the first snapshot at or after its due time. It is due at once after a
    load, a reset or another jump in time, then one period after the last image, and only while an
    image is wanted. Methods can be called from any thread.
    """

    name = 'the render thread'

    def __init__(self, simulation: Simulation, options: RenderOptions) -> None:
        self._simulation = simulation
        self._options = options
        self._views = Views()
        self._commands = CommandQueue(self._wake)
        self._drawing: Drawing | None = None

    def start(self) -> None:
        """Starts opening the context. Later calls do nothing."""
        if self._drawing is None:
            self._draw(self._simulation.receiver())

    def graphics(self) -> GraphicsContext:
        """Waits for the context and returns it. Raises RenderingError if opening it failed."""
        self.start()
        assert self._drawing is not None
        return self._result(self._drawing.graphics)

    def open(self, model: mujoco.MjModel, view: View, owner: Owner | None = None) -> None:
        """Starts drawing a view, after loading the model's textures and meshes.

        Errors in the view's functions are passed to the owner; without an owner, an error removes
        the view. Raises RenderingError if OpenGL is not available or cannot hold the image.
        """
        self.graphics()
        opened = OpenView(model, view, owner or Owner.of_no_plugin(f'camera {view.camera}'))
        self._result(self._commands.submit(lambda: self._open(model, opened)))

    def move(self, owner: Owner, model: mujoco.MjModel) -> None:
        """Switches the owner's views to another model.

        Frees the resources of models without views.
        """
        views = self._views.of(owner)
        for opened in views:
            opened.model = model
        if views:
            self._commands.submit(self._drop)

    def close_view(self, view: View) -> None:
        """Stops drawing a view. Delivers no image afterwards, unless a function of the view hangs.

        Frees the resources that only this view needed.
        """
        opened = self._views.remove(view)
        if opened is not None:
            opened.close()
        self._commands.submit(self._drop)

    @property
    def image_options(self) -> RenderOptions:
        """The options that apply to all images."""
        return self._options

    def camera_options(self, camera: str) -> CameraOptions:
        """Returns the options of a camera of the model, by its name."""
        return self._views.camera_options(camera)

    def set_camera_options(self, camera: str, options: CameraOptions) -> None:
        """Sets the options of a camera of the model, by its name. They survive reloads."""
        self._views.set_camera_options(camera, options)
        self._commands.submit(lambda: self._views.draw_again(camera))

    def paint_with(self, painters: Sequence[OwnedCallback]) -> None:
        """Sets the painters that add to the images, in this order.

        Waits until replaced painters have returned.

        Painters are called on the render thread with the model, the snapshot's data and the scene.
        """
        before, self._views.painters = self._views.painters, tuple(painters)
        for painter in before:
            if painter not in self._views.painters:
                painter.close()

    def close(self, timeout_s: float) -> bool:
        """Ends the thread and its context; returns False if a painter or a view's function blocks.

        Returns True if only the graphics driver is still busy after the timeout.
        """
        drawing = self._drawing
        if drawing is None:
            return True
        self._commands.submit(self._end)
        drawing.thread.join(timeout_s)
        if drawing.thread.is_alive():
            _log.warning('the render thread did not end: %s', drawing.doing())
        return not (drawing.thread.is_alive() and activity(drawing.thread.ident))

    @property
    def beats(self) -> int | None:
        """A counter that changes while the thread makes progress; None if it should not run."""
        return None if self._drawing is None else self._drawing.beats

    def doing(self) -> str:
        """Describes the thread's current activity: ``render_callback of plugin 'arrows'``."""
        return '' if self._drawing is None else self._drawing.doing()

    def leave_behind(self) -> None:
        """Replaces the thread if a painter or a view's function does not return."""
        drawing = self._drawing
        if drawing is None or activity(drawing.thread.ident) is None:
            return  # the driver is busy, and a new thread would wait for it too
        drawing.ended = True
        receiver = drawing.receiver
        usable = receiver.done() and receiver.exception() is None
        self._draw(self._simulation.renew(receiver.result()) if usable else receiver)

    def _draw(self, receiver: Future[SnapshotReceiver]) -> None:
        self._drawing = Drawing(
            self._simulation,
            self._options,
            self._views,
            self._commands,
            receiver,
            lambda backend: open_context(backend),
        )
        self._drawing.thread.start()

    def _result(self, future: Future[Result]) -> Result:
        try:
            return future.result(_OPEN_S)
        except FutureTimeoutError:
            future.cancel()
            raise RenderingError(f'the render thread is busy: {self.doing()}') from None

    def _wake(self) -> None:
        if self._drawing is not None:
            self._drawing.wake()

    # The following methods run on the render thread.

    def _open(self, model: mujoco.MjModel, opened: OpenView) -> None:
        assert self._drawing is not None
        self._drawing.open(model, opened)

    def _drop(self) -> None:
        assert self._drawing is not None
        self._drawing.drop()

    def _end(self) -> None:
        assert self._drawing is not None
        self._commands.close('the server is shutting down')
        self._drawing.ended = True
        self._views.clear()
