"""The initial states of worlds after a reset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ...config.wording import shown
from ...errors import ConfigError
from ...simulation import DataBefore, InitialState

Array = np.ndarray[Any, np.dtype[Any]]
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""MuJoCo's signature of the state that can be recorded and restored."""
_FIELDS = ('qpos', 'qvel', 'act')


@dataclass(frozen=True, kw_only=True, slots=True)
class StartState(InitialState):
    """Initial joint states by name, overridden by arrays of the data or a full state."""

    numbers: Mapping[str, Array] = field(default_factory=dict)
    """Arrays of MjData by name, or the full `state`."""

    def apply(
        self, model: mujoco.MjModel, data: mujoco.MjData, before: DataBefore = 'start'
    ) -> list[str]:
        """Writes the joint states, then the arrays; returns the problems with the joint states."""
        problems = InitialState.apply(self, model, data, before)
        for name, numbers in self.numbers.items():
            if name == 'state':
                mujoco.mj_setState(model, data, numbers, STATE)
            else:
                getattr(data, name)[:] = numbers
        return problems


def start_arrays(
    model: mujoco.MjModel, count: int, given: Mapping[str, object]
) -> dict[str, Array]:
    """Returns the given arrays, each broadcast to one row for each of `count` worlds.

    Raises ConfigError for an array of another shape, and for non-finite numbers.
    """
    sizes = {'state': mujoco.mj_stateSize(model, STATE)}
    sizes |= {'qpos': model.nq, 'qvel': model.nv, 'act': model.na}
    arrays = {}
    for name in ('state', *_FIELDS):
        if given.get(name) is None:
            continue
        array = np.asarray(given[name], float)
        shapes = (sizes[name],), (count, sizes[name])
        if array.shape not in shapes:
            raise ConfigError(
                f'{name} must have the shape {shapes[0]}, or {shapes[1]} with one row for each'
                f' world that is reset, got {array.shape}'
            )
        if not np.isfinite(array).all():
            raise ConfigError(f'{name} must have finite numbers only')
        arrays[name] = np.broadcast_to(array, shapes[1])
    return arrays


def start_state(joints: InitialState, arrays: Mapping[str, Array], row: int) -> StartState:
    """Returns the start state of one world: the joint states, and one row of the arrays."""
    numbers = {name: array[row] for name, array in arrays.items()}
    return StartState(positions=joints.positions, velocities=joints.velocities, numbers=numbers)


def chosen_worlds(worlds: int | Iterable[int] | Array | None, count: int) -> list[int]:
    """Returns the indices of the chosen worlds; None chooses all.

    Raises ConfigError for an unknown world.
    """
    if worlds is None:
        return list(range(count))
    if isinstance(worlds, int | np.integer):
        worlds = [int(worlds)]
    array = np.asarray(worlds if isinstance(worlds, np.ndarray) else list(worlds))
    if array.dtype == np.bool_ and array.shape == (count,):
        return [int(world) for world in np.flatnonzero(array)]
    is_numbers = array.ndim == 1 and (array.dtype.kind in 'iu' or not array.size)
    if not is_numbers or not all(0 <= world < count for world in array.tolist()):
        raise ConfigError(
            f'worlds must be numbers from 0 to {count - 1}, or {count} booleans, got'
            f' {shown(worlds)}'
        )
    return [int(world) for world in array]
