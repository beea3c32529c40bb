"""The sizes of the arrays behind the pointers that libmujoco's functions take.

The C declarations contain only fixed sizes (`mjtNum point[3]`). This module lists the other sizes.
Each dimension of an array is an expression of the function's other arguments, of fields of the
model and the data, and of a few functions (`last`, `mj_stateSize`). The bindings check the same
shapes, and a test compares them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import mujoco
import numpy as np

from ..mujoco_internals import CParameter

Shape = tuple[str, ...]
"""The shape of an array: an expression for each axis."""

_BAND = '(ntotal - ndense) * nband + ndense * ntotal'
_NONZEROS = 'last(rowadr) + last(rownnz)'
"""The number of entries of a sparse matrix: the end of its last row."""
_SPARSE: dict[str, Shape] = {
    'rownnz': ('nr',),
    'rowadr': ('nr',),
    'colind': (_NONZEROS,),
    'mat': (_NONZEROS,),
}
_STATE = '2 * nv + na'
_NV: dict[str, Shape] = dict.fromkeys(('res', 'vec', 'result'), ('nv',))
_N: dict[str, Shape] = dict.fromkeys(
    ('res', 'vec', 'vec1', 'vec2', 'list', 'x', 'g', 'index', 'lower', 'upper'), ('n',)
)
_SQUARE = ('n', 'n')

_BY_NAME: dict[str, Shape] = {
    **dict.fromkeys(('jacp', 'jacr', 'jacPoint', 'jacAxis'), ('3', 'nv')),
    **dict.fromkeys(('qpos', 'qpos1', 'qpos2'), ('nq',)),
    'qvel': ('nv',),
    'qfrc_target': ('nv',),
    'geomgroup': (str(mujoco.mjNGROUP),),
}
"""The shapes of parameters that have the same meaning in every function."""

_BY_FUNCTION: dict[str, dict[str, Shape]] = {
    'mj_defaultSolRefImp': {'solref': (str(mujoco.mjNREF),), 'solimp': (str(mujoco.mjNIMP),)},
    'mj_solveM': {'x': ('n', 'nv'), 'y': ('n', 'nv')},
    'mj_solveM2': {'x': ('n', 'nv'), 'y': ('n', 'nv'), 'sqrtInvD': ('nv',)},
    'mj_rne': _NV,
    'mj_constraintUpdate': {'jar': ('nefc',)},
    'mj_getState': {'state': ('mj_stateSize(sig)',)},
    'mj_setState': {'state': ('mj_stateSize(sig)',)},
    'mj_extractState': {'src': ('mj_stateSize(srcsig)',), 'dst': ('mj_stateSize(dstsig)',)},
    'mj_initCtrlHistory': {
        'times': ('actuator_history[2 * id]',),
        'values': ('actuator_history[2 * id]',),
    },
    'mj_initSensorHistory': {
        'times': ('sensor_history[2 * id]',),
        'values': ('sensor_history[2 * id]', 'sensor_dim[id]'),
    },
    'mj_mulJacVec': {'res': ('nefc',), 'vec': ('nv',)},
    'mj_mulJacTVec': {'res': ('nv',), 'vec': ('nefc',)},
    'mj_angmomMat': {'mat': ('3', 'nv')},
    'mj_fullM': {'dst': ('nv', 'nv')},
    'mj_mulM': _NV,
    'mj_mulM2': _NV,
    'mj_addM': {'dst': (_NONZEROS,), 'rownnz': ('nv',), 'rowadr': ('nv',), 'colind': (_NONZEROS,)},
    'mj_multiRay': {
        'vec': ('3 * nray',), 'geomid': ('nray',), 'dist': ('nray',), 'normal': ('3 * nray',),
    },
    'mju_raySkin': {'face': ('3 * nface',), 'vert': ('3 * nvert',)},
    'mju_printMat': {'mat': ('nr', 'nc')},
    'mju_printMatSparse': _SPARSE,
    'mju_mulMatVec': {'res': ('nr',), 'mat': ('nr', 'nc'), 'vec': ('nc',)},
    'mju_mulMatTVec': {'res': ('nc',), 'mat': ('nr', 'nc'), 'vec': ('nr',)},
    'mju_mulVecMatVec': {'vec1': ('n',), 'mat': _SQUARE, 'vec2': ('n',)},
    'mju_transpose': {'res': ('nc', 'nr'), 'mat': ('nr', 'nc')},
    'mju_symmetrize': {'res': _SQUARE, 'mat': _SQUARE},
    'mju_eye': {'mat': _SQUARE},
    'mju_mulMatMat': {'res': ('r1', 'c2'), 'mat1': ('r1', 'c1'), 'mat2': ('c1', 'c2')},
    'mju_mulMatMatT': {'res': ('r1', 'r2'), 'mat1': ('r1', 'c1'), 'mat2': ('r2', 'c1')},
    'mju_mulMatTMat': {'res': ('c1', 'c2'), 'mat1': ('r1', 'c1'), 'mat2': ('r1', 'c2')},
    'mju_sqrMatTD': {'res': ('nc', 'nc'), 'mat': ('nr', 'nc'), 'diag': ('nr',)},
    'mju_dense2sparse': {
        'res': ('nnz',), 'mat': ('nr', 'nc'), 'rownnz': ('nr',), 'rowadr': ('nr',),
        'colind': ('nnz',),
    },
    'mju_sparse2dense': {**_SPARSE, 'res': ('nr', 'nc')},
    'mju_sym2dense': {**_SPARSE, 'res': _SQUARE, 'rownnz': ('n',), 'rowadr': ('n',)},
    'mju_cholFactor': {'mat': _SQUARE},
    'mju_cholSolve': {'res': ('n',), 'mat': _SQUARE, 'vec': ('n',)},
    'mju_cholUpdate': {'mat': _SQUARE, 'x': ('n',)},
    'mju_cholFactorBand': {'mat': (_BAND,)},
    'mju_cholSolveBand': {'res': ('ntotal',), 'mat': (_BAND,), 'vec': ('ntotal',)},
    'mju_band2Dense': {'res': ('ntotal', 'ntotal'), 'mat': (_BAND,)},
    'mju_dense2Band': {'res': (_BAND,), 'mat': ('ntotal', 'ntotal')},
    'mju_bandMulMatVec': {'res': ('ntotal', 'nvec'), 'mat': (_BAND,), 'vec': ('ntotal', 'nvec')},
    'mju_boxQP': {**_N, 'R': ('n * (n + 7)',), 'H': _SQUARE},
    'mju_encodePyramid': {'pyramid': ('2 * dim',), 'force': ('dim + 1',), 'mu': ('dim',)},
    'mju_decodePyramid': {'pyramid': ('2 * dim',), 'force': ('dim + 1',), 'mu': ('dim',)},
    'mju_standardNormal': {'num2': ('1',)},
    'mjd_transitionFD': {
        'A': (_STATE, _STATE), 'B': (_STATE, 'nu'), 'C': ('nsensordata', _STATE),
        'D': ('nsensordata', 'nu'),
    },
    'mjd_inverseFD': {
        **dict.fromkeys(('DfDq', 'DfDv', 'DfDa'), ('nv', 'nv')),
        **dict.fromkeys(('DsDq', 'DsDv', 'DsDa'), ('nv', 'nsensordata')),
        'DmDq': ('nv', 'nC'),
    },
    'mjp_getPlugin': {'slot': ('1',)},
    'mjs_makeMesh': {'params': ('nparams',)},
    **{f'mjs_{name}': {'array': ('size',)} for name in (
        'setInt', 'appendIntVec', 'setFloat', 'appendFloatVec', 'setDouble',
    )},
}  # fmt: skip

_IF_DENSE = {'mj_addM': {'dst': ('nv', 'nv')}}
"""Argument shapes in calls without `rownnz`, where the matrix is dense."""

_AT_LEAST = {
    'mj_addM': ('dst', 'colind'),
    'mju_sparse2dense': ('mat', 'colind'),
    'mju_sym2dense': ('mat', 'colind'),
}
"""Arguments that can be longer than their shape, because a matrix may have room for more
entries."""

_SIZES = ('n', 'nr', 'nc', 'r1', 'c1', 'r2', 'c2', 'nnz', 'dim')
"""The size parameters that the bindings infer from the arrays."""
_SIZES_IN_C = 'size', 'nparams'
"""Further size parameters, of functions that are missing in the bindings."""
_NAME = re.compile(r'[A-Za-z]\w*')
_NULLABLE = {
    'mju_sqrMatTD': ('diag',),
    'mju_standardNormal': ('num2',),
}
"""Arguments that can be None according to the documentation, but not to the declaration."""


def shape_of(function: str, parameter: CParameter, *, dense: bool = False) -> Shape | None:
    """Returns the shape of a parameter's array, or None if the shape is not known.

    `dense` is for calls without `rownnz`, whose matrices are dense.
    """
    if dense and parameter.name in _IF_DENSE.get(function, {}):
        return _IF_DENSE[function][parameter.name]
    extents = getattr(parameter.type, 'extents', None)
    if extents:
        return (str(int(np.prod(extents))),)
    by_function = _BY_FUNCTION.get(function, _N if function.startswith('mju_') else {})
    return by_function.get(parameter.name) or _BY_NAME.get(parameter.name)


def may_be_longer(function: str, parameter: str, shape: Shape, given: Collection[str]) -> bool:
    """Returns whether an array can be longer than its shape.

    A matrix may have room for more entries, and a caller may pass the size explicitly, as in C.
    `given` has the names of the passed arguments.
    """
    told = set(_NAME.findall(' '.join(shape))) & set(given)
    return bool(told.intersection((*_SIZES, *_SIZES_IN_C))) or parameter in _AT_LEAST.get(
        function, ()
    )


def may_be_null(function: str, parameter: CParameter) -> bool:
    """Returns whether `None` can be passed."""
    # The declarations of MuJoCo 3 have no `nullable`, so all pointers can be None.
    declared = getattr(parameter, 'nullable', True)
    return declared or parameter.name in _NULLABLE.get(function, ())


def inferred_sizes(function: str, parameters: Sequence[CParameter]) -> dict[str, tuple[str, int]]:
    """Returns the size parameters that can be omitted, with the array and axis they come from."""
    shapes = [(each, shape_of(function, each) or ()) for each in parameters]
    # As in the bindings, an input matrix determines the size; without a matrix, the first array.
    shapes.sort(key=lambda pair: not (len(pair[1]) == 2 and pair[0].type.inner_type.is_const))
    found = {}
    for size in (each.name for each in parameters if each.name in _SIZES):
        told = ((each.name, shape.index(size)) for each, shape in shapes if size in shape)
        if first := next(told, None):
            found[size] = first
    return found
