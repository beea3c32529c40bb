"""Pickles a physics, to continue it unchanged in another process.

An mjData contains addresses of memory allocated by engine plugins, and an mjModel contains plugin
numbers of its process. Neither can be pickled directly: the data is created again from the model,
and plugins are looked up by name.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import mujoco
import numpy as np

from ...mujoco_internals import open_library
from .memory import Memory
from .stages import POSITIONS, VELOCITIES

_OF_THIS_PROCESS = {'plugin', 'plugin_data'}
_FLAGS = 'flg_energypos', 'flg_energyvel', 'flg_rnepost', 'flg_subtreevel'
"""The flags of values that MuJoCo computes only on demand; they exist since MuJoCo 4."""


class Saved(NamedTuple):
    """The pickled parts of a physics."""

    model: mujoco.MjModel
    plugins: list[str]
    """The name of the engine plugin of each plugin instance."""
    time: float
    arrays: dict[str, np.ndarray[Any, Any]]
    """The arrays of mjData by name, including contacts and constraints."""
    warnings: tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
    flags: dict[str, bool]
    outdated: int
    lags: bool


def save(memory: Memory) -> Saved:
    """Returns the parts of a physics to pickle, without the elements' names in the model."""
    model, data = memory.model, memory.data
    arrays = {name: array.copy() for name, array in _arrays(data).items() if array.size}
    warnings = data.warning.number.copy(), data.warning.lastinfo.copy()
    flags = {name: getattr(data, name) for name in _FLAGS if hasattr(data, name)}
    plugins = [_plugin_name(int(slot)) for slot in model.plugin]
    outdated, lags = memory.outdated, memory.lags
    return Saved(model, plugins, data.time, arrays, warnings, flags, outdated, lags)


def restore(saved: Saved, kind: type[Memory] = Memory) -> Memory:
    """Returns the memory of a physics that continues in the saved state.

    Raises ValueError if the model uses an engine plugin not registered in this process.
    """
    model = saved.model
    model.plugin[:] = [_plugin_slot(name) for name in saved.plugins]
    data = mujoco.MjData(model)
    data.time = saved.time
    _fill(data, saved.arrays)
    if saved.outdated <= VELOCITIES:
        mujoco.mj_fwdPosition(model, data)  # allocates room for contacts and constraints
    filled = _fill(data, saved.arrays)
    data.warning.number[:], data.warning.lastinfo[:] = saved.warnings
    for name, value in saved.flags.items():
        setattr(data, name, value)
    memory = kind(model, data)
    memory.outdated = saved.outdated if filled else POSITIONS
    memory.lags = saved.lags and filled
    return memory


def _arrays(data: mujoco.MjData) -> dict[str, np.ndarray[Any, Any]]:
    values = {name: getattr(data, name) for name in dir(data) if name not in _OF_THIS_PROCESS}
    return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}


def _fill(data: mujoco.MjData, arrays: dict[str, np.ndarray[Any, Any]]) -> bool:
    """Copies the arrays into the data; returns whether all of them fit."""
    places = _arrays(data)
    fitting = {name for name, array in arrays.items() if places[name].shape == array.shape}
    for name in fitting:
        places[name][:] = arrays[name]
    return len(fitting) == len(arrays)


def _plugin_name(slot: int) -> str:
    library = open_library()
    library.mjp_getPluginAtSlot.restype = ctypes.POINTER(ctypes.c_char_p)
    name: bytes = library.mjp_getPluginAtSlot(slot)[0]  # a plugin struct starts with its name
    return name.decode()


def _plugin_slot(name: str) -> int:
    library, slot = open_library(), ctypes.c_int(-1)
    library.mjp_getPlugin.restype = ctypes.c_void_p
    if not library.mjp_getPlugin(name.encode(), ctypes.byref(slot)):
        raise ValueError(f'engine plugin {name!r} of the model is not registered in this process')
    return slot.value
