"""Whole-array statements: their results, their errors, and their cached code."""

from __future__ import annotations

import traceback

import mujoco
import numpy as np
import pytest
from numba import njit

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback, machine_code, new_state
from mujoco_ros_py.errors import BroadcastError

MODEL = """
<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size="1"/><body><joint name="b"/><geom size="1"/></body></body>
  </worldbody>
  <actuator><motor joint="a"/><motor joint="b"/></actuator>
</mujoco>
"""


def assign(state, model, data):
    data.ctrl[:] = state.given


def assign_a_row(state, model, data):
    data.xfrc_applied[1, 2:4] = state.given


def assign_many(state, model, data):
    data.ctrl[np.array([1, 0])] = state.given


def assign_where(state, model, data):
    data.ctrl[data.ctrl > -1.0] = state.given


def assign_a_column(state, model, data):
    state.square[:, 1] = state.given


def subtract(state, model, data):
    data.qfrc_applied[:] -= 0.5 * state.given


def subtract_from_a_name(state, model, data):
    force = data.qfrc_applied
    force -= state.given


def multiply_rows(state, model, data):
    state.square *= state.given


def compute_into(state, model, data):
    np.add(data.ctrl, state.given, data.ctrl)


def compute_one_into(state, model, data):
    np.sin(state.given, data.ctrl)


@njit
def copy_into(target, given):
    target[:] = given


def assign_in_a_helper(state, model, data):
    copy_into(data.ctrl, state.given)


STATEMENTS = [
    assign,
    assign_many,
    subtract,
    compute_into,
    assign_in_a_helper,
    *(
        pytest.param(each, marks=pytest.mark.slow)
        for each in (
            assign_a_row,
            assign_where,
            assign_a_column,
            subtract_from_a_name,
            multiply_rows,
            compute_one_into,
        )
    ),
]


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def step(run, model):
    """`step(function, given)` calls a function in one step; returns state, data and errors."""

    def once(function, given):
        state, data, errors = state_with(given), mujoco.MjData(model), []
        data.ctrl[:] = 0.25, 0.5
        callback = compile_callback(Point.CONTROL, function, state)
        table = CallbackTable([callback], lambda index, error: errors.append(error))
        run(model, data, table)
        return state, data, errors

    return once


def state_with(given):
    return new_state(given=np.array(given, float), square=np.array([[1.0, 2.0], [3.0, 4.0]]))


def in_python(function, *arguments):
    """Runs a callback with NumPy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), 'copy_into', copy_into.py_func)
        function(*arguments)


def numbers(state, data):
    return [
        np.array(each) for each in (data.ctrl, data.qfrc_applied, data.xfrc_applied, state.square)
    ]


@pytest.mark.parametrize('given', [[3.0, -7.0], pytest.param([5.0], marks=pytest.mark.slow)])
@pytest.mark.parametrize('function', STATEMENTS)
def test_a_statement_gives_what_numpy_gives(step, model, function, given):
    state, data, errors = step(function, given)
    expected, its_data = state_with(given), mujoco.MjData(model)
    its_data.ctrl[:] = 0.25, 0.5
    in_python(function, expected, model, its_data)
    assert errors == []
    for came, wanted in zip(numbers(state, data), numbers(expected, its_data), strict=True):
        np.testing.assert_allclose(came, wanted, rtol=1e-15)


@pytest.mark.parametrize('given', [[1.0, 2.0, 3.0], pytest.param([], marks=pytest.mark.slow)])
@pytest.mark.parametrize('function', STATEMENTS)
def test_another_length_is_an_error_with_the_line_and_changes_nothing(
    step, model, function, given
):
    state, data, errors = step(function, given)
    with pytest.raises(ValueError, match=r'shape|cannot assign'):
        in_python(function, state_with(given), model, mujoco.MjData(model))
    (error,) = errors
    (frame,) = traceback.extract_tb(error.__traceback__)
    assert isinstance(error, ValueError)
    code = (copy_into.py_func if function is assign_in_a_helper else function).__code__
    assert (frame.filename, frame.name) == (__file__, code.co_name)
    assert code.co_firstlineno < frame.lineno <= code.co_firstlineno + 2
    untouched = state_with(given), mujoco.MjData(model)
    untouched[1].ctrl[:] = 0.25, 0.5
    for came, wanted in zip(numbers(state, data), numbers(*untouched), strict=True):
        np.testing.assert_array_equal(came, wanted)


def test_the_error_has_the_shapes_as_numpy_tells_them(step, model):
    with pytest.raises(ValueError, match='broadcast') as of_numpy:
        assign(state_with([1.0, 2.0, 3.0]), model, mujoco.MjData(model))
    _, _, (error,) = step(assign, [1.0, 2.0, 3.0])
    assert str(error) == str(of_numpy.value)
    assert str(BroadcastError(2, 2, 3, 4, 5)) == (
        'could not broadcast input array from shape (2, 3) into shape (4, 5)'
    )


def test_the_function_may_catch_the_error(step):
    def careful(state, model, data):
        try:
            data.ctrl[:] = state.given
        except Exception:
            data.qfrc_applied[0] = 1.0
        try:
            data.ctrl[:] += state.given
        except Exception:
            data.qfrc_applied[1] = 2.0

    _, data, errors = step(careful, [1.0, 2.0, 3.0])
    assert errors == []
    assert (list(data.ctrl), list(data.qfrc_applied)) == ([0.25, 0.5], [1.0, 2.0])


@pytest.mark.parametrize('function', [assign, subtract, assign_in_a_helper])
def test_the_code_is_kept_for_other_processes(function, caplog, monkeypatch):
    caplog.set_level('INFO')
    compile_callback(Point.CONTROL, function, state_with([1.0, 2.0]))
    caplog.clear()
    monkeypatch.setattr(machine_code, '_loaded', {})  # as in another process
    compile_callback(Point.CONTROL, function, state_with([1.0, 2.0]))
    assert caplog.messages == []


@pytest.mark.slow
def test_functions_that_python_calls_stay_as_numba_has_them(step):
    step(assign_in_a_helper, [1.0, 2.0])

    @njit
    def own(target, given):
        target[:] = given

    with pytest.raises(ValueError, match=r'cannot assign slice of shape \(2,\)'):
        own(np.zeros(2), np.zeros(3))
    target = np.zeros(2)
    own(target, np.array([1.0, 2.0]))
    assert list(target) == [1.0, 2.0]
