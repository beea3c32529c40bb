"""Prepares models for the physics thread: does as much work as possible on other threads."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import mujoco

from ..engine import SpareData
from ..engine_faults import avoid_faults
from .models.compilation import try_out
from .models.initial_state import InitialState
from .models.object_keys import ObjectKeys
from .states.layout import StateLayout, state_layout
from .states.transfer import StateTransfer
from .states.tuned_values import TunedValues

if TYPE_CHECKING:
    from .running_model import RunningModel

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PreparedModel:
    """A model with freshly reset data, and information about the model that commands need."""

    model: mujoco.MjModel
    data: mujoco.MjData
    tuned: TunedValues
    """The tunable values of the model, as compiled."""
    keys: ObjectKeys
    """The keys of the model's objects, to find the same objects in another model."""
    avoided: tuple[str, ...] = ()
    """A message for each MuJoCo fault that a change of the model's options works around."""

    @cached_property
    def layout(self) -> StateLayout:
        """The layout of the model's state, computed on first use."""
        return state_layout(self.model)


def prepare(
    model: mujoco.MjModel,
    initial: InitialState | None = None,
    before: PreparedModel | None = None,
) -> PreparedModel:
    """Creates the data for a model, and tries a forward pass from the initial state.

    Runs on the calling thread. Changes options of the model to work around known MuJoCo faults,
    and logs a warning for each fault unless the model `before` was affected too. Raises ModelError
    if the forward pass fails, or if options or accelerations are not finite.
    """
    avoided = tuple(avoid_faults(model))
    for sentence in avoided:
        if before is None or sentence not in before.avoided:
            _log.warning('%s', sentence)
    tuned = TunedValues(model)
    data = try_out(model, initial or InitialState())
    mujoco.mj_resetData(model, data)
    return PreparedModel(model, data, tuned, ObjectKeys(model), avoided)


_STEP_S = 1e-4
"""The duration of a small model's step, including the wake-up of its thread, in seconds."""
_LONGEST_S = 0.01
"""The longest wait for a step, in seconds."""


@dataclass(frozen=True, slots=True)
class PreparedChange:
    """A prepared switch from the running model to another model."""

    prepared: PreparedModel
    transfer: StateTransfer
    spare: SpareData
    """Preallocated data for receivers and feeds that keep copies."""


def prepare_change(running: RunningModel, model: mujoco.MjModel) -> PreparedChange:
    """Prepares a switch from the running model to `model`.

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
    """Waits for the next step if it is due soon. Must not be called on the physics thread.

    Work that starts right after a step can take a full period before it delays the next step.
    """
    record = running.loop.record
    left_s = (record.deadline_ns - time.monotonic_ns()) * 1e-9
    if not record.paused and record.realtime > 0 and 0 < left_s < _LONGEST_S:
        time.sleep(left_s + _STEP_S)
