"""Which arguments of libmujoco's functions are ids or indices, and their limits.

libmujoco checks few of these arguments. If an unchecked argument is out of range, libmujoco reads
or writes beyond its arrays, or stops the simulation with a fatal error. With `boundscheck`, the
callback that passes the argument raises an exception instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import mujoco

from ..mujoco_internals import CFunction, CParameter


class Limit(NamedTuple):
    """The range of an index: from `least` up to, but not including, `below`."""

    below: str
    """An expression as in `extents`, or OBJECTS for the number of objects of a type."""
    least: int = 0


OBJECTS = 'objects of objtype'
"""The number of objects whose type is the argument `objtype`."""
OBJECT_COUNTS: Mapping[int, str] = {
    int(mujoco.mjtObj.mjOBJ_BODY): 'nbody',
    int(mujoco.mjtObj.mjOBJ_XBODY): 'nbody',
    int(mujoco.mjtObj.mjOBJ_GEOM): 'ngeom',
    int(mujoco.mjtObj.mjOBJ_SITE): 'nsite',
    int(mujoco.mjtObj.mjOBJ_CAMERA): 'ncam',
}
"""The object types that have a frame, with the model's field that counts the objects."""

_BY_NAME: Mapping[str, Limit] = {
    'body': Limit('nbody'),
    'bodyexclude': Limit('nbody', least=-1),  # -1 excludes no body
    **dict.fromkeys(('geom', 'geom1', 'geom2', 'g1', 'g2'), Limit('ngeom')),
    **dict.fromkeys(('site', 'siteid'), Limit('nsite')),
    'flexid': Limit('nflex'),
    'meshid': Limit('nmesh'),
    'hfieldid': Limit('nhfield'),
    'texid': Limit('ntex'),
    'objid': Limit(OBJECTS),
}
"""Limits of parameters that have the same meaning in every function."""
_BY_FUNCTION: Mapping[str, Mapping[str, Limit]] = {
    'mj_initCtrlHistory': {'id': Limit('nu')},
    'mj_initSensorHistory': {'id': Limit('nsensor')},
    **{name: {'geomid': Limit('ngeom')} for name in ('mj_rayHfield', 'mj_rayMesh')},
    'mj_contactForce': {'id': Limit('ncon')},
    'mj_resetDataKeyframe': {'key': Limit('nkey', least=-1)},  # -1 is the initial state
    'mj_setKeyframe': {'k': Limit('nkey')},
    'mju_bandDiag': {'i': Limit('ntotal')},
}


def limit_of(function: str, parameter: CParameter) -> Limit | None:
    """Returns the limit of a function's argument, or None if the argument is not an index."""
    if not hasattr(parameter.type, 'name'):  # an array, such as the results of rays
        return None
    by_function = _BY_FUNCTION.get(function, {})
    return by_function.get(parameter.name) or _BY_NAME.get(parameter.name)


def indices(functions: Mapping[str, CFunction]) -> Iterator[tuple[str, str, Limit]]:
    """Yields function, parameter and limit of each index that the declared functions take."""
    for name, declared in functions.items():
        for parameter in declared.parameters:
            if (limit := limit_of(name, parameter)) is not None:
                yield name, parameter.name, limit
