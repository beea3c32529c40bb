"""Saves and restores the state of a simulation: MuJoCo's part and the parts of plugins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ...errors import SimulationError
from .layout import STATE, StateLayout, unlike

_INTEGRATION = int(STATE)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SavedState:
    """Everything that the next steps depend on. It can be pickled and restored in another process.

    A saved state does not contain the model; it fits all models with the same layout. It does not
    contain the pause state, the real-time factor or the step count either.
    """

    time: float
    """The simulation time in seconds."""
    integration: np.ndarray[Any, np.dtype[np.float64]]
    """MuJoCo's integration state (`mjSTATE_INTEGRATION`), as `mj_getState` returns it."""
    model: StateLayout
    """The layout of the state. The state can only be restored to a model with the same layout."""
    plugins: Mapping[str, Any] = field(default_factory=dict)
    """The result of each plugin's `save`, by the name of the plugin."""


def save_state(
    model: mujoco.MjModel, data: mujoco.MjData, layout: StateLayout, plugins: Mapping[str, Any]
) -> SavedState:
    """Returns the state of the data, together with the parts of plugins."""
    integration = np.zeros(mujoco.mj_stateSize(model, _INTEGRATION))
    mujoco.mj_getState(model, data, integration, _INTEGRATION)
    return SavedState(
        time=float(data.time), integration=integration, model=layout, plugins=plugins
    )


def check_model(model: mujoco.MjModel, layout: StateLayout, saved: SavedState) -> None:
    """Raises SimulationError if `saved` is not a state, or is the state of another model."""
    if not isinstance(saved, SavedState):
        raise SimulationError(f'a saved state must come from save, got {type(saved).__name__}')
    if differences := unlike(saved.model, layout):
        raise SimulationError(
            f'the saved state belongs to another model: {", ".join(differences)}'
        )
    size, came = mujoco.mj_stateSize(model, _INTEGRATION), saved.integration.size
    if came != size:
        raise SimulationError(f'the saved state must have {size} numbers, got {came}')


def restore_state(model: mujoco.MjModel, data: mujoco.MjData, saved: SavedState) -> None:
    """Writes MuJoCo's part of the state into the data, without computing poses and forces.

    The state must fit the model; see `check_model`.
    """
    mujoco.mj_setState(model, data, saved.integration, _INTEGRATION)
