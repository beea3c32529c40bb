"""A change to another model, with all that can be made of it beside the physics."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from ..engine import SpareData
from .models.object_keys import ObjectKeys
from .prepared_model import PreparedModel, prepare
from .running_model import RunningModel
from .state_transfer import StateTransfer


@dataclass(frozen=True, slots=True)
class PreparedChange:
    """The model that is to run, and what takes over from the one that runs."""

    prepared: PreparedModel
    transfer: StateTransfer
    spare: SpareData
    """Data for those who keep copies."""


def prepare_change(
    running: RunningModel, known: PreparedModel | None, model: mujoco.MjModel
) -> PreparedChange:
    """Prepares a change of what runs to this model; `known` may have the keys of what runs.

    Raises SimulationError while no model is loaded, and ModelError as `prepare` does.
    """
    before, _ = running.loaded()
    prepared = prepare(model)
    keys = ObjectKeys(before)
    if known is not None and known.model is before:
        keys = known.keys
    transfer = StateTransfer(keys, prepared.keys)
    return PreparedChange(prepared, transfer, SpareData(model, running.copies))
