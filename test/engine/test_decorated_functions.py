"""Functions that are already decorated when they are passed to the compiler."""

from __future__ import annotations

import functools

import mujoco
import numba
import numpy as np
import pytest

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback, inlined, new_state
from mujoco_ros_py.engine.engine_plugins import Capability, EnginePlugin, register
from mujoco_ros_py.errors import IndexRangeError, PluginError

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@numba.njit
def by_numba(state, model, data):
    state.out = 1.0


@numba.jit(nopython=True, nogil=True, fastmath=True)
def by_numba_with_options(state, model, data):
    state.out = 1.0


@inlined
def by_helper(state, model, data):
    state.out = 1.0


@numba.njit(error_model='numpy')
def divide(state, model, data):
    state.out = 1.0 / (data.time * 0.0)


@numba.njit(boundscheck=True)
def read_beyond(state, model, data):
    state.out = data.qpos[model.nq]


@pytest.mark.parametrize('function', [by_numba, by_numba_with_options, by_helper])
@pytest.mark.parametrize('checked', [False, True])
def test_a_callback_may_be_decorated(model, run, function, checked):
    state = new_state(out=0.0)
    run(model, table=CallbackTable([_compile(function, state, checked)]))
    assert state.out == 1.0


def test_the_options_of_numba_are_kept(model, run):
    state, faults = new_state(out=0.0), []
    table = CallbackTable([_compile(divide, state)], lambda index, error: faults.append(error))
    run(model, table=table)
    assert (state.out, faults) == (np.inf, [])
    table = CallbackTable([_compile(read_beyond, state)], lambda index, e: faults.append(e))
    run(model, table=table)
    assert [type(fault) for fault in faults] == [IndexRangeError]


def _compile(function, state=None, checked=False):
    return compile_callback(Point.CONTROL, function, state, boundscheck=checked)


class Method:
    """An object with methods that is callable."""

    def method(self, state, model, data):
        state.out = 1.0

    def __call__(self, state, model, data):
        state.out = 1.0


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (
            Method().method,
            r'Method.method does not compile: it must be a function .* got a method$',
        ),
        (
            functools.partial(by_numba, 1),
            r'does not compile: it must be a function .* got a partial$',
        ),
        (
            Method(),
            r'does not compile: it must be a function .* got a Method$',
        ),
        (
            max,
            r'max does not compile: it must be a function .* got a builtin_function_or_method$',
        ),
        (numba.vectorize(lambda a, b, c: a), r'must be a function .* got a DUFunc$'),
        (numba.cfunc('f8(f8, f8, f8)')(lambda a, b, c: a), r'must be a function .* got a CFunc$'),
    ],
)
def test_what_is_no_function_is_a_plugin_error(function, message):
    with pytest.raises(PluginError, match=message):
        _compile(function, new_state(out=0.0))


@pytest.mark.parametrize('function', [by_numba, Method().method, functools.partial(max, 1)])
def test_only_functions_become_helpers(function):
    with pytest.raises(PluginError, match=r'^@inlined decorates .* do not need @inlined$'):
        inlined(function)


@pytest.mark.slow
@pytest.mark.parametrize('decorate', [numba.njit, inlined])
def test_functions_of_an_engine_plugin_may_be_decorated(decorate):
    def compute_sensor(p, model, data):
        data.sensordata[0] = 7.0

    name = f'test.decorated_{decorate.__name__}'
    members = {'name': name, 'capabilities': Capability.SENSOR}
    function = staticmethod(decorate(compute_sensor))
    register(type('Decorated', (EnginePlugin,), {**members, 'compute_sensor': function}))
    model = mujoco.MjModel.from_xml_string(
        f"""
        <mujoco>
          <extension><plugin plugin="{name}"/></extension>
          <sensor><plugin plugin="{name}" objtype="body" objname="world"/></sensor>
        </mujoco>
        """
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.sensordata[0] == 7.0


@pytest.mark.slow
@pytest.mark.parametrize('decorate', [numba.njit, inlined])
def test_a_distance_may_be_decorated_and_has_a_gradient(decorate):
    def distance(shape, point):
        return np.sqrt(point[0] ** 2 + point[1] ** 2 + point[2] ** 2) - 0.1

    name = f'test.round_{decorate.__name__}'
    members = {'name': name, 'capabilities': Capability.SDF}
    bounds = classmethod(lambda cls, config: (0.1, 0.1, 0.1))
    function = staticmethod(decorate(distance))
    register(type('Round', (EnginePlugin,), {**members, 'bounds': bounds, 'distance': function}))
    model = mujoco.MjModel.from_xml_string(
        f"""
        <mujoco>
          <extension>
            <plugin plugin="{name}"><instance name="round"/></plugin>
          </extension>
          <asset><mesh name="round"><plugin instance="round"/></mesh></asset>
          <worldbody>
            <geom size="0.5" pos="0 0 -0.5"/>
            <body pos="0 0 0.09">
              <freejoint/>
              <geom type="sdf" mesh="round" mass="1"><plugin instance="round"/></geom>
            </body>
          </worldbody>
        </mujoco>
        """
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon
    assert data.contact[0].frame[2] == pytest.approx(1.0, abs=0.05)
