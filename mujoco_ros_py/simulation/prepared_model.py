"""A model that is ready for the physics thread, with all that can be made of it beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco

from .models.compilation import try_out
from .models.initial_state import InitialState
from .models.object_keys import ObjectKeys
from .state_layout import StateLayout, state_layout
from .tuned_values import TunedValues


@dataclass(frozen=True)
class PreparedModel:
    """A model with data that have just been reset, and what commands need to know of it."""

    model: mujoco.MjModel
    data: mujoco.MjData
    tuned: TunedValues
    """The values of the model as it was compiled."""
    keys: ObjectKeys
    """The keys of the model's objects, by which another model finds them again."""

    @cached_property
    def layout(self) -> StateLayout:
        """The layout of the model's state, made when it is needed for the first time."""
        return state_layout(self.model)


def prepare(model: mujoco.MjModel, initial: InitialState | None = None) -> PreparedModel:
    """Makes data for a model beside the physics, and tries a forward pass from the initial state.

    Raises ModelError for a model that cannot make it, or has options or an acceleration that are
    no numbers.
    """
    tuned = TunedValues(model)
    data = try_out(model, initial or InitialState())
    mujoco.mj_resetData(model, data)
    return PreparedModel(model, data, tuned, ObjectKeys(model))
