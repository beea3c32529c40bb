"""Saves and restores the whole state of a simulation: MuJoCo's part and that of each plugin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ..errors import SimulationError

_INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SavedState:
    """All that the next steps depend on; it can be pickled, and restored in another process.

    A saved state belongs to one model, but does not contain it. Neither does it contain the pause
    state, the real-time factor and the count of steps.
    """

    time: float
    """The simulation time in seconds."""
    integration: np.ndarray[Any, np.dtype[np.float64]]
    """MuJoCo's integration state (`mjSTATE_INTEGRATION`), as `mj_getState` returns it."""
    model: Mapping[str, int]
    """The sizes of the model by name; a state is restored only to a model with the same sizes."""
    plugins: Mapping[str, Any] = field(default_factory=dict)
    """What `save` of each plugin returned, by the name of the plugin."""


def save_state(
    model: mujoco.MjModel, data: mujoco.MjData, plugins: Mapping[str, Any]
) -> SavedState:
    """Returns the state of these data, with these parts of plugins."""
    integration = np.zeros(mujoco.mj_stateSize(model, _INTEGRATION))
    mujoco.mj_getState(model, data, integration, _INTEGRATION)
    return SavedState(
        time=float(data.time), integration=integration, model=_sizes(model), plugins=plugins
    )


def restore_state(model: mujoco.MjModel, data: mujoco.MjData, saved: SavedState) -> None:
    """Writes MuJoCo's part into the data, without computing poses and forces.

    Raises SimulationError, and writes nothing, for a state of another model.
    """
    here = _sizes(model)
    unlike = [
        f'{name} is {saved.model.get(name)} there and {size} here'
        for name, size in here.items()
        if saved.model.get(name) != size
    ]
    if unlike:
        raise SimulationError(f'the saved state is of another model: {", ".join(unlike)}')
    mujoco.mj_setState(model, data, saved.integration, _INTEGRATION)


def _sizes(model: mujoco.MjModel) -> dict[str, int]:
    names = ('nq', 'nv', 'na', 'nu', 'nbody', 'nmocap', 'neq', 'nuserdata', 'npluginstate')
    sizes = {name: int(getattr(model, name)) for name in names}
    return {**sizes, 'integration': mujoco.mj_stateSize(model, _INTEGRATION)}
