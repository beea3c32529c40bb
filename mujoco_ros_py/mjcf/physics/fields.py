"""The arrays of mjModel and mjData in the installed MuJoCo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import mujoco
import numpy as np

from ...mujoco_internals import structs

_OF_EACH_STEP = 'contact'
"""The first field of mjData that is allocated in the arena at each step."""
_COLUMNS = {
    'quat': ('qw', 'qx', 'qy', 'qz'),
    'mat': ('xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'),
    'rgba': ('r', 'g', 'b', 'a'),
}
_VECTOR = re.compile(
    '(size|inertia|anchor|axis|dir0?|pos0?|poscom0|com|linvel|angmom|vert0?|normal|node0?)$'
)


@dataclass(frozen=True, slots=True)
class Field:
    """An array of numbers in mjModel or mjData."""

    name: str
    of_data: bool
    """Whether the array is in mjData instead of mjModel."""
    size: str
    """The size field with the number of rows, such as `nbody` or `nq`."""
    width: int | str | None
    """The number of columns; None for a one-dimensional array."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns; empty for unnamed columns."""
        for end, names in _COLUMNS.items():
            if self.width == len(names) and re.search(f'{end}0?$', self.name):
                return names
        return ('x', 'y', 'z') if self.width == 3 and _VECTOR.search(self.name) else ()

    def array(self, model: mujoco.MjModel, data: mujoco.MjData) -> Any:
        """Returns the array's memory, which is valid while the model and the data exist.

        Character arrays, which MuJoCo returns as bytes, are copied.
        """
        found = getattr(data if self.of_data else model, self.name)
        return np.frombuffer(found, np.uint8) if isinstance(found, bytes) else found


@cache
def fields(struct: str) -> Mapping[str, Field]:
    """Returns the arrays of `mjModel` or `mjData` by name, except those allocated at each step."""
    bindings = getattr(mujoco, f'M{struct[1:]}')
    of_data = struct == 'mjData'
    return {
        name: Field(name, of_data, str(extent[0]), extent[1] if extent[1:] else None)
        for name, extent in _extents(structs()[struct])
        if hasattr(bindings, name)
    }


def _extents(struct: Any) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for field in struct.fields:
        name = getattr(field, 'name', '')  # an unnamed member is a union
        if name == _OF_EACH_STEP:
            return
        extent = getattr(field, 'array_extent', None)
        if extent and isinstance(extent[0], str):
            yield name, extent
