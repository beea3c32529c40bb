"""Checks saved states from other sources before they are restored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...config.wording import listed, shown
from ...errors import ConfigError, SimulationError
from ...mujoco_internals import HISTORY_HEAD
from .layout import STATE
from .number_types import packed_type
from .saved import SavedState

_State = mujoco.mjtState
_FREE = _State.mjSTATE_USERDATA, _State.mjSTATE_PLUGIN
"""The parts of a state whose numbers need not be finite."""
_LATEST = float(2**31)
"""The simulation time in s at which the time stamps of ROS overflow."""


def check_state(model: mujoco.MjModel, saved: SavedState) -> None:
    """Raises SimulationError if MuJoCo cannot continue with the numbers of the state.

    Check first, with `check_model`, that the state has the layout of the model.
    """
    for part, numbers in _parts(model, saved.integration):
        name = part.name.removeprefix('mjSTATE_').lower()
        if part not in _FREE and not np.isfinite(numbers).all():
            first = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise SimulationError(
                f'{name} of the saved state must be finite, got {numbers[first]} at {first}'
            )
        if part == _State.mjSTATE_TIME and not abs(numbers[0]) < _LATEST:
            raise SimulationError(
                'time of the saved state must be between -2147483648 and 2147483648 s,'
                f' got {numbers[0]:g} s'
            )
        if part == _State.mjSTATE_EQ_ACTIVE and not np.isin(numbers, (0.0, 1.0)).all():
            raise SimulationError(f'{name} of the saved state must be 0 or 1, got {numbers}')
        if part == _State.mjSTATE_HISTORY:
            _check_histories(model, numbers)


def check_alike(saved: Any, now: Any, place: str = '') -> None:
    """Raises ConfigError if a saved value differs in structure from the current value `now`.

    Types, keys, lengths, shapes and numeric types must be equal. The error says where they differ.
    """
    where = place or 'the value'
    if isinstance(now, np.ndarray | np.generic):
        _check_array(saved, now, where)
    elif type(saved) is not type(now):
        raise ConfigError(f'{where} must be {_kind(now)}, got {_kind(saved)}')
    elif isinstance(now, Mapping):
        if set(saved) != set(now):
            other = listed([str(key) for key in saved])
            raise ConfigError(f'{where} must have {listed([str(k) for k in now])}, got {other}')
        for key, each in now.items():
            check_alike(saved[key], each, f'{place}[{shown(key)}]')
    elif isinstance(now, tuple | list):
        if len(saved) != len(now):
            raise ConfigError(f'{where} must have {len(now)} elements, got {len(saved)}')
        for index, (one, other) in enumerate(zip(saved, now, strict=True)):
            check_alike(one, other, f'{place}[{index}]')


def check_places(saved: Any, now: Any, places: Sequence[str]) -> None:
    """Raises ConfigError if the named fields of a saved record differ from the current record.

    The name `rows.joint` refers to the field `joint` of each row in the field `rows`.
    """
    for name in places:
        one, other = saved, now
        for part in name.split('.'):
            one, other = one[part], other[part]
        if not np.array_equal(one, other):
            told = shown(np.asarray(one).tolist())
            raise ConfigError(f'{name} must be {shown(np.asarray(other).tolist())}, got {told}')


def _check_array(saved: Any, now: Any, where: str) -> None:
    if isinstance(saved, np.ndarray) != isinstance(now, np.ndarray) or not isinstance(
        saved, np.ndarray | np.generic
    ):
        raise ConfigError(f'{where} must be {_kind(now)}, got {_kind(saved)}')
    if saved.shape != now.shape:
        raise ConfigError(f'{where} must have the shape {now.shape}, got {saved.shape}')
    if (there := packed_type(saved.dtype)) != (here := packed_type(now.dtype)):
        if there.names is None or here.names is None:
            raise ConfigError(f'{where} must have numbers of {here}, got {there}')
        raise ConfigError(f'{where} must be a record with {_field(here, there)}')


def _field(here: Any, there: Any) -> str:
    """Describes the first field that differs between two record types."""
    for name in here.names:
        if name not in there.names:
            return f'a field {name}, which is missing'
        if here[name] != there[name]:
            return f'a field {name} of {shown(str(here[name]))}, got {shown(str(there[name]))}'
    return f'the fields {listed(here.names)} in this order, got {listed(there.names)}'


def _kind(value: Any) -> str:
    return 'None' if value is None else f'of the type {type(value).__name__}'


def _parts(model: mujoco.MjModel, integration: Any) -> Iterator[tuple[Any, Any]]:
    """Yields each part of the state with its numbers."""
    start = 0
    for bit in range(int(_State.mjNSTATE)):
        if 1 << bit & int(STATE):
            size = mujoco.mj_stateSize(model, 1 << bit)
            yield _State(1 << bit), integration[start : start + size]
            start += size


def _check_histories(model: mujoco.MjModel, numbers: Any) -> None:
    """Checks the index of the newest sample in each history, which MuJoCo uses without a check.

    Also checks that the times are in order.
    """
    for addresses, counts in (
        (model.actuator_historyadr, model.actuator_history),
        (model.sensor_historyadr, model.sensor_history),
    ):
        for address, (samples, _) in zip(addresses, counts, strict=True):
            if address < 0:
                continue
            cursor = numbers[address + 1]
            if cursor not in range(int(samples)):
                raise SimulationError(
                    'the newest sample of a history in the saved state must have an index from 0'
                    f' to {samples - 1}, got {cursor:g}'
                )
            start = address + HISTORY_HEAD
            times = np.roll(numbers[start : start + samples], -int(cursor) - 1)
            if (np.diff(times) < 0).any():
                raise SimulationError('the times in a history of the saved state must ascend')
