"""Finds the rows of MuJoCo's arrays that belong to an element with a given id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mujoco
import numpy as np

from .fields import Field, fields

Ints = Any
Rows = Any
"""A row index: an int for a single row, otherwise a slice or an array."""
_JOINT_WIDTHS = {
    'nq': {0: 7, 1: 4, 2: 1, 3: 1},
    'nv': {0: 6, 1: 3, 2: 1, 3: 1},
}
"""The number of rows of a joint, by mjtJoint: free, ball, slide, hinge."""


@dataclass(frozen=True, slots=True)
class Kind:
    """MuJoCo's names for a kind of element."""

    objtype: mujoco.mjtObj
    count: str
    prefixes: tuple[str, ...]
    """The prefixes of the kind's arrays; the first is also the prefix of `name_*adr`."""


def _kind(name: str, count: str | None = None, *prefixes: str) -> Kind:
    objtype = getattr(mujoco.mjtObj, f'mjOBJ_{name.upper()}')
    prefixes = prefixes or (name,)
    return Kind(objtype, count or f'n{prefixes[0]}', prefixes)


KINDS: Mapping[str, Kind] = {
    'body': _kind('body'),
    'joint': _kind('joint', 'njnt', 'jnt', 'dof'),
    'geom': _kind('geom'),
    'site': _kind('site'),
    'camera': _kind('camera', 'ncam', 'cam'),
    'light': _kind('light'),
    'flex': _kind('flex'),
    'mesh': _kind('mesh'),
    'skin': _kind('skin'),
    'hfield': _kind('hfield'),
    'texture': _kind('texture', 'ntex', 'tex'),
    'material': _kind('material', 'nmat', 'mat'),
    'pair': _kind('pair'),
    'exclude': _kind('exclude'),
    'equality': _kind('equality', 'neq', 'eq'),
    'tendon': _kind('tendon', 'ntendon', 'tendon', 'ten'),
    'actuator': _kind('actuator'),
    'sensor': _kind('sensor'),
    'numeric': _kind('numeric'),
    'text': _kind('text'),
    'tuple': _kind('tuple'),
    'key': _kind('key'),
    'plugin': _kind('plugin'),
}
"""The kinds of elements by their MJCF names."""
_EDGES = np.array([0, 1, 3, 6])
"""The number of edges of a flex element, by the dimension of the flex."""
_OF_NO_ELEMENT = frozenset(
    ['wrap_obj', 'wrap_xpos', 'body_awake_ind', 'parent_awake_ind', 'dof_awake_ind']
)
"""Arrays with as many rows as a kind has elements, although the rows belong to other things."""
_Count = str | Callable[[Any], Ints]
_SEVERAL: Mapping[str, tuple[str, str, _Count]] = {
    'nq': ('joint', 'jnt_qposadr', lambda model: _joint_widths(model, 'nq')),
    'nv': ('joint', 'jnt_dofadr', lambda model: _joint_widths(model, 'nv')),
    'na': ('actuator', 'actuator_actadr', 'actuator_actnum'),
    'nu': ('actuator', 'actuator_ctrladr', 'actuator_ctrlnum'),
    'nout': ('actuator', 'actuator_outadr', 'actuator_outnum'),
    'nmocap': ('body', 'body_mocapid', lambda model: model.body_mocapid >= 0),
    'nsensordata': ('sensor', 'sensor_adr', 'sensor_dim'),
    'nwrap': ('tendon', 'tendon_adr', 'tendon_num'),
    'nmeshvert': ('mesh', 'mesh_vertadr', 'mesh_vertnum'),
    'nmeshnormal': ('mesh', 'mesh_normaladr', 'mesh_normalnum'),
    'nmeshtexcoord': ('mesh', 'mesh_texcoordadr', 'mesh_texcoordnum'),
    'nmeshface': ('mesh', 'mesh_faceadr', 'mesh_facenum'),
    'nmeshpoly': ('mesh', 'mesh_polyadr', 'mesh_polynum'),
    'nskinvert': ('skin', 'skin_vertadr', 'skin_vertnum'),
    'nskintexvert': ('skin', 'skin_texcoordadr', 'skin_vertnum'),
    'nskinface': ('skin', 'skin_faceadr', 'skin_facenum'),
    'nskinbone': ('skin', 'skin_boneadr', 'skin_bonenum'),
    'nhfielddata': ('hfield', 'hfield_adr', lambda m: m.hfield_nrow * m.hfield_ncol),
    'ntexdata': ('texture', 'tex_adr', lambda m: m.tex_height * m.tex_width * m.tex_nchannel),
    'nflexvert': ('flex', 'flex_vertadr', 'flex_vertnum'),
    'nflexnode': ('flex', 'flex_nodeadr', 'flex_nodenum'),
    'nflexedge': ('flex', 'flex_edgeadr', 'flex_edgenum'),
    'nflexelem': ('flex', 'flex_elemadr', 'flex_elemnum'),
    'nflexelemdata': ('flex', 'flex_elemdataadr', lambda m: m.flex_elemnum * (m.flex_dim + 1)),
    'nflexelemedge': ('flex', 'flex_elemedgeadr', lambda m: m.flex_elemnum * _EDGES[m.flex_dim]),
    'nflexshelldata': ('flex', 'flex_shelldataadr', lambda m: m.flex_shellnum * m.flex_dim),
    'nnumericdata': ('numeric', 'numeric_adr', 'numeric_size'),
    'ntextdata': ('text', 'text_adr', 'text_size'),
    'ntupledata': ('tuple', 'tuple_adr', 'tuple_size'),
    'npluginstate': ('plugin', 'plugin_stateadr', 'plugin_statenum'),
}
"""Sizes of arrays with any number of rows per element.

The values: the kind of element, the model's field with the first row of each element, and the
field with the number of rows, or a function that computes it from the model."""
_NUMBER_IF_ONE = 'na', 'nu', 'nout', 'nmocap'
"""Sizes for which a binding shows a single row as a number; for others, as an array."""


def _joint_widths(model: mujoco.MjModel, size: str) -> Ints:
    return np.array([_JOINT_WIDTHS[size][kind] for kind in model.jnt_type.tolist()], int)


_OWNERS = {kind.count: name for name, kind in KINDS.items()} | {
    size: kind for size, (kind, *_) in _SEVERAL.items()
}


def owner(field: Field) -> str | None:
    """Returns the kind of element that owns the rows of an array, or None."""
    return None if field.name in _OF_NO_ELEMENT else _OWNERS.get(field.size)


@cache
def attributes(kind: str) -> Mapping[str, Field]:
    """Returns the arrays with rows for a kind of element, by their names without the prefix.

    If two arrays would have the same name (`jnt_solref`, `dof_solref`), the array with one row per
    element gets the short name, and the other keeps its prefix.
    """
    found: dict[str, Field] = {}
    prefixes, count = KINDS[kind].prefixes, KINDS[kind].count
    every = [*fields('mjModel').values(), *fields('mjData').values()]
    own = [field for field in every if owner(field) == kind]
    for field in sorted(own, key=lambda field: field.size != count):
        prefix, _, name = field.name.partition('_')
        name = name if prefix in prefixes and name else field.name
        found.setdefault(field.name if name in found else name, field)
    return found


class Layout:
    """The names of a compiled model's elements, and their rows."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._names: dict[str, list[str]] = {}
        self._ids: dict[str, dict[str, int]] = {}
        self._spans: dict[str, tuple[Ints, Ints]] = {}

    def names(self, kind: str) -> list[str]:
        """Returns the names of a kind's elements, by id; empty for unnamed elements."""
        found = self._names.get(kind)
        if found is None:
            found = self._names[kind] = self._read_names(kind)
        return found

    def _read_names(self, kind: str) -> list[str]:
        names = self._model.names
        starts = getattr(self._model, f'name_{KINDS[kind].prefixes[0]}adr').tolist()
        return [names[start : names.index(b'\0', start)].decode() for start in starts]

    def id(self, kind: str, name: str) -> int:
        """Returns the id of the element with this name, or -1."""
        found = self._ids.get(kind)
        if found is None:
            found = {each: number for number, each in enumerate(self.names(kind)) if each}
            self._ids[kind] = found
        return found.get(name, -1)

    def rows(self, size: str, number: int) -> Rows:
        """Returns the rows of the element with this id."""
        if size not in _SEVERAL:
            return number
        starts, counts = self._span(size)
        start, count = int(starts[number]), int(counts[number])
        if count == 1 and size in _NUMBER_IF_ONE:
            return start
        return slice(max(start, 0), max(start, 0) + count)

    def rows_of_all(self, size: str, numbers: Sequence[int]) -> Rows:
        """Returns the rows of several elements in order; a slice if they are consecutive."""
        return as_slice(np.array(self.numbers_of_all(size, numbers), int))

    def numbers_of_all(self, size: str, numbers: Sequence[int]) -> list[int]:
        """Returns the row numbers of several elements, in order."""
        if size not in _SEVERAL:
            return list(numbers)
        starts, counts = self._span(size)
        return [row for i in numbers for row in range(starts[i], starts[i] + counts[i])]

    def _span(self, size: str) -> tuple[Ints, Ints]:
        """Returns the first row and the number of rows of each element."""
        found = self._spans.get(size)
        if found is None:
            found = self._spans[size] = self._read_span(size)
        return found

    def _read_span(self, size: str) -> tuple[Ints, Ints]:
        _, address, count = _SEVERAL[size]
        model = self._model
        starts = getattr(model, address)
        counts = getattr(model, count) if isinstance(count, str) else count(model)
        return starts, np.where(starts < 0, 0, counts)


def as_slice(rows: Ints) -> Rows:
    """Converts evenly spaced rows to a slice; returns other rows unchanged."""
    if not len(rows):
        return slice(0, 0)
    first, last = int(rows[0]), int(rows[-1])
    step = int(rows[1]) - first if len(rows) > 1 else 1
    if step > 0 and (np.diff(rows) == step).all():
        return slice(first, last + 1, step)
    return rows
