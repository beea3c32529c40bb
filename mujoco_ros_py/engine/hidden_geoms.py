"""A model as rays see it that pass through some of its geoms."""

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
    """A model for `mj_ray` and its like in which some geoms are invisible.

    MuJoCo's rays pass through geoms whose colour has no opacity. This is a second mjModel struct
    that shares all arrays with the model, but for the colours and the materials of geoms: in these
    the hidden ones have none. The model itself does not change. As a value of `new_state` it
    becomes its address, by which compiled code gets it: ``model_at(state.field)``. It is for
    functions that cast rays, and what changes in the model's options or in the colours of geoms
    later does not show in it.

    `mj_multiRay` and `mj_ray` hit the same geoms in it. With the model itself, `mj_multiRay`
    misses geoms without collisions if their body also has geoms with collisions: it skips a body
    if the ray misses the box around the geoms with collisions.
    """

    def __init__(self, model: mujoco.MjModel, geoms: Iterable[int]) -> None:
        self._model = model  # its arrays must stay
        self._struct = ctypes.create_string_buffer(
            # A copy of the struct has the pointers of the original, and so shares its arrays.
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
        """The address of the struct, which is valid as long as this object lives."""
        return ctypes.addressof(self._struct)

    def renew_bounds(self) -> None:
        """Call this when types or sizes of geoms have changed, so that rays find these geoms."""
        self._bounds.renew(self._model)


class _Bounds:
    """Spheres around bodies and geoms, outside of which `mj_multiRay` looks for no hits.

    The sphere of a body is that around its box in `bvh_aabb`. Its centre is the body's centre of
    mass: MuJoCo 3.17 turns boxes with the body, but not their centres. In 3.17 a plane ends at its
    centre, too, as its radius is 0.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        first = len(model.bvh_aabb)  # the boxes of meshes keep their places
        boxes = np.concatenate([model.bvh_aabb, np.zeros((model.nbody, 6))])
        self.arrays: dict[str, NDArray[Any]] = {
            'bvh_aabb': boxes,
            # Each body gets a tree of one box, its own: `mj_multiRay` then looks at all geoms of
            # the body.
            'body_bvhadr': np.arange(first, first + model.nbody, dtype=np.int32),
            'geom_rbound': np.empty(model.ngeom),
        }
        self._body_radii = boxes[first:, 3]
        self.renew(model)

    def renew(self, model: mujoco.MjModel) -> None:
        """Computes the radii from the sizes of the geoms and their places in the bodies."""
        # A plane has radius 0, which stands for no bound.
        radii = np.where(model.geom_rbound > 0.0, model.geom_rbound, mujoco.mjMAXVAL)
        bodies, around = model.geom_bodyid, np.zeros(model.nbody)
        away = np.linalg.norm(model.geom_pos - model.body_ipos[bodies], axis=1)
        np.maximum.at(around, bodies, away + radii)
        self.arrays['geom_rbound'][:], self._body_radii[:] = radii, around


_BOUNDS: WeakKeyDictionary[mujoco.MjModel, _Bounds] = WeakKeyDictionary()
"""The bounds of each model. Its sensors share them, as the boxes of large meshes take memory."""


class ModelAt:
    """The function `model_at`, which only compiled code has."""

    def __call__(self, address: int) -> NoReturn:
        """Returns the model at an address, as `HiddenGeoms.address` tells it, in compiled code."""
        raise TypeError('model_at is for compiled functions')


model_at: Any = ModelAt()
"""Returns the model at an address in compiled code; see `ModelAt.__call__`."""
