"""Fills the messages of outlets on demand, from the data as they are now."""

from __future__ import annotations

import mujoco

from ..engine import Outlet, SampleRing, SpareData
from .running_model import RunningModel


class MomentReader:
    """Has outlets fill a message each, of the present moment; on the thread that has the data."""

    def __init__(self, running: RunningModel) -> None:
        self._running = running
        self._moments: dict[Outlet, SampleRing] = {}
        self._copy = _SharedCopy()

    def read(self, outlet: Outlet) -> bool:
        """Fills the message of an outlet; returns whether it would have been sent.

        Raises SimulationError while no model is loaded.
        """
        model, data = self._running.loaded()
        moment, loop = self._moments.get(outlet), self._running.loop
        if moment is None:
            place = loop.run_arguments[0]
            moment = SampleRing(place, model, data, [outlet], 0.0, capacity=1, spare=self._copy)
            self._moments[outlet] = moment
        sent = outlet.record.published
        moment.send_now(model, data, loop.passive_forces(), loop.record.ros_offset)
        return bool(outlet.record.published != sent)

    def forget(self, outlet: Outlet) -> None:
        """Frees what filling the message of an outlet has needed."""
        self._moments.pop(outlet, None)

    def adopt(self) -> None:
        """Is called when the loop has another model or other data."""
        self._moments, self._copy = {}, _SharedCopy()


class _SharedCopy(SpareData):
    """The one copy of the data that all moments of a model use, one after the other."""

    def __init__(self) -> None:
        super().__init__()
        self._copy: mujoco.MjData | None = None

    def copy(self, model: mujoco.MjModel, data: mujoco.MjData) -> mujoco.MjData:
        """Returns the copy, whose content is that of another moment."""
        if self._copy is None:
            self._copy = mujoco.MjData(model)
        return self._copy
