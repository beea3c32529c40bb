"""Copies of the data for other threads, made by the physics loop when they are asked for."""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Any

import mujoco
import numpy as np

from ..engine import SAMPLE_TIME, Loop, SnapshotSlot, new_event, without_program_callbacks
from ..mujoco_internals import address_of, callback_pointer

_AT_ONCE = float('-inf')


_UPDATES = (
    mujoco.mj_kinematics,
    mujoco.mj_comPos,
    mujoco.mj_camlight,
    mujoco.mj_flex,
    mujoco.mj_tendon,
    mujoco.mj_comVel,
)


class Snapshot:
    """The model and the data of one moment, valid until the receiver asks for the next.

    A step of MuJoCo leaves poses, velocities of bodies, forces and sensors as they were before it;
    only `qpos`, `qvel`, `act` and `time` are those after it. `update` and `sensors` bring the rest
    to this moment, on the copy: once, however often they are called. One thread uses a snapshot.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        epoch: int,
        steps: int,
        passive: np.ndarray[Any, Any] | None = None,
        begin: float = 0.0,
        ros_offset: float = 0.0,
    ) -> None:
        self.model = model
        self.data = data
        self.epoch = epoch
        """A number that changes with every load, reset and jump of the time, which may go back."""
        self.steps = steps
        """The number of steps since the model was loaded."""
        self.begin = begin
        """The time at which the epoch began, from which rates count, in s."""
        self.ros_offset = ros_offset
        """The ROS time minus the simulation time, in s."""
        self._passive = passive
        """The forces that passive callbacks added last, as they are not called for a copy."""
        self._poses = self._sensors = False

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return float(self.data.time)

    @property
    def ros_time(self) -> float:
        """The time of the stamps of this moment in seconds."""
        return self.time + self.ros_offset

    def update(self) -> None:
        """Brings poses and velocities (`xpos`, `site_xmat`, `cvel` and so on) to this moment."""
        if not self._poses:
            for bring_up_to_date in _UPDATES:
                bring_up_to_date(self.model, self.data)
            self._poses = True

    def sensors(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Returns `sensordata` of this moment: a view, valid as long as the snapshot.

        This makes a forward pass on the copy, which brings poses, contacts, accelerations and
        forces to this moment too. It calls no plugin: controls, applied forces, the forces of
        passive callbacks and the values of user sensors are those of the last evaluation.
        """
        if not self._sensors:
            kept = _values_of_user_sensors(self.model)
            values = self.data.sensordata[kept]
            self._forward()
            self.data.sensordata[kept] = values
            self._poses = self._sensors = True
        sensordata: np.ndarray[Any, np.dtype[np.float64]] = self.data.sensordata
        return sensordata

    def _forward(self) -> None:
        data = self.data
        data.flg_energyvel = False  # MuJoCo believes that the kinetic energy is up to date
        passive = 0.0 if self._passive is None else self._passive
        applied = data.qfrc_applied.copy()
        data.qfrc_applied += passive
        with without_program_callbacks():
            mujoco.mj_forward(self.model, data)
        data.qfrc_applied[:] = applied
        data.qfrc_passive += passive


def _values_of_user_sensors(model: mujoco.MjModel) -> list[int]:
    """Returns the indices in `sensordata` that a forward pass clears, as nobody computes them."""
    if callback_pointer('mjcb_sensor').value is not None:
        return []
    sensors = np.flatnonzero(model.sensor_type == int(mujoco.mjtSensor.mjSENS_USER))
    starts, counts = model.sensor_adr[sensors], model.sensor_dim[sensors]
    return [start + k for start, count in zip(starts, counts, strict=True) for k in range(count)]


class TimeWaiter:
    """Waits for a simulation time, on one thread, without making the physics wait."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.slot = SnapshotSlot()
        """The record that the loop reads and writes; for the physics thread."""
        self._slot = self.slot.record
        self._event = new_event()
        self._slot.event = self._event
        self._interrupted = self._waited_for = False

    def interrupt(self) -> None:
        """Ends the present wait, or else the next one; any thread may call this."""
        self._interrupted = True
        os.eventfd_write(self._event, 1)

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called on the physics thread when the loop has another model or other data."""

    def restart(self) -> None:
        """Is called on the physics thread when an epoch begins: no earlier `due` counts."""
        self._slot.due = _AT_ONCE

    def ask(self, *, due: float = _AT_ONCE, epoch: int | None = None) -> None:
        """Asks for the first moment at or after the simulation time `due`.

        Given an `epoch`, `due` counts only in that: after a reset the first moment comes at once.
        A request stands until it is served and waited for. To ask again before that only changes
        `due`, so no moment is lost that came when a wait was just over.
        """
        slot = self._slot
        slot.due = _AT_ONCE if epoch not in (None, self._loop.record.epoch) else due
        if slot.asked == slot.served and not self._waited_for:
            slot.asked += 1
            self._waited_for = True
        if slot.due <= self._loop.record.time:  # otherwise a step comes first, and looks
            self._loop.wake()

    def wait(self, timeout_s: float) -> bool:
        """Waits for the moment that was asked for; False if it does not come in time.

        No moment comes while the physics thread is busy otherwise: with a load, or in a callback
        that blocks.
        """
        slot = self._slot
        deadline = time.monotonic() + timeout_s
        while slot.asked != slot.served:  # the event may be that of an earlier request
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


class SnapshotReceiver(TimeWaiter):
    """Receives snapshots: copies of the data.

    The physics loop makes a copy when it is asked: at the end of a step, or at once during a
    pause. That takes 2 us for a humanoid.
    """

    def __init__(self, loop: Loop) -> None:
        super().__init__(loop)
        self._current: tuple[mujoco.MjModel, mujoco.MjData, Any, Any] | None = None

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Is called on the physics thread when these are the data to copy from."""
        copy = self._loop.spare.copy(model, data)
        record = self._loop.record
        moment = np.array(
            [(record.epoch, record.steps, record.begin, record.ros_offset)], SAMPLE_TIME
        )
        passive = np.zeros(max(1, model.nv))
        self._slot.data, self._slot.sample_time = address_of(copy), moment.ctypes.data
        self._slot.passive = passive.ctypes.data
        self._current = (model, copy, moment, passive)

    def next(
        self, timeout_s: float, *, due: float = _AT_ONCE, epoch: int | None = None
    ) -> Snapshot | None:
        """Asks for a snapshot and waits for it; None if it does not come in time."""
        self.ask(due=due, epoch=epoch)
        return self.take(timeout_s)

    def take(self, timeout_s: float) -> Snapshot | None:
        """Waits for the snapshot that was asked for; None if it does not come in time."""
        if not self.wait(timeout_s) or self._current is None:
            return None
        model, data, moment, passive = self._current
        added = passive[: model.nv] if self._loop.record.passive else None
        epoch, steps, begin, ros_offset = moment[0].item()
        return Snapshot(model, data, epoch, steps, added, begin, ros_offset)
