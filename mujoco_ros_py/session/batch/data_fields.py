"""Finds the memory of the recorded fields and of the inputs in each world."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from ...config.wording import unknown
from ...engine.struct_layout import Field, struct_layout
from ...errors import ConfigError
from ...mujoco_internals import address_of
from .start_state import STATE
from .stepped_world import SteppedWorld

INPUTS = (
    'ctrl', 'qfrc_applied', 'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata',
)  # fmt: skip
"""The arrays of MjData that can be set before steps, because MuJoCo does not write them."""
_FREE = 'userdata'
"""The input with a meaning defined by the user; NaN is allowed in it."""
_NAME = re.compile(r'[A-Za-z]\w*')


@dataclass(frozen=True, slots=True)
class DataField:
    """A field that each world has: in its MjData, in a plugin's state, or its full state."""

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    state: int = 0
    """MuJoCo's signature of the state for the field `state`; 0 for other fields."""

    @property
    def finite(self) -> bool:
        """Whether an input must be finite. Plugins can use NaN, for example for `no target`."""
        return '.' not in self.name and self.name != _FREE

    def place(self, world: SteppedWorld) -> int:
        """Returns the address of the field in a world; 0 for the full state.

        Raises ConfigError if the field has another type or shape in this world.
        """
        if self.state:
            return 0
        if '.' in self.name:
            dtype, shape, address = _of_plugin(self.name, world)
            if (dtype, shape) != (self.dtype, self.shape):
                raise ConfigError(
                    f'{self.name} must have the same type and shape in all worlds; it has'
                    f' {dtype}{shape} in world {world.index}, but {self.dtype}{self.shape} in the'
                    ' worlds before'
                )
            return address
        field = struct_layout('mjData').fields[self.name]
        address = address_of(world.data) + field.offset
        return ctypes.c_uint64.from_address(address).value if field.indirect else address

    def owner(self, world: SteppedWorld) -> object:
        """Returns the object that owns the field's memory."""
        if '.' not in self.name:
            return world.data
        return world.plugins[self.name.rpartition('.')[0]].state


def find_field(name: str, world: SteppedWorld, among: Collection[str] = ()) -> DataField:
    """Finds a field by name: ``qpos``, ``state``, or ``<plugin>.<field of its state>``.

    If given, `among` names the arrays of the data that are allowed. Raises ConfigError, which
    lists the known names.
    """
    if '.' in name:
        dtype, shape, _ = _of_plugin(name, world)
        return DataField(name, dtype, shape)
    if name == 'state' and not among:
        size = mujoco.mj_stateSize(world.model, STATE)
        return DataField(name, np.dtype(np.float64), (size,), STATE)
    known = among or [*_lasting(world.model), 'state']
    if name not in known:
        raise ConfigError(unknown('field of the data', name, known))
    field = struct_layout('mjData').fields[name]
    assert field.dtype is not None, name
    return DataField(name, field.dtype, np.shape(getattr(world.data, name)))


def _lasting(model: mujoco.MjModel) -> list[str]:
    """Returns the names of the data's fields whose address and size never change."""
    fields = struct_layout('mjData').fields.values()
    return [field.name for field in fields if _lasts(field, model)]


def _lasts(field: Field, model: mujoco.MjModel) -> bool:
    """Returns whether a field is numeric and its size depends on the model only."""
    if field.dtype is None or field.dtype == np.uint64 or not hasattr(mujoco.MjData, field.name):
        return False
    sizes = [name for extent in field.extents for name in _NAME.findall(str(extent))]
    return all(hasattr(model, size) for size in sizes)


def _of_plugin(name: str, world: SteppedWorld) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    plugin, _, field = name.rpartition('.')
    plugins = world.plugins
    if plugin not in plugins:
        raise ConfigError(f'{name}: {unknown("plugin", plugin, plugins)}')
    state = plugins[plugin].state
    fields: Sequence[str] = () if state is None else state.dtype.names or ()
    if state is None or field not in fields:
        raise ConfigError(f'{name}: {unknown("field of the state", field, fields)}')
    dtype, offset = state.dtype.fields[field][:2]
    if dtype.base.names is not None:
        raise ConfigError(f'{name} must have numbers, got records')
    return dtype.base, dtype.shape, state.__array_interface__['data'][0] + offset
