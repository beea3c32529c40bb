"""A model in which rays pass through some of the geoms."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import mujoco
import numpy as np
from numpy.typing import NDArray

from ..mujoco_internals import address_of
from .struct_layout import struct_layout

_NO_MATERIAL = -1


class HiddenGeoms:
    """A model for `mj_ray` and similar functions in which some geoms are invisible.

    MuJoCo's rays pass through fully transparent geoms. This object is a second mjModel struct that
    shares the model's arrays, except the bounds, colours and materials of geoms: hidden geoms get
    no opacity and no material. The model itself does not change. Pass this object to `new_state`:
    the state then contains the address of the struct, and compiled code gets the struct with
    ``model_at(state.field)``. Use the struct only to cast rays: it does not follow later changes
    of the model's options or geom colours.

    With this struct, `mj_multiRay` and `mj_ray` hit the same geoms. With the model itself,
    `mj_multiRay` misses non-colliding geoms of a body that also has colliding geoms: it skips the
    body if the ray misses the box around the colliding geoms.
    """

    def __init__(self, model: mujoco.MjModel, geoms: Iterable[int]) -> None:
        self._model = model  # keeps the model's arrays alive
        self._struct = ctypes.create_string_buffer(
            # The copy contains the pointers of the original, and thus shares its arrays.
            ctypes.string_at(address_of(model), struct_layout('mjModel').size)
        )
        hidden = np.fromiter(geoms, int)
        colors, materials = model.geom_rgba.copy(), model.geom_matid.copy()
        # A material would override the colour of the geom.
        colors[hidden, 3], materials[hidden] = 0.0, _NO_MATERIAL
        if model not in _BOUNDS:
            _BOUNDS[model] = _Bounds(model)
        self._bounds = _BOUNDS[model]
        self._arrays = {'geom_rgba': colors, 'geom_matid': materials, **self._bounds.arrays}
        for name, array in self._arrays.items():
            place = struct_layout('mjModel').fields[name].offset
            ctypes.c_void_p.from_buffer(self._struct, place).value = array.ctypes.data

    @property
    def address(self) -> int:
        """The address of the struct; valid while this object lives."""
        return ctypes.addressof(self._struct)

    def renew_bounds(self) -> None:
        """Recomputes the bounds of geoms. Call this after changing the types or sizes of geoms."""
        self._bounds.renew(self._model)


class _Bounds:
    """Bounding spheres of bodies and geoms; `mj_multiRay` finds no hits outside of them.

    The sphere of a body surrounds the body's box in `bvh_aabb`. It is centred on the body's centre
    of mass, because MuJoCo 3.17 rotates the boxes with the body, but not the centres of the boxes.
    MuJoCo 3.17 also treats a plane as ending at its centre, because the radius of a plane is 0.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        first = len(model.bvh_aabb)  # appended, because meshes refer to their boxes by index
        boxes = np.concatenate([model.bvh_aabb, np.zeros((model.nbody, 6))])
        self.arrays: dict[str, NDArray[Any]] = {
            'bvh_aabb': boxes,
            # Each body gets a tree with a single box: `mj_multiRay` then tests all geoms of the
            # body.
            'body_bvhadr': np.arange(first, first + model.nbody, dtype=np.int32),
            'geom_rbound': np.empty(model.ngeom),
        }
        self._body_radii = boxes[first:, 3]
        self.renew(model)

    def renew(self, model: mujoco.MjModel) -> None:
        """Computes the radii from the sizes of the geoms and their positions in the bodies."""
        # A plane has radius 0, which means unbounded.
        radii = np.where(model.geom_rbound > 0.0, model.geom_rbound, mujoco.mjMAXVAL)
        bodies, around = model.geom_bodyid, np.zeros(model.nbody)
        away = np.linalg.norm(model.geom_pos - model.body_ipos[bodies], axis=1)
        np.maximum.at(around, bodies, away + radii)
        self.arrays['geom_rbound'][:], self._body_radii[:] = radii, around


_BOUNDS: WeakKeyDictionary[mujoco.MjModel, _Bounds] = WeakKeyDictionary()
"""The bounds of each model. All sensors of a model share them, because the boxes of large meshes
take much memory."""


class ModelAt:
    """The type of `model_at`, which can only be called in compiled code."""

    def __call__(self, address: int) -> NoReturn:
        """Returns the model at an address (`HiddenGeoms.address`); for compiled code only."""
        raise TypeError('model_at can only be called in compiled functions')


model_at: Any = ModelAt()
"""Returns the model at an address in compiled code; see `ModelAt.__call__`."""
