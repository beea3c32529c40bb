"""Gives Python access to a model while MuJoCo creates a plugin instance in it."""

from __future__ import annotations

import ctypes
from typing import Any

import mujoco
import numpy as np

from ..libmujoco import library
from ..struct_layout import Field, struct_layout


class RawModel:
    """An mjModel given by address, with the bindings' attributes: `model.nu`, `model.jnt_type`.

    While a model is being compiled, the bindings have no object for it. Arrays are copies.
    """

    def __init__(self, address: int) -> None:
        self._address = address

    def __getattr__(self, name: str) -> Any:
        fields = struct_layout('mjModel').fields
        if name not in fields or fields[name].dtype is None:
            raise AttributeError(f'mjModel has no numeric field {name!r}')
        values = self._values(fields[name])
        return values if fields[name].extents else values[0].item()

    def _values(self, field: Field) -> Any:
        assert field.dtype is not None
        shape = [self._extent(extent) for extent in field.extents]
        place = self._address + field.offset
        if field.indirect:
            place = ctypes.c_uint64.from_address(place).value
        size = int(np.prod(shape, dtype=int)) * field.dtype.itemsize
        # Copies the memory, because the plugin may use the array after the model is freed.
        raw = ctypes.string_at(place, size) if place else b''
        return np.frombuffer(raw, field.dtype).reshape(shape if field.extents else 1)

    def _extent(self, extent: int | str) -> int:
        if isinstance(extent, int):
            return extent
        factors = extent.split('*')
        return int(np.prod([int(f) if f.isdigit() else getattr(self, f) for f in factors]))


class Instance:
    """A plugin instance in a model that is being compiled, or in data that are being created."""

    def __init__(self, model: int, id_: int) -> None:
        self._address = model
        self.model = RawModel(model)
        self.id = id_

    @property
    def name(self) -> str:
        """The name of the instance in the model; empty if the instance has no name."""
        return self._name(mujoco.mjtObj.mjOBJ_PLUGIN, self.id)

    def label(self, kind: mujoco.mjtObj, id_: int) -> str:
        """Returns the quoted name of an object in the model, or its id if it has no name."""
        return repr(self._name(kind, id_) or id_)

    def _name(self, kind: mujoco.mjtObj, id_: int) -> str:
        return _text('mj_id2name', self._address, int(kind), id_) or ''

    @property
    def actuators(self) -> Any:
        """The ids of the actuators that the instance drives."""
        return np.flatnonzero(self.model.actuator_plugin == self.id)

    @property
    def sensors(self) -> Any:
        """The ids of the sensors that the instance computes."""
        return np.flatnonzero(self.model.sensor_plugin == self.id)

    @property
    def bodies(self) -> Any:
        """The ids of the bodies that the instance acts on."""
        return np.flatnonzero(self.model.body_plugin == self.id)

    def config(self, attribute: str) -> str | None:
        """Returns the text of an attribute in the model."""
        return _text('mj_getPluginConfig', self._address, self.id, attribute.encode())


def _text(function: str, model: int, *arguments: int | bytes) -> str | None:
    """Returns the string result of a libmujoco function of a model; None for a null pointer."""
    # `[]` returns a new function object; on the shared object, other code may have set types
    call = library()[function]
    call.restype = ctypes.c_char_p
    text: bytes | None = call(ctypes.c_void_p(model), *arguments)
    return None if text is None else text.decode()
