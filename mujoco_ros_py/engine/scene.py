"""Accesses mjvScene by address, and runs compiled render callbacks, which add geoms to it."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..errors import EngineError
from ..mujoco_internals import address_of, address_of_flags
from . import own_code
from .callback_table import Callback, CallbackTable
from .guard_block import new_guard, text
from .struct_layout import struct_layout


class CompiledPaint:
    """Calls a compiled render callback from Python, without the GIL; raises its exceptions.

    Only one thread at a time may call this object. Raises EngineError for a fatal error of
    libmujoco.
    """

    def __init__(self, callback: Callback) -> None:
        self._raised: list[BaseException] = []
        self._on_fault = lambda index, error: self._raised.append(error)
        self._table = CallbackTable([callback], self._on_fault)
        self._guards = new_guard()
        self._render = own_code.function('render')
        self._call = own_code.call('call_guarded')

    def __call__(self, model: mujoco.MjModel, data: mujoco.MjData, scene: mujoco.MjvScene) -> None:
        """Calls the callback."""
        self._table.set_scene(scene_address(scene))
        addresses = address_of(model), address_of(data), self._table.address
        failed = self._call(self._guards.ctypes.data, self._render.address, *addresses)
        # Compiled code does not raise into Python: the reporter stores the exception, and it is
        # raised here.
        if self._raised:
            raise self._raised.pop()
        if failed:
            raise EngineError(text(self._guards, 'error'))


def scene_address(scene: mujoco.MjvScene) -> int:
    """Returns the address of the mjvScene."""
    return address_of_flags(scene) - struct_layout('mjvScene').fields['flags'].offset


def scene_geoms(scene: mujoco.MjvScene) -> NDArray[Any]:
    """Returns the used geoms as a structured array with mjvGeom's fields, without copying.

    The array is valid while the scene exists. It is faster than the bindings, which read the geoms
    one by one.
    """
    place = scene_address(scene) + struct_layout('mjvScene').fields['geoms'].offset
    address = ctypes.c_void_p.from_address(place).value
    # NumPy cannot wrap a null pointer.
    if not (scene.ngeom and address):
        return np.zeros(0, _geom_dtype())
    memory = ctypes.c_char * (scene.ngeom * _geom_dtype().itemsize)
    return np.frombuffer(memory.from_address(address), _geom_dtype())


@cache
def _geom_dtype() -> np.dtype[Any]:
    place = struct_layout('mjvGeom')
    fields = [field for field in place.fields.values() if field.dtype is not None]
    formats: list[Any] = [(field.dtype, field.extents) for field in fields]
    names, offsets = [field.name for field in fields], [field.offset for field in fields]
    return np.dtype(
        {'names': names, 'formats': formats, 'offsets': offsets, 'itemsize': place.size}
    )
