"""Exceptions in parallel loops: the callback raises them, on whichever thread they occur."""

from __future__ import annotations

import traceback

import mujoco
import numpy as np
import pytest
from numba import njit, prange

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    compile_callback,
    new_state,
)
from mujoco_ros_py.errors import IndexRangeError

pytestmark = pytest.mark.slow

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CONTROL = PHYSICS[0]
STEPS = 30
"""Enough for a fault to occur on the thread of the callback and on a pool thread."""


@njit(parallel=True)
def fill(array, count):
    for k in prange(count):
        array[k] = 1.0


@njit
def accepted(number, k, refused):
    if k == refused:
        raise ValueError('refused', k)
    return number


@njit(parallel=True)
def total(array, refused):
    added = 0.0
    for k in prange(array.size):
        added += accepted(array[k], k, refused)
    return added


def fill_with_ones(state, model, data):
    fill(state.room, state.count)


def sum_up(state, model, data):
    state.added = total(state.room, state.refused)


def sum_up_in_any_case(state, model, data):
    try:
        state.added = total(state.room, state.refused)
    except Exception:
        state.faults += 1


@pytest.fixture
def stepped(run):
    """Makes steps with a callback; returns the exceptions that it raised."""
    reported: list[BaseException] = []

    def step(function, state):
        def count(state, model, data):
            state.calls += 1

        calls = new_state(calls=0)
        compiled = [
            compile_callback(CONTROL, function, state, boundscheck=True),
            compile_callback(CONTROL, count, calls),
        ]
        table = CallbackTable(compiled, lambda index, error: reported.append(error))
        loop = run(mujoco.MjModel.from_xml_string(MODEL), table=table, steps=STEPS)
        assert (loop.record.steps, calls.calls) == (STEPS, STEPS)
        return reported

    return step


def test_an_index_outside_is_the_callbacks_exception_with_its_line(stepped):
    state = new_state(room=np.zeros(8), count=9)
    errors = stepped(fill_with_ones, state)
    assert [(type(error), error.args) for error in errors] == [
        (IndexRangeError, ('axis 0', 8, 8))
    ] * STEPS
    (frame,) = traceback.extract_tb(errors[0].__traceback__)
    line = fill.py_func.__code__.co_firstlineno + 3
    assert (frame.filename, frame.name, frame.lineno) == (__file__, 'fill', line)
    assert state.room.tolist() == [1.0] * 8


def test_of_many_exceptions_of_one_loop_one_is_raised(stepped):
    state = new_state(room=np.zeros(8), count=1000)
    errors = stepped(fill_with_ones, state)
    assert len(errors) == STEPS
    assert all(8 <= error.args[1] < 1000 and error.args[2] == 8 for error in errors)


def test_a_loop_without_a_fault_raises_nothing(stepped):
    state = new_state(room=np.full(1000, 0.5), refused=-1, added=0.0)
    assert stepped(sum_up, state) == []
    assert state.added == 500.0


def test_what_an_iteration_raises_is_raised(stepped):
    state = new_state(room=np.full(1000, 0.5), refused=998, added=0.0)
    errors = stepped(sum_up, state)
    assert [(type(error), error.args) for error in errors] == [
        (ValueError, ('refused', 998))
    ] * STEPS
    assert state.added == 0.0


def test_a_callback_can_catch_it_and_run_the_loop_again(stepped):
    state = new_state(room=np.full(1000, 0.5), refused=998, added=0.0, faults=0)
    assert stepped(sum_up_in_any_case, state) == []
    assert (state.faults, state.added) == (STEPS, 0.0)
    state.refused = -1
    assert stepped(sum_up_in_any_case, state) == []
    assert (state.faults, state.added) == (STEPS, 500.0)
