"""Callbacks and engine plugins that call their callers."""

from __future__ import annotations

import ctypes
import math

import mujoco
import numba
import numpy as np
import pytest

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    Outcome,
    compile_callback,
    inlined,
    new_state,
    python_callback,
)
from mujoco_ros_py.engine.compiled.engine_plugin_entries import may_come_back
from mujoco_ros_py.engine.compiled.pipeline import compile_function
from mujoco_ros_py.engine.compiled.struct_types import Data, Model
from mujoco_ros_py.engine.engine_plugins import register
from mujoco_ros_py.engine.state_record import record_type

from .engine_plugins.models import WarmMotor, warm_motor

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CONTROL, PASSIVE, LAST_STAGE = PHYSICS
ENTRY = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}
"""Without numba's Python wrappers of a function."""


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


def forward(state, model, data):
    state.calls += 1
    mujoco.mj_forward(model, data)


def step(state, model, data):
    state.calls += 1
    mujoco.mj_step(model, data)


def step_in_parts(state, model, data):
    state.calls += 1
    mujoco.mj_step1(model, data)
    mujoco.mj_step2(model, data)


def skip(state, model, data):
    state.calls += 1
    mujoco.mj_forwardSkip(model, data, mujoco.mjtStage.mjSTAGE_NONE, 0)


def invert(state, model, data):
    state.calls += 1
    mujoco.mj_inverse(model, data)


def count(state, model, data):
    state.calls += 1


def fail_fatally(state, model, data):
    state.calls += 1
    if state.calls == 1:
        mujoco.mj_stateSize(model, 2**30)


PASSES = forward, step, step_in_parts, skip, invert
PAIRWISE = [
    (point, function, ('compiled', 'python')[(i + j) % 2])
    for i, point in enumerate(PHYSICS)
    for j, function in enumerate(PASSES)
]


@pytest.mark.parametrize(('point', 'function', 'kind'), PAIRWISE)
def test_a_callback_is_not_called_inside_of_itself(model, run, point, function, kind):
    data, state = mujoco.MjData(model), new_state(calls=0)
    if kind == 'compiled':
        callback = compile_callback(point, function, state)
    else:
        callback = python_callback(point, lambda: function(state, model, data))
    run(model, data, CallbackTable([callback]), steps=3)
    assert state.calls == 3


def test_a_callback_hears_of_passes_that_another_kind_makes(model, run):
    outer, inner = new_state(calls=0), new_state(calls=0)
    callbacks = [
        compile_callback(CONTROL, forward, outer),
        compile_callback(PASSIVE, count, inner),
    ]
    loop = run(model, table=CallbackTable(callbacks), steps=3)
    assert (outer.calls, inner.calls) == (3, 6)
    assert loop.running is None


def test_a_fatal_error_inside_that_a_callback_catches_silences_nobody(model, run):
    data, inner, caught = mujoco.MjData(model), new_state(calls=0), []

    def nested():
        try:
            mujoco.mj_forward(model, data)
        except mujoco.FatalError as error:
            caught.append(str(error))

    callbacks = [python_callback(CONTROL, nested), compile_callback(PASSIVE, fail_fatally, inner)]
    table = CallbackTable(callbacks)
    inner.calls = -1  # the outer pass is the first
    run(model, data, table, steps=1)
    assert len(caught) == 1
    before = int(inner.calls)
    run(model, data, table, steps=1)
    assert inner.calls == before + 2


def test_a_fatal_error_that_ends_the_step_silences_nobody_after_a_reset(model, run, advance):
    data, state = mujoco.MjData(model), new_state(calls=0)
    loop = run(
        model, data, CallbackTable([compile_callback(CONTROL, fail_fatally, state)]), steps=0
    )
    loop.record.paused, loop.record.burst = 1, 1
    assert loop.run() is Outcome.ERROR
    mujoco.mj_resetData(model, data)
    loop.forget_running()
    loop.record.failed = 0
    advance(loop, 2)
    assert state.calls == 3


class Recursive(WarmMotor):
    """A plugin with a function that makes a step itself, and counts its calls."""

    @classmethod
    def parameters(cls, config, instance):
        return {**WarmMotor.parameters(config, instance), 'calls': 0}


@pytest.mark.parametrize(
    'method', ['compute_actuator', 'compute_sensor', 'advance', 'actuator_act_dot']
)
def test_a_function_of_an_engine_plugin_is_not_called_inside_of_itself(method):
    name = f'test.recursive_{method}'
    register(type('Stepping', (Recursive,), {'name': name, method: staticmethod(step)}))
    _assert_each_step_makes_one_more(warm_motor(name))


@inlined
def step_in_helper(model, data):
    mujoco.mj_step(model, data)


@numba.njit
def step_in_njit(model, data):
    step_in_helper(model, data)


def by_helper(p, model, data):
    p.calls += 1
    step_in_helper(model, data)


def by_njit(p, model, data):
    p.calls += 1
    step_in_njit(model, data)


def by_objmode(p, model, data):
    p.calls += 1
    with numba.objmode():
        step_current()


def by_ctypes(p, model, data):
    p.calls += 1
    c_step()


def step_current():
    mujoco.mj_step(*current)


current: list[object] = []
"""Model and data, for Python code that compiled code calls."""
c_step = ctypes.CFUNCTYPE(None)(step_current)


@pytest.mark.filterwarnings('ignore:Code running in object mode')
@pytest.mark.parametrize('way', [by_helper, by_njit, by_objmode, by_ctypes])
def test_no_way_leads_a_function_of_an_engine_plugin_into_itself(way):
    name = f'test.recursive_{way.__name__}'
    register(type('Stepping', (Recursive,), {'name': name, 'advance': staticmethod(way)}))
    _assert_each_step_makes_one_more(warm_motor(name))


def _assert_each_step_makes_one_more(model):
    data = mujoco.MjData(model)
    current[:] = model, data
    for _ in range(3):
        mujoco.mj_step(model, data)
    assert data.time == pytest.approx(6 * model.opt.timestep)
    mujoco.mj_resetData(model, data)
    mujoco.mj_step(model, data)
    assert data.time == pytest.approx(2 * model.opt.timestep)


def calculate(p, model, data):
    values = np.zeros(p.count)
    values[0] = values.sum() + math.atan2(p.total, 2.0)
    p.total = values[0] + mujoco.mju_norm(data.qpos)
    mujoco.mju_copy(data.ctrl, data.ctrl)
    if p.total < 0.0:
        raise ValueError(p.total)


def jacobian(p, model, data):
    mujoco.mj_jacBody(model, data, np.zeros((3, 1)), np.zeros((3, 1)), p.count)


def printing(p, model, data):
    print(p.total)


@pytest.mark.parametrize(
    ('function', 'may'), [(calculate, False), (jacobian, True), (printing, True)]
)
def test_only_what_calls_the_pipeline_or_python_may_come_back(function, may):
    state = record_type(new_state(total=0.0, count=1))
    compiled = compile_function(function, (numba.from_dtype(state), Model, Data), **ENTRY)
    assert may_come_back(compiled) is may
