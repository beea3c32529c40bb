"""A model that is ready for the physics thread, with all that can be made of it beforehand."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from .models.compilation import try_out
from .models.initial_state import InitialState
from .state_layout import StateLayout, state_layout
from .tuned_values import TunedValues


@dataclass(frozen=True, slots=True)
class PreparedModel:
    """A model with data that have just been reset, and what commands need to know of it."""

    model: mujoco.MjModel
    data: mujoco.MjData
    layout: StateLayout
    """The layout of the model's state."""
    tuned: TunedValues
    """The values of the model as it was compiled."""


def prepare(model: mujoco.MjModel, initial: InitialState | None = None) -> PreparedModel:
    """Makes data for a model beside the physics, and tries a forward pass from the initial state.

    Raises ModelError for a model that cannot make it, or has options or an acceleration that are
    no numbers.
    """
    tuned, layout = TunedValues(model), state_layout(model)
    data = try_out(model, initial or InitialState())
    mujoco.mj_resetData(model, data)
    return PreparedModel(model, data, layout, tuned)
