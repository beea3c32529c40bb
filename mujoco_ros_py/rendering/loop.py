"""The render loop: a thread that makes images of snapshots while somebody wants them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from time import monotonic
from typing import TypeVar

import mujoco

from ..errors import EndedError, RenderingError
from ..simulation import CommandQueue, Simulation, Snapshot, SnapshotReceiver
from .backend import GraphicsContext, open_context
from .options import RenderOptions
from .renderer import Renderer, Stream
from .view import AT_ONCE, EXACT_S, Painter, View

_log = logging.getLogger(__name__)
Result = TypeVar('Result')

_LOOK_S = 0.05
"""How often a loop without work asks whether somebody wants an image now."""
_OPEN_S = 20.0
"""How long a context, or the textures and meshes of a model, may take."""
_TURN_S = 1.0
"""How long a view that closes waits for its last image."""


class RenderLoop:
    """Has one OpenGL context, all its life on the thread that it starts. The physics never waits.

    A view is drawn from the first snapshot at or after the time that it is due: at once after a
    load or reset, then one period after the last; only while somebody wants it. Methods may be
    called from any thread.
    """

    def __init__(self, simulation: Simulation, options: RenderOptions) -> None:
        self._simulation = simulation
        self._options = options
        self._commands = CommandQueue(self._wake)
        self._awake = threading.Event()
        self._receiver = simulation.receiver()
        self._graphics: Future[GraphicsContext] | None = None
        self._renderers: dict[View, Renderer] = {}
        """Two for a short while, where views of a new model open before those of the old close."""
        self._views: tuple[View, ...] = ()
        self._changing = threading.Lock()
        """Held while views are added or removed."""
        self._painters: tuple[Painter, ...] = ()
        self._turn = threading.RLock()
        """Held while a view is drawn and delivered."""
        self._turns = 0
        self._late = -1
        """The turn that was not waited for to its end."""
        self._painting = ''
        self._epoch: int | None = None
        self._ending = False
        self._thread = threading.Thread(target=self._run, name='render', daemon=True)

    def start(self) -> None:
        """Begins to open the context, once."""
        if self._graphics is None:
            self._graphics = Future()
            self._thread.start()

    def graphics(self) -> GraphicsContext:
        """The context, when it is open. Raises RenderingError with the reason each time."""
        self.start()
        assert self._graphics is not None
        return self._result(self._graphics)

    def open(self, model: mujoco.MjModel, view: View) -> None:
        """Draws the view from now on; the model's textures and meshes are loaded when it returns.

        Raises RenderingError for an image that OpenGL cannot hold, and where there is none.
        """
        self.graphics()
        self._result(self._commands.submit(lambda: self._open(model, view)))

    def close_view(self, view: View) -> None:
        """Draws it no more: nothing is delivered after this, unless a painter blocks."""
        self._remove(view)
        self._wait_for_turn()
        self._commands.submit(self._drop)

    def paint_with(self, painters: Sequence[Painter]) -> None:
        """These add to the images from now on, in this order; the last ones have returned."""
        self._painters = tuple(painters)
        self._wait_for_turn()

    def close(self, timeout_s: float) -> bool:
        """Ends the thread and its context; False if a painter keeps it.

        A driver that is at work is not waited for longer either, but not held against anybody.
        """
        if self._graphics is None:
            return True
        self._commands.submit(self._end)
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            _log.warning('the render thread did not end: it is %s', self._activity())
        return not (self._thread.is_alive() and self._painting)

    def _result(self, future: Future[Result]) -> Result:
        try:
            blocked = self._painting and self._is_stuck()  # drawing itself comes to an end
            return future.result(0.0 if blocked else _OPEN_S)
        except FutureTimeoutError:
            future.cancel()
            raise RenderingError(f'the render thread is busy: {self._activity()}') from None

    def _activity(self) -> str:
        return f'in {self._painting}' if self._painting else 'drawing'

    def _is_stuck(self) -> bool:
        """In the turn that was not waited for to its end."""
        if self._turns != self._late:
            return False
        free = self._turn.acquire(blocking=False)
        if free:
            self._turn.release()
        return not free

    def _remove(self, view: View) -> None:
        with self._changing:
            self._views = tuple(other for other in self._views if other is not view)

    def _wait_for_turn(self) -> None:
        if self._turns == self._late:
            return
        if self._turn.acquire(timeout=_TURN_S):
            self._turn.release()
        else:
            self._late = self._turns
            _log.error('the render thread is still %s; nothing waits for it', self._activity())

    def _wake(self) -> None:
        self._awake.set()
        if self._receiver.done() and not self._receiver.exception():
            self._receiver.result().interrupt()

    # On the thread

    def _run(self) -> None:
        assert self._graphics is not None
        try:
            graphics = open_context(self._options.backend)
        except Exception as error:
            self._commands.close('there is no render thread')
            self._graphics.set_exception(error)
            return
        self._graphics.set_result(graphics)
        self._serve_views(graphics)

    def _serve_views(self, graphics: GraphicsContext) -> None:
        try:
            receiver = self._receiver.result()
        except EndedError:  # before it began
            self._commands.close('the simulation has ended')
            graphics.close()
            return
        while not self._ending:
            self._commands.drain()
            self._look(receiver)
        self._drop()
        graphics.close()

    def _open(self, model: mujoco.MjModel, view: View) -> None:
        self._drop()
        renderer = self._renderer_of(model)
        try:
            renderer.make_room(view.width, view.height)
        except RenderingError:
            if renderer not in self._renderers.values():
                renderer.close()
            raise
        with self._changing:
            self._renderers[view] = renderer
            self._views = (*self._views, view)

    def _renderer_of(self, model: mujoco.MjModel) -> Renderer:
        """The one that there is, else a new one."""
        for renderer in self._renderers.values():
            if renderer.model is model:
                return renderer
        assert self._graphics is not None
        return Renderer(model, self._graphics.result(), self._options)

    def _drop(self) -> None:
        """Frees what belongs to models that nothing shows."""
        shown = {view: each for view, each in self._renderers.items() if view in self._views}
        for renderer in {*self._renderers.values()} - {*shown.values()}:
            renderer.close()
        self._renderers = shown

    def _end(self) -> None:
        self._commands.close('the server is shutting down')
        self._ending = True
        with self._changing:
            self._views = ()

    def _look(self, receiver: SnapshotReceiver) -> None:
        """Draws what is due, or waits until something may be."""
        wanted = {view: streams for view in self._views if (streams := self._wanted(view))}
        if self._simulation.realtime < 0:  # the steps come first
            now = monotonic()
            pause_s = min((view.wall_due - now for view in wanted), default=_LOOK_S)
            wanted = {view: s for view, s in wanted.items() if view.wall_due <= now}
        else:
            pause_s = _LOOK_S
        if not wanted:
            self._awake.wait(min(pause_s, _LOOK_S))
            self._awake.clear()
            return
        paused = self._simulation.paused
        fresh = paused and any(view.streams_new(streams) for view, streams in wanted.items())
        due = AT_ONCE if fresh else min(view.due for view in wanted)
        snapshot = receiver.next(_LOOK_S, due=due - EXACT_S, epoch=self._epoch)
        if snapshot is None:
            return
        snapshot.update()
        if snapshot.epoch != self._epoch:
            self._epoch = snapshot.epoch
            for view in self._views:
                view.start_over()
        for view, streams in wanted.items():
            now = view.streams_at(snapshot.time, streams, paused)
            if now and self._serve(view, now, snapshot):
                view.note(snapshot.time, streams)

    def _wanted(self, view: View) -> Stream:
        try:
            wanted = view.wanted()
        except Exception:
            self._take_out(view)
            return Stream(0)
        view.served &= wanted
        return wanted

    def _serve(self, view: View, streams: Stream, snapshot: Snapshot) -> bool:
        """Draws and delivers; False if the view or the model has gone meanwhile."""
        with self._turn:
            self._turns += 1
            renderer = self._renderers.get(view)
            if view not in self._views or renderer is None or snapshot.model is not renderer.model:
                return False
            size = view.width, view.height
            try:
                frame = renderer.draw(snapshot.data, view.camera, size, streams, self._paint)
                view.deliver(frame)
            except Exception:
                self._take_out(view)
            return True

    def _take_out(self, view: View) -> None:
        if view not in self._views:  # it was closed meanwhile, and what it used is gone
            return
        _log.exception('camera %d is taken out: its image could not be made', view.camera)
        self._remove(view)

    def _paint(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        for painter in self._painters:
            self._painting = painter.name
            painter.paint(model, data, scene)
        self._painting = ''
