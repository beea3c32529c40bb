"""Checks the indices and types in a compiled model (MJB) that MuJoCo uses without a check.

`mj_loadModel` checks most ids and addresses, but not all, and no types. A damaged model could
therefore crash the process at its first contact, or later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from ...mujoco_internals import enumerations, structs

_ENUM = re.compile(r'\((mjt\w+)\)')
_BOUNDS = {
    'actuator_historyadr': 'nhistory',
    'actuator_plugin': 'nplugin',
    'body_plugin': 'nplugin',
    'body_treeid': 'ntree',
    'bvh_child': 'nbvh',
    'dof_treeid': 'ntree',
    'flex_bendingadr': 'nflexbending',
    'flex_dim': 'three',
    'flex_edgeflap': 'nflexvert',
    'flex_nodeadr': 'nflexnode',
    'flex_nodenum': 'nflexnode',
    'flex_shellnum': 'nflexshelldata',
    'flex_stiffnessadr': 'nflexstiffness',
    'flex_vertbodyid': 'nbody',
    'geom_plugin': 'nplugin',
    'jnt_actuatorid': 'nu',
    'light_texid': 'ntex',
    'mat_texid': 'ntex',
    'mesh_extrema': 'nmeshvert',
    'mesh_facetexcoord': 'nmeshtexcoord',
    'mesh_octadr': 'noct',
    'mesh_octnum': 'noct',
    'plugin_stateadr': 'npluginstate',
    'plugin_statenum': 'npluginstate',
    'sensor_historyadr': 'nhistory',
    'sensor_plugin': 'nplugin',
    'site_dataid': 'nmesh',
    'tendon_actuatorid': 'nu',
    'tendon_treenum': 'ntree',
}
"""For each array, the name of the size that its values must not exceed."""
_DATA = (
    ('hfield_adr', ('hfield_nrow', 'hfield_ncol'), 'nhfielddata'),
    ('tex_adr', ('tex_height', 'tex_width', 'tex_nchannel'), 'ntexdata'),
)
"""Each array of addresses into data, the arrays with the dimensions of the data, and the name of
the size of all data."""


def check_indices(model: Any) -> Iterator[str]:
    """Yields a message for each array with invalid numbers."""
    for name, allowed in _types().items():
        values = getattr(model, name, None)
        if values is not None and not np.isin(values, allowed).all():
            yield f'{name} has a value that is not a valid type'
    for name, size in _BOUNDS.items():
        values, limit = getattr(model, name, None), _size(model, size)
        if values is not None and values.size and not -1 <= values.min() <= values.max() <= limit:
            yield f'{name} points outside of the model'
    yield from _check_histories(model)
    yield from _check_trees(model)
    for address, dimensions, size in _DATA:
        counts = [getattr(model, each).astype(float) for each in dimensions]
        ends = getattr(model, address) + np.prod(counts, axis=0)
        if any(count.min(initial=0) < 0 for count in counts) or (ends > _size(model, size)).any():
            yield f'{", ".join(dimensions)} point outside of the model'


def _check_histories(model: Any) -> Iterator[str]:
    for kind in 'actuator', 'sensor':
        history = getattr(model, f'{kind}_history', None)
        if history is not None and history.size:
            samples = history.reshape(-1, 2)[:, 0]
            if samples.min() < 0 or samples.max() > model.nhistory:
                yield f'{kind}_history points outside of the model'


def _check_trees(model: Any) -> Iterator[str]:
    """Checks the trees of bounding volumes, and the graphs of meshes."""
    most = max(model.ngeom, model.nmeshface, model.nflexelem, model.nbvh)
    if model.nbvh and not -1 <= model.bvh_nodeid.min() <= model.bvh_nodeid.max() < most:
        yield 'bvh_nodeid points outside of the model'
    graph, most = model.mesh_graph, max(model.nmeshvert, model.nmeshgraph)
    if graph.size and not -1 <= graph.min() <= graph.max() <= most:
        yield 'mesh_graph points outside of the model'


def _size(model: Any, name: str) -> int:
    return 3 if name == 'three' else int(getattr(model, name, 0))


@cache
def _types() -> dict[str, list[int]]:
    """Returns the allowed values of each array of types, from MuJoCo's description of mjModel."""
    found, enums = {}, enumerations()
    for field in structs()['mjModel'].fields:
        named = _ENUM.search(getattr(field, 'doc', '') or '')
        if named and named[1] in enums:
            values = enums[named[1]].values
            count = next((n for name, n in values.items() if name.startswith('mjN')), 2**31)
            kept = {n for name, n in values.items() if not name.startswith('mjN')}
            found[field.name] = sorted(n for n in kept if n < count)
    return found
