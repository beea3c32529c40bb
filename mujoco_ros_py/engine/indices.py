"""The arguments of libmujoco's functions that are ids or indices, and their limits.

libmujoco checks few of them: it reads or writes beyond its arrays, or ends with a fatal error that
stops the simulation. With `boundscheck`, an index out of range is an exception of the callback.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import mujoco

from ..mujoco_internals import CFunction, CParameter


class Limit(NamedTuple):
    """The range of an index: at least `least`, and less than `below`."""

    below: str
    """An expression as those of `extents`; OBJECTS for the number of objects of a type."""
    least: int = 0


OBJECTS = 'objects of objtype'
"""The number of objects of the type that the argument `objtype` has."""
OBJECT_COUNTS: Mapping[int, str] = {
    int(mujoco.mjtObj.mjOBJ_BODY): 'nbody',
    int(mujoco.mjtObj.mjOBJ_XBODY): 'nbody',
    int(mujoco.mjtObj.mjOBJ_GEOM): 'ngeom',
    int(mujoco.mjtObj.mjOBJ_SITE): 'nsite',
    int(mujoco.mjtObj.mjOBJ_CAMERA): 'ncam',
}
"""The types of objects that have a frame, with the fields of the model that count them."""

_BY_NAME: Mapping[str, Limit] = {
    'body': Limit('nbody'),
    'bodyexclude': Limit('nbody', least=-1),  # -1: excludes no body
    **dict.fromkeys(('geom', 'geom1', 'geom2', 'g1', 'g2'), Limit('ngeom')),
    **dict.fromkeys(('site', 'siteid'), Limit('nsite')),
    'flexid': Limit('nflex'),
    'meshid': Limit('nmesh'),
    'hfieldid': Limit('nhfield'),
    'texid': Limit('ntex'),
    'objid': Limit(OBJECTS),
}
"""The limits of parameters that mean the same in every function."""
_BY_FUNCTION: Mapping[str, Mapping[str, Limit]] = {
    'mj_initCtrlHistory': {'id': Limit('nu')},
    'mj_initSensorHistory': {'id': Limit('nsensor')},
    **{name: {'geomid': Limit('ngeom')} for name in ('mj_rayHfield', 'mj_rayMesh')},
    'mj_contactForce': {'id': Limit('ncon')},
    'mj_resetDataKeyframe': {'key': Limit('nkey', least=-1)},  # -1: the start
    'mj_setKeyframe': {'k': Limit('nkey')},
    'mju_bandDiag': {'i': Limit('ntotal')},
}


def limit_of(function: str, parameter: CParameter) -> Limit | None:
    """Returns the limit of an argument of a function; None if it is not an index."""
    if not hasattr(parameter.type, 'name'):  # an array, such as that for the results of rays
        return None
    by_function = _BY_FUNCTION.get(function, {})
    return by_function.get(parameter.name) or _BY_NAME.get(parameter.name)


def indices(functions: Mapping[str, CFunction]) -> Iterator[tuple[str, str, Limit]]:
    """Returns function, parameter and limit for each index that the declared functions take."""
    for name, declared in functions.items():
        for parameter in declared.parameters:
            if (limit := limit_of(name, parameter)) is not None:
                yield name, parameter.name, limit
