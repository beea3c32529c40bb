"""What any thread may read of a simulation: its status at once, and data between two steps."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

import mujoco
import numpy as np

from .meters import LatenessMeter
from .physics_thread import PhysicsThread
from .running_model import RunningModel
from .snapshots import Snapshot, SnapshotReceiver, TimeWaiter
from .status import Status

Result = TypeVar('Result')


class ReadableSimulation:
    """A simulation as others than the physics thread see it."""

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
        """Copies the data of this moment; the copy stays as it is."""
        running, record = self._running.model, self._record
        room = None if running is None else mujoco.MjData(running)  # takes longer than the copy

        def copied(model: mujoco.MjModel, data: mujoco.MjData) -> Snapshot:
            copy = mujoco.MjData(model) if room is None or running is not model else room
            mujoco.mj_copyData(copy, model, data)
            epoch, steps, ros_offset = int(record.epoch), int(record.steps), record.ros_offset
            return Snapshot(model, copy, epoch, steps, ros_offset=ros_offset)

        return self.submit(copied)

    def receiver(self) -> Future[SnapshotReceiver]:
        """Makes a new receiver of snapshots."""
        return self._queue.submit(lambda: self._running.new_receiver(SnapshotReceiver))

    def renew(self, receiver: SnapshotReceiver) -> Future[SnapshotReceiver]:
        """Gives the receiver new memory: the snapshots that it has handed out stay as they are."""
        return self._queue.submit(lambda: self._running.renew(receiver))

    def release(self, receiver: TimeWaiter) -> Future[None]:
        """Stops serving a receiver; its memory is freed once nobody uses it."""
        return self._queue.submit(lambda: self._running.release(receiver))

    def time_waiter(self) -> Future[TimeWaiter]:
        """Makes an object that waits for simulation times."""
        return self._queue.submit(lambda: self._running.new_receiver(TimeWaiter))

    def status(self) -> Status:
        """Tells how the simulation stands, without waiting for the physics thread."""
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
        """The time of the stamps of the newest step in seconds."""
        return float(self._record.ros_time)

    @property
    def ros_offset(self) -> float:
        """The ROS time minus the simulation time in seconds, in the epoch that runs."""
        return float(self._record.ros_offset)

    @property
    def epoch(self) -> int:
        """The epoch of snapshots made from now on; in a load or reset, the one that begins.

        Each jump of the time begins one, whoever made it: back, or ahead by more than a step.
        """
        return int(self._record.epoch)

    @property
    def paused(self) -> bool:
        """Whether time stands still until the simulation is set running or a step is asked for."""
        return bool(self._record.paused)

    @property
    def stands(self) -> bool:
        """Whether time stands still: the simulation is paused, and no steps are asked for."""
        return self.paused and not self._record.burst

    @property
    def realtime(self) -> float:
        """The simulated seconds per wall second that are asked for; -1: as many as possible."""
        return float(self._record.realtime)

    @property
    def step_period_s(self) -> float:
        """The wall time from one step to the next in seconds; 0 while it is unthrottled."""
        model, realtime = self._running.model, self.realtime
        return float(model.opt.timestep) / realtime if model and realtime > 0 else 0.0

    def passive_forces(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Returns a copy of the forces that passive callbacks added last; None without callbacks.

        A thread that uses a `Loan`, and the physics thread, get those of the newest step.
        """
        return self._loop.passive_forces()

    def lateness_ns(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Returns how late the newest paced steps began, oldest first, in nanoseconds."""
        return self._loop.lateness_ns()

    def lateness_meter(self) -> LatenessMeter:
        """Makes a meter of the lateness of the steps that are paced from now on."""
        return LatenessMeter(self._loop)

    def scheduling(self) -> str:
        """Tells how Linux schedules the physics thread now: ``SCHED_FIFO 80 on the cores 2``."""
        return self._thread.scheduling()

    @property
    def beats(self) -> int | None:
        """A number that changes as long as the physics thread goes on; see `PhysicsThread`."""
        return self._thread.beats

    def doing(self) -> str:
        """Tells what keeps the physics thread: ``control_callback of plugin 'arm'``."""
        return self._thread.doing()

    def running_callback(self) -> str | None:
        """Names the callback that runs now; None between callbacks."""
        return self._thread.running_callback()
