"""Sends models and states to the viewer process; the physics thread never waits for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future

import mujoco

from ..session import Assembly
from ..simulation import RepeatingThread, Snapshot, SnapshotReceiver
from .link.drawn_geoms import DrawnGeoms
from .shown_model import ShownModel, send_model
from .viewer_process import ViewerProcess

_FRAME_S = 1 / 60
_UNTHROTTLED_S = 1 / 30
"""The time between two states while the physics runs as fast as possible."""
_UNWATCHED_S = 0.5
_STATUS_S = 0.1
_WAIT_S = 0.2
_AT_ONCE = float('-inf')


class StateFeed:
    """Writes the newest state and the status to shared memory, up to 60 times a second."""

    def __init__(self, assembly: Assembly, status: Callable[[], bytes]) -> None:
        self._assembly = assembly
        self._status = status
        self._receiver: Future[SnapshotReceiver] | None = None
        self._process: ViewerProcess | None = None
        self._shown: ShownModel | None = None
        """The model that the process shows."""
        self._count = 0
        """The number of models sent so far."""
        self._drawn: DrawnGeoms | None = None
        self._epoch: int | None = None
        self._due = _AT_ONCE
        self._status_due = 0.0
        self.watched = True
        """Whether a user has the viewer open; if not, states are written twice a second only."""
        self._thread = RepeatingThread('viewer', self._tick)
        self.start = self._thread.start

    def serve(self, process: ViewerProcess | None) -> None:
        """Switches to another process for models and states; None stops sending."""
        self._process, self._shown, self.watched = process, None, True

    def model(self, number: int) -> mujoco.MjModel | None:
        """Returns the process's model with this number; None if the process has a newer model."""
        shown = self._shown
        return shown.model if shown is not None and shown.number == number else None

    def close(self) -> None:
        """Ends the thread."""
        self._process = None
        self._thread.close()

    def _tick(self) -> float:
        begun, process = time.monotonic(), self._process
        if process is None:
            return _WAIT_S
        if begun >= self._status_due:
            self._status_due = begun + _STATUS_S
            process.status.write(self._status())
        receiver = self._usable()
        if receiver is not None:
            due = _AT_ONCE if self._assembly.simulation.paused else self._due
            snapshot = receiver.next(_WAIT_S, due=due, epoch=self._epoch)
            if snapshot is None:
                self._due = _AT_ONCE
            else:
                self._show(process, snapshot)
        return max(0.0, begun + self._period_s() - time.monotonic())

    def _period_s(self) -> float:
        if not self.watched:
            return _UNWATCHED_S
        return _UNTHROTTLED_S if self._assembly.simulation.realtime < 0.0 else _FRAME_S

    def _usable(self) -> SnapshotReceiver | None:
        """Returns the receiver; None until the physics thread has created it."""
        if self._receiver is None:
            self._receiver = self._assembly.simulation.receiver()
        made = self._receiver
        if not made.done() or made.exception() is not None:
            return None
        return made.result()

    def _show(self, process: ViewerProcess, snapshot: Snapshot) -> None:
        """Writes a state; sends the model first if it has changed."""
        self._epoch = snapshot.epoch
        realtime = max(0.0, self._assembly.simulation.realtime)
        # The next state is due half a frame later, because the pause after `_tick` already takes
        # most of the frame. Waiting for a whole frame could miss the next one.
        self._due = snapshot.time + 0.5 * _FRAME_S * realtime
        shown = self._shown
        if shown is None or shown.model is not snapshot.model:
            shown = self._send(process, snapshot.model)
            if shown is None:
                return
            self._shown = shown
        shown.show(snapshot.data)
        if self.watched and self._drawn is not None:
            shown.draw(self._drawn.paint(self._assembly.host.painters, snapshot))

    def _send(self, process: ViewerProcess, model: mujoco.MjModel) -> ShownModel | None:
        """Sends a model to the process; returns None if the model cannot be sent now."""
        self._count += 1
        shown = send_model(process, model, self._count, self._assembly.model_name)
        if shown is not None:
            self._drawn = DrawnGeoms(model)
        return shown
