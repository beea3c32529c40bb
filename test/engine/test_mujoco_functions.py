"""libmujoco's functions in compiled code: they do what those of the bindings do."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from mujoco.introspect.functions import FUNCTIONS
from numba import njit

from mujoco_ros_py.engine.compiled.mujoco_functions import function_type


def compiled(*lines: str):
    """A compiled function of model, data and arguments, from lines of source."""
    head, *body = lines
    namespace = {'mujoco': mujoco, 'np': np}
    exec('\n    '.join([f'def call({head}):', *body]), namespace)
    return njit(namespace['call'])


def both(*lines: str):
    """The same function compiled, and as Python calling the bindings."""
    call = compiled(*lines)
    return call, call.py_func


def test_most_functions_of_the_library_can_be_called():
    callable_names = {name for name in FUNCTIONS if function_type(name) is not None}
    reachable = {name for name in callable_names if hasattr(mujoco, name)}
    assert len(callable_names) >= 480
    assert len(reachable) >= 270
    # all that the bindings have of the physics and the mathematics, but for what returns text
    # or pointers to numbers and for what the bindings make more of than the C function
    physics = {name for name in FUNCTIONS if hasattr(mujoco, name) and name[:3] in ('mj_', 'mju')}
    assert physics - reachable == {
        'mj_actuatorInputName', 'mj_embedAssets', 'mj_id2name', 'mj_loadAllPluginLibraries',
        'mj_loadTexture', 'mj_printSchema', 'mj_readCtrl', 'mj_readSensor', 'mj_saveLastXML',
        'mj_setLengthRange', 'mj_versionString', 'mju_type2Str', 'mju_warningText',
        'mju_writeNumBytes',
    }  # fmt: skip


@pytest.mark.parametrize(
    'line',
    [
        'mujoco.mj_jac(m, d, out[:3], out[3:6], d.xpos[3], 3)',
        'mujoco.mj_jacBody(m, d, out[:3], None, 4)',
        'mujoco.mj_jacSite(m, d, None, out[3:6], 1)',
        'mujoco.mj_contactForce(m, d, 0, out[0, :6])',
        'mujoco.mj_contactForce(m, d, d.ncon - 1, out[0, :6])',
        'mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_BODY, 3, out[0, :6], 1)',
        'mujoco.mj_rne(m, d, 1, out[0])',
        'mujoco.mj_mulM(m, d, out[0], d.qvel)',
        'mujoco.mj_solveM(m, d, out[:1], d.qvel.reshape(1, -1))',
        'mujoco.mj_differentiatePos(m, out[0], 0.5, m.qpos0, d.qpos)',
        'mujoco.mj_applyFT(m, d, np.ones(3), np.ones(3), d.xpos[3], 3, out[0])',
        'mujoco.mju_mulMatVec(out[0, :3], d.ximat[2].reshape(3, 3), d.xpos[1])',
        'mujoco.mju_mulMatMatT(out[0, :9].reshape(3, 3), d.xquat[1:4], d.xquat[1:4])',
    ],
    ids=lambda line: line.partition('(')[0],
)
def test_what_is_written_is_what_the_bindings_write(model, data, line):
    call, bindings = both('m, d, out', line)
    ours, theirs = np.zeros((6, model.nv)), np.zeros((6, model.nv))
    call(model, data, ours)
    bindings(model, data, theirs)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    'line',
    [
        'return mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "lower")',
        'return mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_GEOM, "nothing")',
        'return mujoco.mj_getTotalmass(m)',
        'return mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_INTEGRATION)',
        'return mujoco.mj_isDual(m), mujoco.mj_isSparse(m)',
        'return mujoco.mj_version()',
        'return mujoco.mju_norm3(d.xpos[2])',
        'return mujoco.mju_norm(d.qvel)',
        'return mujoco.mju_dot(d.qvel, d.qacc)',
        'return mujoco.mju_sum(d.qvel)',
        'return mujoco.mju_clip(d.qvel[0] + 5, -1.0, 1)',
        'return mujoco.mju_sigmoid(0.3)',
        'return mujoco.mju_muscleBias(0.9, np.array([0.5, 1.5]), 0.1, np.ones(9))',
        'return mujoco.mju_round(2.6), mujoco.mju_isBad(np.nan), mujoco.mju_sign(-3.0)',
    ],
    ids=lambda line: line.partition('mujoco.')[2].partition('(')[0],
)
def test_what_is_returned_is_what_the_bindings_return(model, data, line):
    call, bindings = both('m, d', line)
    assert call(model, data) == bindings(model, data)


def test_sizes_may_be_given_or_left_out(data):
    call, bindings = both(
        'a, b, out',
        'mujoco.mju_add(out[0], a, b)',
        'mujoco.mju_scl(out[1], a, 3.0)',
        'mujoco.mju_addToScl(out[1], b, -2.0)',
    )
    explicit = compiled(
        'a, b, out',
        'mujoco.mju_add(out[0], a, b, len(a))',
        'mujoco.mju_scl(out[1], a, 3.0, len(a))',
        'mujoco.mju_addToScl(out[1], b, -2.0, len(a))',
    )
    a, b = np.linspace(0, 1, 7), np.linspace(3, 5, 7)
    results = [np.zeros((5, 7)) for _ in range(3)]
    for function, out in zip((call, bindings, explicit), results, strict=True):
        function(a, b, out)
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_matrices_are_multiplied_with_sizes_given_or_left_out():
    lines = 'out, a, b', 'mujoco.mju_mulMatMat(out, a, b)', 'return out'
    call, bindings = both(*lines)
    explicit = compiled('out, a, b', 'mujoco.mju_mulMatMat(out, a, b, 2, 3, 4)', 'return out')
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for function in (call, bindings, explicit):
        np.testing.assert_array_equal(function(np.zeros((2, 4)), a, b), a @ b)


def test_the_whole_inertia_matrix_is_the_one_of_the_bindings(model, data):
    lines = 'm, d, out', 'mujoco.mj_fullM(m, d, out)', 'return out'
    call, bindings = both(*lines)
    ours, theirs = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    bindings(model, data, theirs)
    np.testing.assert_array_equal(call(model, data, ours), theirs)
    assert theirs.any()


def test_data_are_stepped_copied_and_reset_as_by_the_bindings(model, data):
    call = compiled(
        'm, d, e',
        'mujoco.mj_copyData(e, m, d)',
        'mujoco.mj_step(m, e)',
        'mujoco.mj_rnePostConstraint(m, e)',
        'mujoco.mj_energyPos(m, e)',
        'mujoco.mj_resetData(m, d)',
    )
    wanted, came = mujoco.MjData(model), mujoco.MjData(model)
    mujoco.mj_copyData(wanted, model, data)
    mujoco.mj_step(model, wanted)
    mujoco.mj_rnePostConstraint(model, wanted)
    mujoco.mj_energyPos(model, wanted)
    call(model, data, came)
    for name in ('qpos', 'qvel', 'cfrc_ext', 'cacc', 'energy', 'sensordata'):
        np.testing.assert_array_equal(getattr(came, name), getattr(wanted, name))
    assert wanted.cfrc_ext.any()
    assert data.time == 0


def test_a_ray_finds_what_it_finds_through_the_bindings(model, data):
    extra = ', None' if 'normal' in [p.name for p in FUNCTIONS['mj_ray'].parameters] else ''
    arguments = f'm, d, point, direction, None, 1, -1, geom{extra}'
    call = compiled('m, d, point, direction, geom', f'return mujoco.mj_ray({arguments})')
    point, direction = np.array([0, 0, 3.0]), np.array([0, 0, -1.0])
    ours, theirs = np.zeros(1, np.int32), np.zeros((1, 1), np.int32)
    normal = [None] if extra else []
    wanted = mujoco.mj_ray(model, data, point, direction, None, 1, -1, theirs, *normal)
    assert call(model, data, point, direction, ours) == wanted > 0
    assert ours[0] == theirs[0, 0] >= 0
