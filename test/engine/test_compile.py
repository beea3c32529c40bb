"""What becomes of functions that are compiled as callbacks."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback, new_state
from mujoco_ros_py.errors import PluginError

MODEL = """
<mujoco>
  <worldbody><body><joint axis="0 1 0"/><geom size="0.1" pos="1 0 0"/></body></worldbody>
</mujoco>
"""
GAIN = 0.25
OFFSETS = np.array([1.0, 2.0])
PAIRS = ((1, 2.5), (3,))


@njit
def clamp(value, limit):
    return max(-limit, min(limit, value))


def use_all_kinds_of_globals(state, model, data):
    state.out = clamp(GAIN * 100, 5.0) + OFFSETS[1] + np.pi * 0 + PAIRS[0][1]


def allocate(state, model, data):
    values = np.zeros(10)
    values[3] = data.time + 1
    state.out = values.sum()


def call_libmujoco(state, model, data):
    jacobian = np.zeros((3, model.nv))
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, 'world')
    mujoco.mj_jacBody(model, data, jacobian, None, body + 1)
    state.out = jacobian[2, 0]


def print_it(state, model, data):
    print('printed', state.out)


def without_state(state, model, data):
    data.qfrc_applied[0] = 3.0


def spell_wrong(state, model, data):
    data.ctlr[0] = 1.0


def miss_field(state, model, data):
    state.gian = 1.0


def use_objects(state, model, data):
    data.ctrl[0] = {'a': object()}


def return_a_number(state, model, data):
    return data.time


def return_none(state, model, data):
    if data.time > 0:
        return
    state.out = 1.0


def take_too_few(data):
    data.time = 0.0


def write_beyond(state, model, data):
    data.qvel[state.index] = 0.0
    state.after += 1


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def out(model, run):
    """What a callback leaves in `state.out`."""

    def result(function):
        state = new_state(out=-1.0)
        run(model, table=CallbackTable([compile_callback(Point.CONTROL, function, state)]))
        return float(state.out)

    return result


def test_globals_are_constants_and_compiled_functions_are_called(out):
    assert out(use_all_kinds_of_globals) == 5.0 + 2.0 + 2.5


def test_arrays_can_be_allocated(out):
    assert out(allocate) == 1.0


def test_functions_of_the_library_are_called(out):
    assert out(call_libmujoco) == pytest.approx(0.0)


def test_print_works(out, capfd):
    out(print_it)
    assert capfd.readouterr().out == 'printed -1.0\n'


def test_a_callback_needs_no_state(model, run):
    data = mujoco.MjData(model)
    run(model, data, CallbackTable([compile_callback(Point.CONTROL, without_state, None)]))
    assert data.qfrc_applied[0] == 3.0


def test_return_without_a_value_is_allowed(out):
    assert out(return_none) == 1.0


@pytest.mark.parametrize(
    ('function', 'message'),
    [
        (spell_wrong, r"spell_wrong does not compile: (.|\n)*Unknown attribute 'ctlr'"),
        (miss_field, r'miss_field does not compile: (.|\n)*gian'),
        (use_objects, r'use_objects does not compile: '),
        (take_too_few, r'take_too_few does not compile: '),
        (return_a_number, r'return_a_number must return nothing, returns float64'),
    ],
)
def test_what_cannot_be_compiled_is_a_plugin_error_that_says_why(function, message):
    with pytest.raises(PluginError, match=message):
        compile_callback(Point.CONTROL, function, new_state(out=0.0))


def test_an_error_of_compilation_tells_the_line():
    with pytest.raises(PluginError, match=r'data\.ctlr\[0\] = 1\.0'):
        compile_callback(Point.CONTROL, spell_wrong, None)


def test_bounds_are_checked_on_demand(model, run):
    faults = []
    state = new_state(index=1_000, after=0)
    callback = compile_callback(Point.CONTROL, write_beyond, state, boundscheck=True)
    table = CallbackTable([callback], lambda index, error: faults.append(error))
    run(model, table=table)
    assert [type(error) for error in faults] == [IndexError]
    assert state.after == 0
    state.index = 0
    run(model, table=table)
    assert (len(faults), state.after) == (1, 1)


def test_bounds_are_not_checked_otherwise_and_both_kinds_live_side_by_side(model, run):
    faults, states = [], [new_state(index=-1, after=0) for _ in range(3)]
    callbacks = [
        compile_callback(Point.CONTROL, write_beyond, state, boundscheck=checked)
        for state, checked in zip(states, (True, False, True), strict=True)
    ]
    states[0].index = states[2].index = 50
    run(model, table=CallbackTable(callbacks, lambda index, error: faults.append(index)))
    assert faults == [0, 2]
    assert states[1].after == 1


@pytest.mark.parametrize('checked', [False, True])
def test_a_function_that_stands_in_no_file_compiles(out, checked):
    namespace: dict = {}
    exec('def callback(state, model, data):\n    state.out = 12.5', namespace)
    assert out(namespace['callback']) == 12.5


def test_a_function_made_by_a_function_has_its_own_values(out):
    def make(value):
        def callback(state, model, data):
            state.out = value

        return callback

    assert [out(make(value)) for value in (1.0, 2.0, 3.0)] == [1.0, 2.0, 3.0]


def test_a_lambda_compiles(model, run):
    data = mujoco.MjData(model)
    table = CallbackTable([compile_callback(Point.CONTROL, lambda s, m, d: None, None)])
    run(model, data, table)
    assert data.time > 0
