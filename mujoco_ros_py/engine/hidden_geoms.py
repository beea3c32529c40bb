"""A model as rays see it that pass through some of its geoms."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any, NoReturn

import mujoco
import numpy as np

from ..mujoco_internals import address_of
from .struct_layout import struct_layout

_NO_MATERIAL = -1


class HiddenGeoms:
    """A model for `mj_ray` and its like in which some geoms are invisible.

    MuJoCo's rays pass through geoms whose colour has no opacity. This is a second mjModel struct
    that shares all arrays with the model, but for the colours and the materials of geoms: in these
    the hidden ones have none. The model itself does not change. As a value of `new_state` it
    becomes its address, by which compiled code gets it: ``model_at(state.field)``. It is for
    functions that cast rays, and what changes in the model's options or in the colours of geoms
    later does not show in it.
    """

    def __init__(self, model: mujoco.MjModel, geoms: Iterable[int]) -> None:
        self._model = model  # its arrays must stay
        self._struct = ctypes.create_string_buffer(
            ctypes.string_at(address_of(model), struct_layout('mjModel').size)
        )
        hidden = np.fromiter(geoms, int)
        colors, materials = model.geom_rgba.copy(), model.geom_matid.copy()
        colors[hidden, 3], materials[hidden] = 0.0, _NO_MATERIAL
        self._kept = colors, materials
        for name, array in (('geom_rgba', colors), ('geom_matid', materials)):
            place = struct_layout('mjModel').fields[name].offset
            ctypes.c_void_p.from_buffer(self._struct, place).value = array.ctypes.data

    @property
    def address(self) -> int:
        """The address of the struct, which is valid as long as this object lives."""
        return ctypes.addressof(self._struct)


class ModelAt:
    """The function `model_at`, which only compiled code has."""

    def __call__(self, address: int) -> NoReturn:
        """Returns the model at an address, as `HiddenGeoms.address` tells it, in compiled code."""
        raise TypeError('model_at is for compiled functions')


model_at: Any = ModelAt()
"""Returns the model at an address in compiled code; see `ModelAt.__call__`."""
