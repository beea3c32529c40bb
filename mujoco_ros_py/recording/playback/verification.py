"""Repeats the steps of a recording, and compares each state with the recorded one, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from ...engine import CallbackTable, Point, calling, python_callback
from ...errors import RecordingError
from .. import INPUTS, OWN, RECORDER, RecordedRun, Section, set_actuators
from .recorded_models import recorded_model
from .row_steps import Comparison, RecordedRow, recorded_rows

_RK4 = int(mujoco.mjtIntegrator.mjINT_RK4)
_WITHIN_STEPS = {'control_callback', 'passive_callback', 'read_callback', 'write_callback'}


def verify(run: RecordedRun, tell: Callable[[float], object] = lambda share: None) -> Comparison:
    """Repeats each step with the recorded inputs, and compares the resulting states.

    No plugin runs: the recording has all inputs of a step, such as controls, applied forces, mocap
    poses, the passive forces of plugins, and the actuators that plugins change. `tell(share)` is
    called with the share of the file read so far.

    Raises RecordingError if the recording lacks the states or inputs of single steps.
    """
    comparison, repeated, before = Comparison(), None, None
    for row in recorded_rows(run, tell):
        if repeated is None or repeated.section is not row.section:
            _check(run, row.section)
            repeated = _RepeatedSteps(recorded_model(run, row.section), row.section)
        if row.follows(before):
            state = repeated.step(row)
            if not comparison.add(repeated.model, row, state, inputs=False):
                repeated.put(row)
        else:
            comparison.gaps += row.after_step
            repeated.put(row)
        before = row
    return comparison


def _check(run: RecordedRun, section: Section) -> None:
    """Raises RecordingError for a section that cannot be repeated."""
    if section.rate_hz:
        raise RecordingError(
            f'{run.path} has {section.rate_hz:g} states per second, but a verification needs the'
            ' state after each step (state_rate: 0.0)'
        )
    within = [
        each['name'] for each in section.plugins
        if each['type'] != RECORDER and _WITHIN_STEPS.intersection(each['callbacks'])
    ]  # fmt: skip
    if within and recorded_model(run, section).opt.integrator == _RK4:
        raise RecordingError(
            f'{run.path}: the integrator RK4 calls plugins ({", ".join(within)}) four times per'
            ' step, and only the results of the last call are recorded; use --plugins to run the'
            ' plugins again'
        )


class _RepeatedSteps:
    """Runs single steps with recorded inputs."""

    def __init__(self, model: mujoco.MjModel, section: Section) -> None:
        self.model, self.section = model, section
        self._data = mujoco.MjData(model)
        self._own = np.zeros(section.shape.own)
        self._passive: Any = ()
        self._table = CallbackTable([python_callback(Point.PASSIVE, self._act)])

    def put(self, row: RecordedRow) -> None:
        """Sets the state of a row, before the next step."""
        self.section.put(self.model, self._data, row.numbers)

    def step(self, row: RecordedRow) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Runs the step that leads to a row, and returns its results."""
        mujoco.mj_setState(self.model, self._data, row.inputs, INPUTS)
        if len(row.actuators):
            set_actuators(self.model, row.actuators)
        self._passive = row.passive
        with calling(self._data, self._table):
            mujoco.mj_step(self.model, self._data)
        mujoco.mj_getState(self.model, self._data, self._own, OWN)
        return self._own

    def _act(self) -> None:
        """Applies the recorded passive forces, if any."""
        if len(self._passive):
            self._data.qfrc_passive[:] = self._passive
