"""Finds the full state at a time in a recording, to continue the run from there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import mujoco
import numpy as np

from ...simulation import SavedState, state_layout
from .. import RECORDER, RecordedRun, Section
from .recorded_models import recorded_model
from .timeline import Timeline

_INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecordedMoment:
    """The recorded state at one time of a recording."""

    section: Section
    state: SavedState
    """MuJoCo's state at this time, with the newest earlier saved states of the plugins."""
    notes: tuple[str, ...] = ()
    """Notes about differences between `state` and the recorded run."""


def moment_at(run: RecordedRun, time_s: float, section: int | None = None) -> RecordedMoment:
    """Returns the first recorded state at or after a simulated time.

    `section` is the number of a section; by default, the last section that contains this time.
    Raises RecordingError if the recording does not contain the time or the section.
    """
    timeline = Timeline(run)
    row = timeline.row_at(time_s, section)
    model, saved = recorded_model(run, row.section), timeline.saved_before(row)
    data, integration = mujoco.MjData(model), np.zeros(mujoco.mj_stateSize(model, _INTEGRATION))
    row.section.put(model, data, row.numbers)
    mujoco.mj_getState(model, data, integration, _INTEGRATION)
    notes: tuple[str, ...] = ()
    if saved is None:
        notes = ('no saved state precedes this time: the plugins start from scratch',)
        saved = SavedState(time=0.0, integration=integration, model=state_layout(model))
    state = replace(without_recorder(saved, row.section), time=row.time, integration=integration)
    return RecordedMoment(section=row.section, state=state, notes=notes)


def without_recorder(saved: SavedState, section: Section) -> SavedState:
    """Returns a saved state without the part of the recorder, which is not run again."""
    recorders = {each['name'] for each in section.plugins if each['type'] == RECORDER}
    parts = {name: part for name, part in saved.plugins.items() if name not in recorders}
    return replace(saved, plugins=parts)
