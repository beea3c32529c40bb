"""A change to another model, with all that can be made of it beside the physics."""

from __future__ import annotations

import time
from dataclasses import dataclass

import mujoco

from ..engine import SpareData
from .models.object_keys import ObjectKeys
from .prepared_model import PreparedModel, prepare
from .running_model import RunningModel
from .state_transfer import StateTransfer

_STEP_S = 1e-4
"""What a step of a small model takes, with the wake of the thread that makes it, in seconds."""
_LONGEST_S = 0.01
"""The longest wait for a step, in seconds."""


@dataclass(frozen=True, slots=True)
class PreparedChange:
    """The model that is to run, and what takes over from the one that runs."""

    prepared: PreparedModel
    transfer: StateTransfer
    spare: SpareData
    """Data for those who keep copies."""


def prepare_change(running: RunningModel, model: mujoco.MjModel) -> PreparedChange:
    """Prepares a change of what runs to this model.

    Raises SimulationError while no model is loaded, and ModelError as `prepare` does.
    """
    known, (before, _) = running.prepared, running.loaded()
    prepared = prepare(model, before=known)
    keys = ObjectKeys(before)
    if known is not None and known.model is before:
        keys = known.keys
    transfer = StateTransfer(keys, prepared.keys)
    return PreparedChange(prepared, transfer, SpareData(model, running.copies))


def await_step(running: RunningModel) -> None:
    """Waits for the next step if it is due soon; not for the physics thread.

    What begins right after a step has a whole period before the next one is late.
    """
    record = running.loop.record
    left_s = (record.deadline_ns - time.monotonic_ns()) * 1e-9
    if not record.paused and record.realtime > 0 and 0 < left_s < _LONGEST_S:
        time.sleep(left_s + _STEP_S)
