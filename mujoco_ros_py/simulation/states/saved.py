"""Saves and restores the whole state of a simulation: MuJoCo's part and that of each plugin."""

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
    """All that the next steps depend on; it can be pickled, and restored in another process.

    A saved state fits the models whose states have its layout, and contains no model. Neither does
    it contain the pause state, the real-time factor and the count of steps.
    """

    time: float
    """The simulation time in seconds."""
    integration: np.ndarray[Any, np.dtype[np.float64]]
    """MuJoCo's integration state (`mjSTATE_INTEGRATION`), as `mj_getState` returns it."""
    model: StateLayout
    """The layout of the state; it is restored only to a model whose state has the same layout."""
    plugins: Mapping[str, Any] = field(default_factory=dict)
    """What `save` of each plugin returned, by the name of the plugin."""


def save_state(
    model: mujoco.MjModel, data: mujoco.MjData, layout: StateLayout, plugins: Mapping[str, Any]
) -> SavedState:
    """Returns the state of these data, with these parts of plugins."""
    integration = np.zeros(mujoco.mj_stateSize(model, _INTEGRATION))
    mujoco.mj_getState(model, data, integration, _INTEGRATION)
    return SavedState(
        time=float(data.time), integration=integration, model=layout, plugins=plugins
    )


def check_model(model: mujoco.MjModel, layout: StateLayout, saved: SavedState) -> None:
    """Raises SimulationError for the state of another model, and for anything but a state."""
    if not isinstance(saved, SavedState):
        raise SimulationError(f'a saved state must come from save, got {type(saved).__name__}')
    if differences := unlike(saved.model, layout):
        raise SimulationError(f'the saved state is of another model: {", ".join(differences)}')
    size, came = mujoco.mj_stateSize(model, _INTEGRATION), saved.integration.size
    if came != size:
        raise SimulationError(f'the saved state must have {size} numbers, got {came}')


def restore_state(model: mujoco.MjModel, data: mujoco.MjData, saved: SavedState) -> None:
    """Writes MuJoCo's part into the data, without computing poses and forces.

    The state has to be that of the model: see `check_model`.
    """
    mujoco.mj_setState(model, data, saved.integration, _INTEGRATION)
