"""Copies of the data that leave the physics thread: one at a time, on request, latest wins."""

from __future__ import annotations

import contextlib
import os
import select
import time
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ..engine import MOMENT, Loop

_AT_ONCE = float('-inf')


_UPDATES = (
    mujoco.mj_kinematics,
    mujoco.mj_comPos,
    mujoco.mj_camlight,
    mujoco.mj_flex,
    mujoco.mj_tendon,
    mujoco.mj_comVel,
)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Model and data of one moment; valid until the receiver asks for the next."""

    model: mujoco.MjModel
    data: mujoco.MjData
    epoch: int
    """Changes with every load and reset: time may have gone back where it differs."""
    steps: int
    """Steps since the model was loaded."""

    @property
    def time(self) -> float:
        """Simulation time in seconds."""
        return float(self.data.time)

    def update(self) -> None:
        """Brings all poses and velocities (`xpos`, `site_xmat`, `cvel` and so on) to this moment.

        After a step, MuJoCo's are those of the moment before it, while `qpos`, `qvel` and `time`
        are those after it.
        """
        for bring_up_to_date in _UPDATES:
            bring_up_to_date(self.model, self.data)


class TimeWatch:
    """Waits for a simulation time without making the physics wait; used by one thread."""

    def __init__(self, loop: Loop, slot: int) -> None:
        self._loop = loop
        self._slot = loop.record.snapshots[slot]
        self._event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._slot.event = self._event
        self._interrupted = self._waited_for = False

    def interrupt(self) -> None:
        """From any thread: a wait, or the next one, is over."""
        self._interrupted = True
        os.eventfd_write(self._event, 1)

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Physics thread: a model was loaded."""
        self.restart()

    def restart(self) -> None:
        """Physics thread: time has started again, no `due` from before counts."""
        self._slot.due = _AT_ONCE

    def ask(self, *, due: float = _AT_ONCE, epoch: int | None = None) -> None:
        """Asks for the first moment at or after the simulation time `due`.

        Given an `epoch`, `due` holds only in it: after a reset the first moment comes at once.
        A request stands until it is served and waited for; to ask again before only changes what
        is due, so that no moment is lost that came when a wait was just over.
        """
        slot = self._slot
        slot.due = _AT_ONCE if epoch not in (None, self._loop.record.epoch) else due
        if slot.asked == slot.served and not self._waited_for:
            slot.asked += 1
            self._waited_for = True
        if slot.due <= self._loop.record.time:  # else a step comes before, and looks then
            self._loop.wake()

    def wait(self, timeout_s: float) -> bool:
        """Until the moment that was asked for is there; False if it does not come in time.

        While the physics thread is busy elsewhere (loading, a callback that blocks) none comes.
        """
        slot = self._slot
        deadline = time.monotonic() + timeout_s
        while slot.asked != slot.served:  # an event may belong to a request before this one
            left = deadline - time.monotonic()
            if self._interrupted:
                self._interrupted = False
                return False
            if left < 0 or not select.select([self._event], [], [], left)[0]:
                return False
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._event)
        self._waited_for = False
        return True

    def __del__(self) -> None:
        os.close(self._event)


class SnapshotReceiver(TimeWatch):
    """Gets copies of the data.

    The physics loop copies when it is asked, at the end of a step (while paused: at once), 2 us
    for a humanoid.
    """

    def __init__(self, loop: Loop, slot: int) -> None:
        super().__init__(loop, slot)
        self._current: tuple[mujoco.MjModel, mujoco.MjData, Any] | None = None

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Physics thread: the data to copy from are these now."""
        copy = mujoco.MjData(model)
        mujoco.mj_copyData(copy, model, data)
        moment = np.array([(self._loop.record.epoch, self._loop.record.steps)], MOMENT)
        self._slot.data, self._slot.moment = copy._address, moment.ctypes.data
        self._current = (model, copy, moment)
        self.restart()

    def next(
        self, timeout_s: float, *, due: float = _AT_ONCE, epoch: int | None = None
    ) -> Snapshot | None:
        """`ask` and `take` in one."""
        self.ask(due=due, epoch=epoch)
        return self.take(timeout_s)

    def take(self, timeout_s: float) -> Snapshot | None:
        """What was asked for; None if it does not come in time (0: if it is not there yet)."""
        if not self.wait(timeout_s) or self._current is None:
            return None
        model, data, moment = self._current
        return Snapshot(model, data, int(moment['epoch'][0]), int(moment['steps'][0]))
