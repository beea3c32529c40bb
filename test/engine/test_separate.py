"""Functions that are compiled separately, once, and called by address."""

from __future__ import annotations

import mujoco
import numba
import numpy as np
import pytest

from mujoco_ros_py.engine import (
    CallbackTable,
    Point,
    compile_callback,
    inlined,
    new_state,
    separate,
)
from mujoco_ros_py.errors import IndexRangeError, PluginError

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
ROW = np.dtype([('value', float), ('steps', np.int64)], align=True)


@separate
def advance_row(row, model, data, gain):
    row.value += gain * model.opt.timestep
    row.steps += twice(row.steps) + model.nq


@inlined
def twice(number):
    return 2 * number


@separate
def read_beyond(row, data):
    row.value = data.qpos[row.steps]


@separate
def refuse(row):
    if row.steps > 0:
        raise ValueError('too many steps')
    row.steps += 1


@separate
def give_back(row):
    return row.value


@separate
def call_unknown(row):
    row.value = unknown_name  # noqa: F821


@separate
def write_out(row):
    print(row.value)


def three_rows(state, model, data):
    for k in range(len(state.rows)):
        advance_row(state.rows[k], model, data, state.gain)


def one_row(state, model, data):
    advance_row(state.rows[0], model, data, 2.0)


def beyond(state, model, data):
    read_beyond(state.rows[0], data)


def refused(state, model, data):
    refuse(state.rows[0])
    state.gain = 7.0


def wants_a_result(state, model, data):
    state.gain = give_back(state.rows[0])


def by_keyword(state, model, data):
    refuse(row=state.rows[0])


def of_unknown(state, model, data):
    call_unknown(state.rows[0])


def printing(state, model, data):
    write_out(state.rows[0])


def state_of(rows=3):
    return new_state(gain=0.5, rows=np.zeros(rows, ROW))


@pytest.fixture
def step(run):
    """`step(function, state, checked)` runs a callback in one step; returns its exceptions."""

    def once(function, state, checked=False):
        faults = []
        callback = compile_callback(Point.CONTROL, function, state, boundscheck=checked)
        table = CallbackTable([callback], lambda index, error: faults.append(error))
        run(mujoco.MjModel.from_xml_string(MODEL), table=table)
        return faults

    return once


def test_it_writes_into_records_like_any_helper(step):
    state = state_of()
    assert step(three_rows, state) == []
    assert list(state.rows['value']) == pytest.approx([0.5 * 0.002] * 3)
    assert list(state.rows['steps']) == [1] * 3


def test_python_calls_it_unchanged():
    state = state_of()
    refused(state, None, None)
    assert (state.gain, state.rows[0].steps) == (7.0, 1)


def test_callers_of_other_states_share_its_code(step, caplog):
    caplog.set_level('INFO')
    step(three_rows, state_of(4))
    caplog.clear()
    step(one_row, state_of(5))
    step(three_rows, state_of(6))
    assert not any('advance_row' in record.message for record in caplog.records)


def test_an_exception_comes_to_the_caller_with_its_place(step):
    state = state_of()
    state.rows[0].steps = 1
    (fault,) = step(refused, state)
    assert repr(fault) == "ValueError('too many steps')"
    assert state.gain == 0.5, 'the caller ends there'
    frame = fault.__traceback__.tb_frame.f_code
    assert (frame.co_name, frame.co_filename) == ('refuse', __file__)


def test_indices_are_checked_where_the_caller_is_checked(step):
    state = state_of()
    state.rows[0].steps = 5
    (fault,) = step(beyond, state, checked=True)
    assert isinstance(fault, IndexRangeError)
    state.rows[0].steps = 0
    assert step(beyond, state) == []


@pytest.mark.parametrize(
    ('function', 'reason'),
    [
        (wants_a_result, 'give_back must return nothing; it returns float64'),
        (by_keyword, 'separate functions take no keyword arguments'),
        (of_unknown, 'call_unknown does not compile'),
        (printing, 'write_out cannot be compiled separately'),
    ],
)
def test_what_cannot_be_compiled_by_itself_is_a_plugin_error(step, function, reason):
    with pytest.raises(PluginError, match=reason):
        step(function, state_of())


def test_only_functions_can_be_separate():
    with pytest.raises(PluginError, match=r'^@separate decorates functions; .* CPUDispatcher$'):
        separate(numba.njit(lambda row: None))
