"""Copies of the data for other threads, made by the physics loop on request."""

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
    """The model and the data at one time, valid until the receiver asks for the next snapshot.

    A step of MuJoCo only updates `qpos`, `qvel`, `act` and `time`. Poses, velocities of bodies,
    forces and sensors keep their values from before the step. `update` and `sensors` bring them up
    to date in the copy; repeated calls cost nothing. Use a snapshot on one thread only.
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
        """A number that changes with every load, reset and jump of the time, forward or back."""
        self.steps = steps
        """The number of steps since the model was loaded."""
        self.begin = begin
        """The start time of the epoch in s. Periods are counted from this time."""
        self.ros_offset = ros_offset
        """The ROS time minus the simulation time, in s."""
        self._passive = passive
        """The forces last added by passive callbacks, which are not called for a copy."""
        self._poses = self._sensors = False

    @property
    def time(self) -> float:
        """The simulation time in seconds."""
        return float(self.data.time)

    @property
    def ros_time(self) -> float:
        """The ROS time in seconds, as used in stamps."""
        return self.time + self.ros_offset

    def update(self) -> None:
        """Brings poses and velocities (`xpos`, `site_xmat`, `cvel` and so on) up to date."""
        if not self._poses:
            for bring_up_to_date in _UPDATES:
                bring_up_to_date(self.model, self.data)
            self._poses = True

    def sensors(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Returns up-to-date `sensordata`: a view, valid as long as the snapshot.

        Runs a forward pass on the copy, which also updates poses, contacts, accelerations and
        forces. Plugins are not called: controls, applied forces, the forces of passive callbacks
        and the values of user sensors are those of the last evaluation.
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
        data.flg_energyvel = False  # otherwise MuJoCo takes the kinetic energy as up to date
        passive = 0.0 if self._passive is None else self._passive
        applied = data.qfrc_applied.copy()
        data.qfrc_applied += passive
        with without_program_callbacks():
            mujoco.mj_forward(self.model, data)
        data.qfrc_applied[:] = applied
        data.qfrc_passive += passive


def _values_of_user_sensors(model: mujoco.MjModel) -> list[int]:
    """Returns the indices in `sensordata` of user sensors that a forward pass would clear.

    Empty if a callback computes user sensors.
    """
    if callback_pointer('mjcb_sensor').value is not None:
        return []
    sensors = np.flatnonzero(model.sensor_type == int(mujoco.mjtSensor.mjSENS_USER))
    starts, counts = model.sensor_adr[sensors], model.sensor_dim[sensors]
    return [start + k for start, count in zip(starts, counts, strict=True) for k in range(count)]


class SnapshotReceiver:
    """Receives snapshots (copies of the data).

    The physics loop makes a copy on request: at the end of a step, or immediately during a pause.
    For a humanoid this takes 2 us. Use a receiver on one thread only.
    """

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self.slot = SnapshotSlot()
        """The record shared with the loop; only the physics thread may use it."""
        self._slot = self.slot.record
        self._event = new_event()
        self._slot.event = self._event
        self._interrupted = self._waited_for = False
        self._current: tuple[mujoco.MjModel, mujoco.MjData, Any, Any] | None = None

    def interrupt(self) -> None:
        """Ends the current wait, or the next one if no thread waits. Any thread may call this."""
        self._interrupted = True
        os.eventfd_write(self._event, 1)

    def adopt(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Called on the physics thread when the model or the data to copy from are replaced."""
        copy = self._loop.spare.copy(model, data)
        record = self._loop.record
        moment = np.array(
            [(record.epoch, record.steps, record.begin, record.ros_offset)], SAMPLE_TIME
        )
        passive = np.zeros(max(1, model.nv))
        self._slot.data, self._slot.sample_time = address_of(copy), moment.ctypes.data
        self._slot.passive = passive.ctypes.data
        self._current = (model, copy, moment, passive)

    def restart(self) -> None:
        """Called on the physics thread when an epoch begins; makes an open request due now."""
        self._slot.due = _AT_ONCE

    def ask(self, *, due: float = _AT_ONCE, epoch: int | None = None) -> None:
        """Requests the first state at or after the simulation time `due`.

        With `epoch`, `due` applies only to this epoch: in a later epoch, the first state is
        returned. A request stays open until `wait` has returned its state. Asking again before
        that only changes `due`, so a state that arrives just after a time-out is not lost.
        """
        slot = self._slot
        slot.due = _AT_ONCE if epoch not in (None, self._loop.record.epoch) else due
        if slot.asked == slot.served and not self._waited_for:
            slot.asked += 1
            self._waited_for = True
        if slot.due <= self._loop.record.time:  # otherwise a later step checks the request
            self._loop.wake()

    def wait(self, timeout_s: float) -> bool:
        """Waits for the requested state; returns False if it does not come in time.

        Requests are not served during a load, or while a callback blocks the physics thread.
        """
        slot = self._slot
        deadline = time.monotonic() + timeout_s
        while slot.asked != slot.served:  # the event may belong to an earlier request
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

    def next(
        self, timeout_s: float, *, due: float = _AT_ONCE, epoch: int | None = None
    ) -> Snapshot | None:
        """Requests a snapshot and waits for it; returns None if it does not come in time."""
        self.ask(due=due, epoch=epoch)
        return self.take(timeout_s)

    def take(self, timeout_s: float) -> Snapshot | None:
        """Waits for the requested snapshot; returns None if it does not come in time."""
        if not self.wait(timeout_s) or self._current is None:
            return None
        model, data, moment, passive = self._current
        added = passive[: model.nv] if self._loop.record.passive else None
        epoch, steps, begin, ros_offset = moment[0].item()
        return Snapshot(model, data, epoch, steps, added, begin, ros_offset)

    def __del__(self) -> None:
        os.close(self._event)
