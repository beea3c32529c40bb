"""A model that is ready for the physics thread, with all that can be made of it beforehand."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property

import mujoco

from ..engine_faults import avoid_faults
from .models.compilation import try_out
from .models.initial_state import InitialState
from .models.object_keys import ObjectKeys
from .state_layout import StateLayout, state_layout
from .tuned_values import TunedValues

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
