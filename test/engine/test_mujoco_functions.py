"""libmujoco's functions in compiled code give the same results as the bindings."""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco.introspect.functions import FUNCTIONS
from numba import njit

from mujoco_ros_py.engine.compiled.mujoco_functions import function_type


def compiled(*lines: str):
    """Returns a compiled function of model, data and arguments, from lines of source."""
    head, *body = lines
    namespace = {'mujoco': mujoco, 'np': np}
    exec('\n    '.join([f'def call({head}):', *body]), namespace)
    return njit(namespace['call'])


def both(*lines: str):
    """Returns the same function compiled, and in Python calling the bindings."""
    call = compiled(*lines)
    return call, call.py_func


def test_most_functions_of_the_library_can_be_called():
    callable_names = {name for name in FUNCTIONS if function_type(name) is not None}
    reachable = {name for name in callable_names if hasattr(mujoco, name)}
    assert len(callable_names) >= 480
    assert len(reachable) >= 270
    # All physics and math functions of the bindings, except functions that return text or pointers
    # to numbers, and functions that the bindings extend beyond the C function.
    physics = {name for name in FUNCTIONS if hasattr(mujoco, name) and name[:3] in ('mj_', 'mju')}
    assert physics - reachable == {
        'mj_actuatorInputName', 'mj_embedAssets', 'mj_id2name', 'mj_loadAllPluginLibraries',
        'mj_loadTexture', 'mj_printSchema', 'mj_readCtrl', 'mj_readSensor', 'mj_saveLastXML',
        'mj_setLengthRange', 'mj_versionString', 'mju_type2Str', 'mju_warningText',
        'mju_writeNumBytes',
    }  # fmt: skip


def test_what_is_written_is_what_the_bindings_write(model, data):
    lines = [
        'mujoco.mj_jac(m, d, out[:3], out[3:6], d.xpos[3], 3)',
        'mujoco.mj_jacBody(m, d, out[:3], None, 4)',
        'mujoco.mj_jacSite(m, d, None, out[3:6], 1)',
        'mujoco.mj_contactForce(m, d, d.ncon - 1, out[0, :6])',
        'mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_BODY, 3, out[0, :6], 1)',
        'mujoco.mj_solveM(m, d, out[:1], d.qvel.reshape(1, -1))',
        'mujoco.mj_differentiatePos(m, out[0], 0.5, m.qpos0, d.qpos)',
        'mujoco.mj_applyFT(m, d, np.ones(3), np.ones(3), d.xpos[3], 3, out[0])',
        'mujoco.mju_mulMatMatT(out[0, :9].reshape(3, 3), d.xquat[1:4], d.xquat[1:4])',
        'mujoco.mj_fullM(m, d, out)',
    ]
    numbered = [line.replace('out[', f'out[{k}][') for k, line in enumerate(lines[:-1])]
    call, bindings = both('m, d, out', *numbered, lines[-1].replace('out', 'out[-1]'))
    ours, theirs = np.zeros((2, len(lines), model.nv, model.nv))
    call(model, data, ours)
    bindings(model, data, theirs)
    for line, mine, wanted in zip(lines, ours, theirs, strict=True):
        assert wanted.any(), line
        np.testing.assert_array_equal(mine, wanted, line)


def test_what_is_returned_is_what_the_bindings_return(model, data):
    terms = [
        'mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "lower")',
        'mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_GEOM, "nothing")',
        'mujoco.mj_getTotalmass(m)',
        'mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_INTEGRATION)',
        'mujoco.mj_isDual(m)',
        'mujoco.mj_version()',
        'mujoco.mju_norm(d.qvel)',
        'mujoco.mju_clip(d.qvel[0] + 5, -1.0, 1)',
        'mujoco.mju_muscleBias(0.9, np.array([0.5, 1.5]), 0.1, np.ones(9))',
        'mujoco.mju_round(2.6)',
        'mujoco.mju_isBad(np.nan)',
    ]
    call, bindings = both('m, d', f'return {", ".join(terms)}')
    found, wanted = (dict(zip(terms, f(model, data), strict=True)) for f in (call, bindings))
    assert found == wanted


def test_sizes_may_be_given_or_left_out():
    def lines(vector, matrix):
        return (
            'total, out, a, b',
            f'mujoco.mju_addToScl(total, b[1], -2.0{vector})',
            f'mujoco.mju_mulMatMat(out, a, b{matrix})',
        )

    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    for function in (*both(*lines('', '')), compiled(*lines(', 4', ', 2, 3, 4'))):
        total, out = np.ones(4), np.zeros((2, 4))
        function(total, out, a, b)
        np.testing.assert_array_equal(total, 1 - 2 * b[1])
        np.testing.assert_array_equal(out, a @ b)


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
