"""The states with which worlds begin an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import mujoco
import numpy as np

from ..config.wording import shown
from ..errors import ConfigError
from ..simulation import DataBefore, InitialState

Array = np.ndarray[Any, np.dtype[Any]]
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""The signature of the state that can be recorded, and that worlds can begin with."""
_FIELDS = ('qpos', 'qvel', 'act')


@dataclass(frozen=True, kw_only=True, slots=True)
class StartState(InitialState):
    """Numbers to begin with, besides joint values by name, which are written first."""

    numbers: Mapping[str, Array] = field(default_factory=dict)
    """The whole `state`, or arrays of the data by name."""

    def apply(
        self, model: mujoco.MjModel, data: mujoco.MjData, before: DataBefore = 'start'
    ) -> list[str]:
        """Writes the joint states, and then the numbers as they are; returns what `apply` does."""
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
    """Returns the arrays that are given, each with a row for each of `count` worlds.

    Raises ConfigError for an array of another shape, and for numbers that are not finite.
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
                f'{name} must have the shape {shapes[0]}, or {shapes[1]} with a row for each world'
                f' that is reset, got {array.shape}'
            )
        if not np.isfinite(array).all():
            raise ConfigError(f'{name} must have finite numbers only')
        arrays[name] = np.broadcast_to(array, shapes[1])
    return arrays


def start_state(joints: InitialState, arrays: Mapping[str, Array], row: int) -> StartState:
    """Returns joint values by name with one row of arrays."""
    numbers = {name: array[row] for name, array in arrays.items()}
    return StartState(positions=joints.positions, velocities=joints.velocities, numbers=numbers)


def chosen_worlds(worlds: int | Iterable[int] | Array | None, count: int) -> list[int]:
    """Returns the numbers of the worlds that are meant: by their numbers, by booleans, or all.

    Raises ConfigError for a world that is not there.
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
