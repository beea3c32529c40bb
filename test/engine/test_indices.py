"""Ids and indices for libmujoco: with `boundscheck`, every index out of range raises."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine.compiled.mujoco_functions import _kind, function_type
from mujoco_ros_py.engine.extents import inferred_sizes
from mujoco_ros_py.engine.indices import OBJECT_COUNTS, OBJECTS, Limit, indices, limit_of
from mujoco_ros_py.errors import ArgumentRangeError, ArraySizeError
from mujoco_ros_py.mujoco_internals import functions

pytestmark = pytest.mark.slow

N_TOTAL = 5
NO_FRAME = int(mujoco.mjtObj.mjOBJ_TENDON)
OUT_OF_REACH = {'mjr_uploadHField', 'mjr_uploadMesh', 'mjr_uploadTexture'}
"""They need an OpenGL context, which compiled code cannot get."""
NO_INDICES = {
    # counts, sizes and capacities
    'N', 'buffer_sz', 'c1', 'c2', 'dim', 'height', 'maxgeom', 'n', 'nband',
    'nc', 'ndense', 'nface', 'nnz', 'nr', 'nray', 'nrect', 'ntotal',
    'nthread', 'nvec', 'nvert', 'r1', 'r2', 'samples', 'size', 'width', 'flex_layer', 'fontscale',
    # flags, switches and bit sets
    'catmask', 'debug_value', 'dstsig', 'flg_acc',
    'flg_coneHessian', 'flg_force', 'flg_local', 'flg_paused', 'flg_plus', 'has_margin',
    'sameframe', 'sig', 'skipsensor', 'skipstage', 'srcsig',
    # constants of MuJoCo
    'action', 'font', 'framebuffer', 'geomtype', 'objtype', 'topic', 'type',
    # numbers for messages, of sequences, and of pixels
    'base', 'x', 'y',
}  # fmt: skip
STRUCTS = {'mjModel': 'm', 'mjData': 'd'}
NO_INDICES_OF = {
    'mju_Halton': {'index'},  # of an infinite sequence
    'mjr_addAux': {'index'},  # of an OpenGL context, which compiled code cannot get
    'mjr_setAux': {'index'},
    'mjui_addToSection': {'sect'},  # of the user interface, which compiled code cannot get
    'mjui_update': {'section', 'item'},
}


def is_callable(name: str) -> bool:
    return hasattr(mujoco, name) and function_type(name) is not None


def is_integer(parameter: Any) -> bool:
    kind, dtype = _kind(parameter.type)
    return kind == 'number' and dtype.kind in 'iu'


def test_every_integer_that_a_function_takes_is_in_the_table_or_no_index():
    unknown = {
        (name, parameter.name)
        for name, declared in functions().items()
        if is_callable(name)
        for parameter in declared.parameters
        if is_integer(parameter)
        and limit_of(name, parameter) is None
        and parameter.name not in NO_INDICES | NO_INDICES_OF.get(name, set())
    }
    assert unknown == set()


@pytest.fixture(scope='module')
def compiled_call() -> Any:
    return functools.cache(call_of)


def call_of(name: str, argument: str) -> Any:
    """Returns `call(m, d, objtype, index)`, which compiled code runs."""
    declared = functions()[name]
    left_out = inferred_sizes(name, declared.parameters)
    passed = []
    for parameter in declared.parameters:
        kind, detail = _kind(parameter.type)
        if parameter.name in left_out:
            continue
        if parameter.name == argument:
            passed.append('index')
        elif kind == 'number':
            passed.append({'objtype': 'objtype', 'ntotal': str(N_TOTAL)}.get(parameter.name, '0'))
        elif kind == 'struct':
            passed.append(STRUCTS[detail])
        else:
            passed.append(f'np.zeros((3, 9), np.{detail})[0]')
    namespace: dict[str, Any] = {'mujoco': mujoco, 'np': np}
    exec(f'def call(m, d, objtype, index):\n    mujoco.{name}({", ".join(passed)})', namespace)
    return njit(boundscheck=True)(namespace['call'])


def count(limit: Limit, objtype: int, model: Any, data: Any) -> int:
    """Returns the exclusive upper limit of an index."""
    known = {
        'ncon': data.ncon,
        'ntotal': N_TOTAL,
        OBJECTS: getattr(model, OBJECT_COUNTS.get(objtype, ''), 0),
    }
    return known[limit.below] if limit.below in known else getattr(model, limit.below)


CALLED = [
    (name, argument, objtype)
    for name, argument, limit in indices(functions())
    if is_callable(name) and name not in OUT_OF_REACH
    for objtype in ([*OBJECT_COUNTS, NO_FRAME] if limit.below == OBJECTS else [0])
]


@pytest.mark.parametrize(('name', 'argument', 'objtype'), CALLED)
def test_an_index_out_of_range_is_refused(model, data, compiled_call, name, argument, objtype):
    parameter = next(each for each in functions()[name].parameters if each.name == argument)
    limit = limit_of(name, parameter)
    size = count(limit, objtype, model, data)
    for index in (limit.least - 1, size, 100_000_000, -(2**31)):
        with pytest.raises(ArgumentRangeError) as raised:
            compiled_call(name, argument)(model, data, objtype, index)
        assert raised.value.args == (name, argument, limit.below, limit.least, size, index)


@pytest.mark.parametrize(
    ('name', 'argument', 'objtype', 'index'),
    [
        *(('mj_objectVelocity', 'objid', kind, 0) for kind in OBJECT_COUNTS),
        ('mj_contactForce', 'id', 0, 0),
        ('mj_ray', 'bodyexclude', 0, -1),
        ('mj_resetDataKeyframe', 'key', 0, -1),
        ('mj_maxContact', 'g2', 0, 1),
        ('mju_bandDiag', 'i', 0, N_TOTAL - 1),
    ],
)
def test_an_index_in_its_range_is_taken(
    model, data, compiled_call, name, argument, objtype, index
):
    with contextlib.suppress(ArraySizeError):  # the arrays do not match the function
        compiled_call(name, argument)(model, data, objtype, index)


def test_the_error_names_the_objects(model, data, compiled_call):
    call = compiled_call('mj_objectVelocity', 'objid')
    message = (
        r'mj_objectVelocity: objid must be at least 0 and below 2 \(objects of objtype\), got 50'
    )
    with pytest.raises(ArgumentRangeError, match=message):
        call(model, data, int(mujoco.mjtObj.mjOBJ_SITE), 50)


def test_functions_out_of_reach_are_those_with_a_context():
    with_context = {
        name
        for name, _, _ in indices(functions())
        if is_callable(name)
        and any(_kind(each.type)[1] == 'mjrContext' for each in functions()[name].parameters)
    }
    assert with_context == OUT_OF_REACH
