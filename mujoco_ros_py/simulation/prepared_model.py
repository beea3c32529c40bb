"""Models that are ready for the physics thread, with all that can be made of them beforehand."""

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
    """A model with data that have just been reset, and what commands need to know of it."""

    model: mujoco.MjModel
    data: mujoco.MjData
    tuned: TunedValues
    """The values of the model as it was compiled."""
    keys: ObjectKeys
    """The keys of the model's objects, by which another model finds them again."""
    avoided: tuple[str, ...] = ()
    """The faults of MuJoCo that the model's options were changed for, each as a sentence."""

    @cached_property
    def layout(self) -> StateLayout:
        """The layout of the model's state, made when it is needed for the first time."""
        return state_layout(self.model)


def prepare(
    model: mujoco.MjModel,
    initial: InitialState | None = None,
    before: PreparedModel | None = None,
) -> PreparedModel:
    """Makes data for a model beside the physics, and tries a forward pass from the initial state.

    Changes options that a known fault of MuJoCo makes wrong, with a warning, unless the model
    `before` had the same fault. Raises ModelError for a model that cannot make the pass, or has
    options or an acceleration that are no numbers.
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
