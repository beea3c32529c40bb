"""Runs the render thread, which owns an OpenGL context and draws views when they are due."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import replace
from time import monotonic

import mujoco

from ...errors import EndedError, RenderingError
from ..simulation import Simulation
from ..snapshots import Snapshot, SnapshotReceiver
from ..threads.command_queue import CommandQueue
from ..threads.owner import activity
from .backend import GraphicsContext
from .open_views import OpenView, Views
from .options import RenderOptions
from .renderer import Renderer, Stream

_log = logging.getLogger(__name__)

_AT_ONCE = float('-inf')
_LOOK_S = 0.05
"""How often an idle thread checks for requested images, in seconds."""
_AGAIN_S = 0.1
"""The pause in s after an error of the thread itself."""


class Drawing:
    """The render thread and the state that only this thread may use.

    If a view's function or a painter does not return, the thread is abandoned: a new thread takes
    over, and this one ends when the function returns.
    """

    def __init__(
        self,
        simulation: Simulation,
        options: RenderOptions,
        views: Views,
        commands: CommandQueue,
        receiver: Future[SnapshotReceiver],
        open_context: Callable[[str], GraphicsContext],
    ) -> None:
        self.graphics: Future[GraphicsContext] = Future()
        """The OpenGL context, once it is open."""
        self.receiver = receiver
        self.beats: int | None = None
        """A counter that changes while the thread makes progress; None if it should not run."""
        self.ended = False
        """Whether the thread must end as soon as possible. Any thread can set this."""
        self._simulation, self._options = simulation, options
        self._views, self._commands = views, commands
        self._open_context = open_context
        self._awake = threading.Event()
        self._renderers: list[Renderer] = []
        """The renderers. Usually one; briefly two after a reload, while the views of the new model
        open before the old views close."""
        self._epoch: int | None = None
        self._begin = 0.0
        """The simulated start time of the epoch, in s."""
        self._fault = ''
        self.thread = threading.Thread(target=self._run, name='render', daemon=True)

    def wake(self) -> None:
        """Wakes the thread for a command. Can be called from any thread."""
        self._awake.set()
        if self.receiver.done() and not self.receiver.exception():
            self.receiver.result().interrupt()

    def doing(self) -> str:
        """Describes the thread's current activity: ``render_callback of plugin 'arrows'``."""
        if not self.thread.is_alive():
            return 'its thread has ended'
        return str(activity(self.thread.ident) or self._fault or 'drawing')

    # The following methods run on the render thread.

    def open(self, model: mujoco.MjModel, opened: OpenView) -> None:
        """Adds a view. Raises RenderingError if OpenGL cannot allocate its images."""
        self.drop()
        try:
            self._prepare(model).make_room(opened.view.width, opened.view.height)
        except RenderingError:
            self.drop()
            raise
        self._views.add(opened)

    def drop(self) -> None:
        """Frees the resources of models that no view shows."""
        shown = () if self.ended else self._views.open
        for renderer in tuple(self._renderers):
            if not any(opened.model is renderer.model for opened in shown):
                self._renderers.remove(renderer)
                renderer.close()

    def _run(self) -> None:
        try:
            graphics = self._open_context(self._options.backend)
        except BaseException as error:  # drivers can raise anything
            self._commands.close('the render thread is not running')
            self.graphics.set_exception(error)
            return
        self.graphics.set_result(graphics)
        try:
            self._serve()
        except EndedError:  # the simulation was closed before it started
            self._commands.close('the simulation has ended')
        finally:
            self.beats = None
            self.ended = True
            self.drop()
            graphics.close()

    def _serve(self) -> None:
        self.beats = 0
        while not self.ended:
            self._commands.drain()
            if not self.receiver.done():  # until then, only carries out commands
                self._awake.wait(_LOOK_S)
                self._awake.clear()
                self.beats += 1
                continue
            receiver = self.receiver.result()
            try:
                self._look(receiver)
            except BaseException as error:  # an error must not end the only thread for all cameras
                if not self._fault:
                    _log.exception('the render thread failed and will retry')
                self._fault = f'it raises {type(error).__name__}'
                self._awake.wait(_AGAIN_S)
                continue
            self._fault = ''
            self.beats += 1

    def _prepare(self, model: mujoco.MjModel) -> Renderer:
        """Returns the renderer of a model; creates one with room for all open views if needed."""
        for renderer in self._renderers:
            if renderer.model is model:
                return renderer
        made = Renderer(model, self.graphics.result(), self._options)
        self._renderers.append(made)
        for opened in self._views.open:
            if opened.model is model:
                made.make_room(opened.view.width, opened.view.height)
        return made

    def _look(self, receiver: SnapshotReceiver) -> None:
        """Draws the views that are due, or waits until one can be due."""
        wanted = {}
        for opened in self._views.open:
            if streams := opened.streams():
                wanted[opened] = streams
            if self.ended:
                return
        if self._simulation.realtime < 0:  # unthrottled: rendering yields to the physics
            now = monotonic()
            walls = {each: each.schedule.beat.wall_due for each in wanted}
            pause_s = min((due - now for due in walls.values()), default=_LOOK_S)
            wanted = {each: s for each, s in wanted.items() if walls[each] <= now}
        else:
            pause_s = _LOOK_S
        if not wanted:
            self._awake.wait(min(pause_s, _LOOK_S))
            self._awake.clear()
            return
        paused = self._simulation.stands
        fresh = paused and any(each.schedule.streams_new(s) for each, s in wanted.items())
        due = _AT_ONCE if fresh else self._due(wanted)
        snapshot = receiver.next(_LOOK_S, due=due, epoch=self._epoch)
        if snapshot is not None:
            self._show(snapshot, wanted, paused)

    def _due(self, views: Iterable[OpenView]) -> float:
        """Returns the earliest simulated time at which one of these views is due."""
        since = self._simulation.time - self._begin
        return self._begin + min(
            each.schedule.beat.next_due(since, float(each.model.opt.timestep)) for each in views
        )

    def _show(self, snapshot: Snapshot, wanted: dict[OpenView, Stream], paused: bool) -> None:
        snapshot.update()
        begin = monotonic()
        if snapshot.epoch != self._epoch:
            self._epoch, self._begin = snapshot.epoch, snapshot.begin
            for opened in self._views.open:
                opened.schedule.start_over()
        since, timestep = snapshot.time - snapshot.begin, float(snapshot.model.opt.timestep)
        for opened, streams in wanted.items():
            now = opened.schedule.streams_at(since, timestep, streams, paused)
            if now and self._draw(opened, now, snapshot):
                opened.schedule.note(since, timestep, streams, begin)
            if self.ended:  # this thread was abandoned, and its replacement draws the rest
                return

    def _draw(self, opened: OpenView, streams: Stream, snapshot: Snapshot) -> bool:
        """Draws and delivers an image; returns False if the view or the model was removed."""
        if opened not in self._views.open or snapshot.model is not opened.model:
            return False
        view = opened.view
        try:
            renderer = self._prepare(snapshot.model)
            size = view.width, view.height
            options = self._views.options_of(opened)
            frame = renderer.draw(snapshot.data, view.camera, size, streams, self._paint, options)
        except RenderingError:
            if self._views.remove(view) is not None:  # otherwise the model was replaced
                _log.exception('camera %s is removed: rendering its image failed', view.camera)
            return True
        if not self.ended and opened.model is snapshot.model:
            opened.deliver(replace(frame, ros_time=snapshot.ros_time))
        return True

    def _paint(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        for painter in self._views.painters:
            painter(model, data, scene)
