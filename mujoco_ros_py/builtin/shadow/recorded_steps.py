"""Records the last seconds of the simulation: its states and controls."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...plugins import State, new_state
from ...plugins.compiled_code import Memory, inlined, numbers_at

Array = np.ndarray[Any, np.dtype[np.float64]]
_KEPT_S = 4.0
_MOST = 20_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Steps:
    """Successive steps; each row has the state after a step, and the controls during it."""

    times: Array
    qpos: Array
    qvel: Array
    act: Array
    ctrl: Array
    applied: Array
    """The forces `qfrc_applied`."""

    def row_at(self, time: float) -> int:
        """Returns the step that contains a time, or the closest step."""
        return min(int(np.searchsorted(self.times, time)), len(self.times) - 1)


class RecordedSteps:
    """A ring of rows that compiled code writes. All methods are for the physics thread."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._sizes = 1, model.nq, model.nv, model.na, model.nu, model.nv
        self._capacity = min(math.ceil(_KEPT_S / model.opt.timestep), _MOST)
        self._step_s = model.opt.timestep
        self._rows = np.zeros((self._capacity, sum(self._sizes)))
        self.state = new_state(
            count=0,
            capacity=self._capacity,
            width=self._rows.shape[1],
            rows=Memory(self._rows.reshape(-1)),
        )

    def clear(self) -> None:
        """Forgets all steps."""
        self.state.count = 0

    def between(self, begin: float, end: float) -> Steps | None:
        """Returns copies of the steps around a part of the time; None if steps are missing."""
        order = self._order()
        times = self._rows[order, 0]
        if not len(times) or times[0] > begin or times[-1] < end - self._step_s:
            return None
        first = max(int(np.searchsorted(times, begin)) - 1, 0)
        last = int(np.searchsorted(times, end)) + 1
        parts = np.split(self._rows[order[first : last + 1]], np.cumsum(self._sizes)[:-1], axis=1)
        times, *others = parts
        return Steps(
            times=times[:, 0],
            **dict(zip(('qpos', 'qvel', 'act', 'ctrl', 'applied'), others, strict=True)),
        )

    def correct(
        self, data: mujoco.MjData, time: float, places: Any, values: Array, gain: float
    ) -> None:
        """Moves the state towards a state measured at a past time.

        `places` are indices into the concatenated positions and velocities. The difference to the
        state at that time is added to the current state, and to the steps since.
        """
        order = self._order()
        times = self._rows[order, 0]
        later = np.flatnonzero(times >= time)
        if len(times) and times[0] > time:
            return
        then = np.concatenate([data.qpos, data.qvel])[places]
        if len(later) and later[0]:
            before, after = self._rows[order[later[0] - 1 : later[0] + 1]]
            part = (time - before[0]) / (after[0] - before[0])
            then = (before + part * (after - before))[1 + places]
        shift = gain * (values - then)
        rows = order[later]
        self._rows[np.ix_(rows, 1 + places)] += shift
        positions = places < data.qpos.size
        data.qpos[places[positions]] += shift[positions]
        data.qvel[places[~positions] - data.qpos.size] += shift[~positions]

    def _order(self) -> Any:
        """Returns the indices of the rows, oldest first."""
        count = int(self.state.count)
        kept = min(count, self._capacity)
        return np.arange(count - kept, count) % self._capacity


@inlined
def record_step(state: State, data: mujoco.MjData) -> None:
    """Appends the state and the controls of a step."""
    rows = numbers_at(state.rows, state.capacity * state.width)
    at = (state.count % state.capacity) * state.width
    rows[at] = data.time
    at += 1
    for k in range(len(data.qpos)):
        rows[at + k] = data.qpos[k]
    at += len(data.qpos)
    for k in range(len(data.qvel)):
        rows[at + k] = data.qvel[k]
    at += len(data.qvel)
    for k in range(len(data.act)):
        rows[at + k] = data.act[k]
    at += len(data.act)
    for k in range(len(data.ctrl)):
        rows[at + k] = data.ctrl[k]
    at += len(data.ctrl)
    for k in range(len(data.qfrc_applied)):
        rows[at + k] = data.qfrc_applied[k]
    state.count += 1
