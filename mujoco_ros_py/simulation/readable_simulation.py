"""Read access to a simulation from any thread: status immediately, data between two steps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

import mujoco
import numpy as np

from .meters import LatenessMeter
from .physics_thread import PhysicsThread
from .running_model import RunningModel
from .snapshots import Snapshot, SnapshotReceiver
from .status import Status

Result = TypeVar('Result')


class ReadableSimulation:
    """A simulation that threads other than the physics thread can read."""

    def __init__(self, running: RunningModel, thread: PhysicsThread) -> None:
        self._running, self._thread = running, thread
        self._loads = self._resets = 0
        self._loop = running.loop
        self._record = self._loop.record
        self._queue = thread.commands

    def submit(
        self, function: Callable[[mujoco.MjModel, mujoco.MjData], Result]
    ) -> Future[Result]:
        """Calls `function(model, data)` between two steps, on the physics thread."""
        return self._queue.submit(lambda: function(*self._running.loaded()))

    def snapshot(self) -> Future[Snapshot]:
        """Copies the current data. The copy does not change later."""
        running, record = self._running.model, self._record
        room = None if running is None else mujoco.MjData(running)  # slow, so not between steps

        def copied(model: mujoco.MjModel, data: mujoco.MjData) -> Snapshot:
            copy = mujoco.MjData(model) if room is None or running is not model else room
            mujoco.mj_copyData(copy, model, data)
            epoch, steps, ros_offset = int(record.epoch), int(record.steps), record.ros_offset
            return Snapshot(model, copy, epoch, steps, ros_offset=ros_offset)

        return self.submit(copied)

    def receiver(self) -> Future[SnapshotReceiver]:
        """Creates a receiver of snapshots."""
        return self._queue.submit(self._running.new_receiver)

    def renew(self, receiver: SnapshotReceiver) -> Future[SnapshotReceiver]:
        """Gives the receiver new memory, so that its earlier snapshots do not change."""
        return self._queue.submit(lambda: self._running.renew(receiver))

    def release(self, receiver: SnapshotReceiver) -> Future[None]:
        """Stops serving a receiver. Its memory is freed once it is unused."""
        return self._queue.submit(lambda: self._running.release(receiver))

    def status(self) -> Status:
        """Returns the status, without waiting for the physics thread."""
        record, running, model = self._record, self._running, self._running.model
        return Status(
            time=float(record.time),
            steps=int(record.steps),
            timestep=float(model.opt.timestep) if model is not None else 0.0,
            paused=bool(record.paused),
            pending_steps=int(record.burst),
            realtime=float(record.realtime),
            failure=running.failure,
            warnings=running.warnings.total,
            latest_warning=running.warnings.latest,
            loads=self._loads,
            resets=self._resets,
        )

    @property
    def time(self) -> float:
        """The simulation time of the newest step in seconds."""
        return float(self._record.time)

    @property
    def ros_time(self) -> float:
        """The ROS time of the newest step in seconds, as used in stamps."""
        return float(self._record.ros_time)

    @property
    def ros_offset(self) -> float:
        """The ROS time minus the simulation time in seconds, in the current epoch."""
        return float(self._record.ros_offset)

    @property
    def epoch(self) -> int:
        """The number of the current epoch; during a load or reset, of the epoch that begins.

        Every jump of the time, back or ahead by more than a step, begins an epoch.
        """
        return int(self._record.epoch)

    @property
    def paused(self) -> bool:
        """Whether time stands still until the simulation is unpaused or a step is requested."""
        return bool(self._record.paused)

    @property
    def stands(self) -> bool:
        """Whether time stands still: the simulation is paused, and no steps are pending."""
        return self.paused and not self._record.burst

    @property
    def realtime(self) -> float:
        """The requested real-time factor: simulated seconds per wall second; -1: unthrottled."""
        return float(self._record.realtime)

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns a copy of the forces last added by passive callbacks; None if none exist.

        On the physics thread, and on a thread with a `Loan`, these are the forces of the newest
        step.
        """
        return self._loop.passive_forces()

    def lateness_ns(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Returns how late the newest paced steps began, oldest first, in nanoseconds."""
        return self._loop.lateness_ns()

    def lateness_meter(self) -> LatenessMeter:
        """Creates a meter of the lateness of future paced steps."""
        return LatenessMeter(self._loop)

    def scheduling(self) -> str:
        """Describes how Linux schedules the physics thread: ``SCHED_FIFO 80 on the cores 2``."""
        return self._thread.scheduling()

    @property
    def beats(self) -> int | None:
        """A number that changes while the physics thread makes progress; see `PhysicsThread`."""
        return self._thread.beats

    def doing(self) -> str:
        """Describes the physics thread's activity: ``control_callback of plugin 'arm'``."""
        return self._thread.doing()

    def running_callback(self) -> str | None:
        """Returns the name of the callback that runs now; None between callbacks."""
        return self._thread.running_callback()
