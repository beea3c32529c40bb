"""Runs a recording's plugins again, and compares their results and the results of the steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from ...session import Session
from ...session.content import PluginList
from ...simulation import Loan, SavedState
from .. import INPUTS, OWN, RecordedRun
from .recorded_moment import without_recorder
from .recorded_session import session_of
from .row_steps import Comparison, RecordedRow, recorded_rows
from .timeline import saved_place


def verify_with_plugins(
    run: RecordedRun,
    tell: Callable[[float], object] = lambda share: None,
    *,
    plugins: PluginList | None = None,
) -> Comparison:
    """Runs each section again with its plugins, from its first saved state, without ROS.

    The comparison of a section stops at its first difference, because all later states differ too.
    A section is equal only if its plugins received no commands from outside. Raises RecordingError
    for a missing plugin.
    """
    starts = _first_saved(run)
    comparison, repeated = Comparison(), None
    try:
        for row in recorded_rows(run, tell):
            if repeated is None or repeated.number != row.section.number:
                if repeated is not None:
                    repeated.close()
                repeated = _RepeatedSection(run, row, starts, comparison, plugins)
            repeated.take(row)
    finally:
        if repeated is not None:
            repeated.close()
    return comparison


def _first_saved(run: RecordedRun) -> dict[int, tuple[int, SavedState]]:
    """Returns the first saved state of each section, with the number of steps before it."""
    found: dict[int, tuple[int, SavedState]] = {}
    for saved in run.saved_states():
        if (place := saved_place(run, saved)) is not None:
            section, steps = place
            found.setdefault(section, (steps, saved))
    return found


class _RepeatedSection:
    """Runs one section again in a session."""

    def __init__(
        self,
        run: RecordedRun,
        row: RecordedRow,
        starts: Any,
        comparison: Comparison,
        plugins: PluginList | None,
    ) -> None:
        self.number = row.section.number
        self._comparison = comparison
        self._session: Session | None = None
        self._loan: Loan | None = None
        self._before: RecordedRow | None = None
        if self.number not in starts:
            comparison.notes.append(f'section {self.number} has no saved state to start from')
            return
        self._steps, saved = starts[self.number]
        self._session, problems = session_of(run, row.section, plugins)
        problems += self._session.restore(without_recorder(saved, row.section))
        comparison.notes += [f'section {self.number}: {problem}' for problem in problems]
        self._loan = self._session.lend()

    def take(self, row: RecordedRow) -> None:
        """Runs the step that leads to this row, and compares the result with the row."""
        loan = self._loan
        if loan is None or row.steps < self._steps:
            self._comparison.gaps += row.after_step
            return
        if row.follows(self._before) or (row.after_step and row.steps == self._steps + 1):
            loan.step()
            state = loan.call(_state)
            model = loan.call(lambda model, data: model)
            if not self._comparison.add(model, row, state, inputs=True):
                self._comparison.notes.append(
                    f'section {self.number}: stopped at {row.time:.6g} s, at the first difference'
                )
                self.close()
                return
        else:
            loan.call(lambda model, data: row.section.put(model, data, row.numbers))
        self._before = row

    def close(self) -> None:
        """Ends the session."""
        if self._loan is not None:
            self._loan.close()
            self._loan = None
        if self._session is not None:
            self._session.close()
            self._session = None


def _state(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Returns the results of a step, followed by its inputs."""
    own = np.zeros(mujoco.mj_stateSize(model, OWN))
    inputs = np.zeros(mujoco.mj_stateSize(model, INPUTS))
    mujoco.mj_getState(model, data, own, OWN)
    mujoco.mj_getState(model, data, inputs, INPUTS)
    return np.concatenate([own, inputs])
