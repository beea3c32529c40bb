"""Array sizes for libmujoco: with `boundscheck`, sizes that the bindings refuse are refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
import pytest
from mujoco.introspect.functions import FUNCTIONS
from numba import njit

from mujoco_ros_py.engine.compiled.mujoco_functions import _kind, function_type
from mujoco_ros_py.engine.extents import inferred_sizes, may_be_null, shape_of
from mujoco_ros_py.engine.struct_layout import scalar_dtype
from mujoco_ros_py.errors import ArgumentRangeError, ArraySizeError

pytestmark = pytest.mark.slow

MODEL = """
<mujoco>
  <worldbody>
    <body name="ball"><freejoint/><geom size="0.1"/></body>
    <body><joint type="ball"/><geom size="0.1" pos="0 0 0.3"/><site/>
      <body><joint/><geom size="0.1" pos="0 0 0.6"/></body>
    </body>
  </worldbody>
  <equality><connect body1="ball" anchor="0 0 0"/></equality>
  <actuator>
    <motor joint="elbow"/>
    <motor joint="elbow" HISTORY/>
  </actuator>
  <sensor>
    <framepos objtype="body" objname="ball"/>
    <framepos objtype="body" objname="ball" HISTORY/>
  </sensor>
</mujoco>
""".replace('<joint/>', '<joint name="elbow"/>')
HISTORY = 'nsample="3" delay="0.01"'
NUMBERS = {
    'n': 3, 'nr': 2, 'nc': 4, 'r1': 2, 'c1': 3, 'r2': 5, 'c2': 4, 'nnz': 8, 'dim': 3,
    'ntotal': 5, 'nband': 2, 'ndense': 1, 'nvec': 1, 'nray': 2, 'nface': 2, 'nvert': 4,
    'sig': 3, 'srcsig': 3, 'dstsig': 1, 'eps': 1e-6, 'id': 1, 'body': 1, 'geomid': 0,
    'objtype': 1, 'objid': 1, 'flexid': 0, 'geomtype': 2, 'mindiag': 1e-6,
}  # fmt: skip
MISSING = (
    'mj_addM', 'mj_defaultSolRefImp', 'mj_rayFlex', 'mj_rayHfield', 'mj_rayMesh',
    'mju_standardNormal',
)  # fmt: skip
"""The model lacks elements that they need, or the bindings' parameters are not arrays or
differ."""
if mujoco.__version__.startswith('3.'):
    MISSING += ('mju_raySkin',)  # the bindings of MuJoCo 3 take a number for each of its arrays
STRICTER = {('mju_sparse2dense', 'mat'), ('mju_sparse2dense', 'colind')}
"""libmujoco reads these arrays to the end; the bindings accept any length and read beyond the
end."""


def with_arrays() -> list[str]:
    names = []
    for name, declared in FUNCTIONS.items():
        kinds = [_kind(parameter.type) for parameter in declared.parameters]
        if function_type(name) is not None and any(kind[0] == 'array' for kind in kinds):
            names.append(name)
    return names


def comparable() -> list[str]:
    """Returns the functions of the bindings whose only structs are model and data."""
    return [
        name
        for name in with_arrays()
        if hasattr(mujoco, name)
        and name not in MISSING
        and all(
            _kind(each.type)[0] in ('number', 'array', 'text')
            or _kind(each.type)[1] in ('mjModel', 'mjData')
            for each in FUNCTIONS[name].parameters
        )
    ]


@pytest.fixture(scope='module', params=[''])
def model(request: Any) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL.replace('HISTORY', request.param))


def compared() -> list[str]:
    """Returns all functions with arrays of any length, and a few of the others."""
    fixed = [name for name in comparable() if all(map(is_fixed, FUNCTIONS[name].parameters))]
    return [name for name in comparable() if name not in fixed[4:]]


def is_fixed(parameter: Any) -> bool:
    return _kind(parameter.type)[0] != 'array' or hasattr(parameter.type, 'extents')


EACH_RULE = {
    'mj_solveM', 'mj_constraintUpdate', 'mj_extractState', 'mj_initCtrlHistory',
    'mj_initSensorHistory', 'mj_mulJacVec', 'mj_jac', 'mj_fullM', 'mj_integratePos', 'mj_ray',
    'mj_multiRay', 'mju_raySkin', 'mju_addScl', 'mju_mulMatMat', 'mju_dense2sparse',
    'mju_sparse2dense', 'mju_cholSolveBand', 'mju_boxQP', 'mju_encodePyramid', 'mjd_transitionFD',
}  # fmt: skip
"""One function per rule for sizes; the nightly tests compare all functions."""
HISTORIES = [name for name in comparable() if name.endswith('History')]


def arguments(model: mujoco.MjModel, data: mujoco.MjData, name: str) -> dict[str, Any]:
    """Returns fitting arguments by parameter name, without the sizes that the bindings infer."""
    declared, given = FUNCTIONS[name], {}
    for parameter in declared.parameters:
        kind, detail = _kind(parameter.type)
        if kind == 'struct':
            given[parameter.name] = model if detail == 'mjModel' else data
        elif kind == 'text':
            given[parameter.name] = 'xyz'
        elif kind == 'number':
            value = NUMBERS.get(parameter.name, 0)
            given[parameter.name] = float(value) if detail.kind == 'f' else value
        else:
            given[parameter.name] = None
    for parameter in declared.parameters:
        if _kind(parameter.type)[0] == 'array':
            shape = [evaluate(each, given) for each in shape_of(name, parameter)]
            given[parameter.name] = array(name, parameter, shape)
    for size in inferred_sizes(name, declared.parameters):
        del given[size]
    return given


def evaluate(expression: str, given: dict[str, Any]) -> int:
    known = {**given, 'mj_stateSize': lambda signature: mujoco.mj_stateSize(given['m'], signature)}
    if expression.startswith('last('):  # one element in each row
        return given.get('nr', given.get('n'))
    for field in re.findall(r'[A-Za-z]\w*', expression):
        if field not in known:
            owner = given['m'] if hasattr(given.get('m'), field) else given['d']
            known[field] = np.ravel(getattr(owner, field))
            known[field] = known[field] if '[' in expression else int(known[field][0])
    return int(eval(expression, known))


def array(name: str, parameter: Any, shape: list[int]) -> np.ndarray:
    kind = scalar_dtype(parameter.type.inner_type.name)
    if parameter.name in ('rowadr', 'times'):
        return np.arange(shape[0], dtype=kind)
    if parameter.name in ('rownnz', 'upper', 'vec'):
        return np.ones(shape, kind)
    if parameter.name in ('H',) or name == 'mju_cholFactor':
        return np.eye(shape[0])
    return np.zeros(shape, kind)


def others(right: np.ndarray) -> Iterator[np.ndarray]:
    """Arrays of other sizes: too short, too long, transposed."""
    for axis in range(right.ndim):
        if right.shape[axis]:
            yield np.ascontiguousarray(right[(slice(None),) * axis + (slice(1, None),)])
        yield np.concatenate([right, right[(slice(None),) * axis + (slice(0, 1),)]], axis)
    if right.ndim == 2 and len(set(right.shape)) == 2:
        yield np.ascontiguousarray(right.T)


def is_refused(function: Any, given: dict[str, Any], kind: type[Exception]) -> bool:
    try:
        function(*given.values())
    except kind:
        return True
    return False


def checked(name: str, given: dict[str, Any]) -> Any:
    names = [f'a_{each}' for each in given]
    passed = [
        repr(value) if isinstance(value, str) else f'a_{each}' for each, value in given.items()
    ]
    namespace: dict[str, Any] = {'mujoco': mujoco}
    exec(f'def call({", ".join(names)}):\n    mujoco.{name}({", ".join(passed)})', namespace)
    return njit(boundscheck=True)(namespace['call'])


def test_the_size_of_every_array_of_every_function_is_known():
    unknown = [
        f'{name}.{parameter.name}'
        for name in with_arrays()
        for parameter in FUNCTIONS[name].parameters
        if _kind(parameter.type)[0] == 'array' and shape_of(name, parameter) is None
    ]
    assert unknown == []


@pytest.mark.parametrize(
    ('model', 'name'),
    [
        pytest.param(
            HISTORY if name in HISTORIES else '',
            name,
            marks=() if name in EACH_RULE else pytest.mark.nightly,
        )
        for name in compared()
    ],
    indirect=['model'],
    ids=compared(),
)
def test_arrays_that_the_bindings_refuse_are_refused(model, name, capfd):
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    given = arguments(model, data, name)
    ours, theirs = checked(name, given), getattr(mujoco, name)
    assert not is_refused(theirs, given, TypeError)
    assert not is_refused(ours, given, ArraySizeError)
    for parameter, right in given.items():
        for wrong in others(right) if isinstance(right, np.ndarray) else ():
            changed = {**given, parameter: wrong}
            refused = is_refused(ours, changed, ArraySizeError)
            stricter = (name, parameter) in STRICTER and wrong.size < right.size
            expected = stricter or is_refused(theirs, changed, TypeError)
            assert refused == expected, (parameter, right.shape, wrong.shape)


def test_sizes_that_may_be_left_out_are_those_that_the_bindings_leave_out():
    for name in comparable():
        parameters = FUNCTIONS[name].parameters
        known = set(re.findall(r'(\w+): ', getattr(mujoco, name).__doc__.partition(' -> ')[0]))
        left_out = {parameter.name for parameter in parameters if parameter.name not in known}
        assert inferred_sizes(name, parameters).keys() == left_out, name


def test_none_is_taken_where_the_bindings_take_it():
    refused = {
        f'{name}.{parameter.name}'
        for name in comparable()
        for parameter in FUNCTIONS[name].parameters
        if re.search(rf'\b{parameter.name}: [^:]*\| None', getattr(mujoco, name).__doc__)
        and not may_be_null(name, parameter)
    }
    assert refused == {'mj_jacSubtreeCom.jacp'}  # libmujoco writes to it without a check


@pytest.mark.parametrize(
    ('line', 'kind', 'message'),
    [
        (
            'mj_jacBody(m, d, np.zeros(2), None, 1)',
            ArraySizeError,
            'mj_jacBody: jacp must have 30 elements (3, nv), got 2',
        ),
        (
            'mj_jacBody(m, d, np.zeros((10, 3)), None, 1)',
            ArraySizeError,
            'mj_jacBody: jacp must have the shape (3, nv), which is (3, 10), got (10, 3)',
        ),
        (
            'mju_copy(np.zeros(3), np.zeros(4), 4)',
            ArraySizeError,
            'mju_copy: res must have at least 4 elements (n), got 3',
        ),
        (
            'mju_norm3(np.zeros(2))',
            ArraySizeError,
            'mju_norm3: vec must have 3 elements, got 2',
        ),
        (
            'mj_jacBody(m, d, None, None, 99)',
            ArgumentRangeError,
            'mj_jacBody: body must be at least 0 and below 4 (nbody), got 99',
        ),
        (
            'mj_jacSite(m, d, None, None, -1)',
            ArgumentRangeError,
            'mj_jacSite: site must be at least 0 and below 1 (nsite), got -1',
        ),
    ],
)
def test_the_error_names_function_argument_rule_and_size(model, line, kind, message):
    namespace: dict[str, Any] = {'mujoco': mujoco, 'np': np}
    exec(f'def call(m, d):\n    mujoco.{line}', namespace)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with pytest.raises(kind) as raised:
        njit(boundscheck=True)(namespace['call'])(model, data)
    assert str(raised.value) == message


def test_longer_arrays_are_fine_where_their_size_is_given():
    @njit(boundscheck=True)
    def copy(target, source):
        mujoco.mju_copy(target, source, 2)

    target = np.zeros(5)
    copy(target, np.ones(3))
    assert target.tolist() == [1, 1, 0, 0, 0]


def test_a_matrix_that_is_added_to_may_be_dense(model):
    @njit(boundscheck=True)
    def add(m, d, target):
        mujoco.mj_addM(m, d, target, None, None, None)

    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    target = np.zeros((model.nv, model.nv))
    add(model, data, target)
    assert np.diag(target).all()
    with pytest.raises(
        ArraySizeError, match=r'dst must have at least 100 elements \(nv, nv\), got 20'
    ):
        add(model, data, np.zeros((model.nv, 2)))
