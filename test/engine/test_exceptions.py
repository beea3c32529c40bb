"""Exceptions in compiled callbacks are reported once each, and other callbacks keep running."""

from __future__ import annotations

import gc
import sys
import traceback
import weakref

import mujoco
import numpy as np
import pytest
from numba import njit, types
from numba.extending import overload, overload_method

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    compile_callback,
    machine_code,
    new_state,
    python_callback,
)
from mujoco_ros_py.errors import ArraySizeError, IndexRangeError

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CONTROL, PASSIVE, LAST_STAGE = PHYSICS
FROM_THE_END = 'index -2 is out of bounds for'


class OutOfReachError(Exception):
    pass


def raise_value_error(state, model, data):
    if data.time > 0.003:
        raise ValueError('the arm is gone')


def divide_by_zero(state, model, data):
    data.qfrc_applied[0] = 1 / int(data.time * 0)


def raise_own(state, model, data):
    raise OutOfReachError('too far', 7)


def raise_bare(state, model, data):
    raise RuntimeError


def raise_assertion(state, model, data):
    if data.time >= 0:
        raise AssertionError('time runs')


def index_a_contact(state, model, data):
    data.contact[3].dist = 0.0


def fail_inside(state, model, data):
    for index in range(3):
        if index == 2:
            raise KeyError('deep')


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def faults():
    """Returns the list of a table's reports, and the function that the table reports to."""
    reported = []
    return reported, lambda index, error: reported.append((index, error))


def compiled(point, function, state=None):
    return compile_callback(point, function, state)


@pytest.mark.parametrize(
    ('function', 'kind', 'arguments'),
    [
        (divide_by_zero, ZeroDivisionError, ('division by zero',)),
        (raise_own, OutOfReachError, ('too far', 7)),
        (raise_bare, RuntimeError, ()),
        (raise_assertion, AssertionError, ('time runs',)),
        (index_a_contact, IndexRangeError, ('an array of mjContact', 3, 0)),
        (fail_inside, KeyError, ('deep',)),
    ],
)
@pytest.mark.parametrize(
    'point', [CONTROL, *(pytest.param(each, marks=pytest.mark.slow) for each in PHYSICS[1:])]
)
def test_type_and_arguments_are_reported(model, run, faults, point, function, kind, arguments):
    reported, report = faults
    run(model, table=CallbackTable([compiled(point, function)], report))
    ((index, error),) = reported
    assert (index, type(error), error.args) == (0, kind, arguments)


def test_the_reporter_is_called_once_for_each_raise(model, run, faults):
    reported, report = faults
    run(model, table=CallbackTable([compiled(CONTROL, raise_value_error)], report), steps=10)
    assert len(reported) == 8
    assert {str(error) for _, error in reported} == {'the arm is gone'}


def test_the_traceback_tells_file_and_line(model, run, faults):
    reported, report = faults
    run(model, table=CallbackTable([compiled(CONTROL, raise_value_error)], report), steps=5)
    (frame, *_) = traceback.extract_tb(reported[0][1].__traceback__)
    line = raise_value_error.__code__.co_firstlineno + 2
    assert (frame.filename, frame.name, frame.lineno) == (__file__, 'raise_value_error', line)


def test_the_others_go_on(model, run, faults):
    reported, report = faults
    state, calls = new_state(count=0), []

    def count(state, model, data):
        state.count += 1

    callbacks = [
        compiled(CONTROL, raise_own),
        compiled(CONTROL, count, state),
        python_callback(CONTROL, lambda: calls.append(1)),
        compiled(LAST_STAGE, divide_by_zero),
        compiled(LAST_STAGE, count, state),
    ]
    loop = run(model, table=CallbackTable(callbacks, report), steps=3)
    assert loop.record.steps == 3
    assert state.count == 6
    assert len(calls) == 3
    assert [index for index, _ in reported] == [0, 3] * 3


def test_a_reporter_that_disables_hears_of_it_once(model, run):
    reported = []

    def report(index, error):
        reported.append(index)
        table.disable(index)

    table = CallbackTable([compiled(CONTROL, raise_own), compiled(PASSIVE, raise_bare)], report)
    run(model, table=table, steps=50)
    assert sorted(reported) == [0, 1]


def test_a_reporter_that_raises_is_unraisable_and_the_step_goes_on(model, run, monkeypatch):
    lost = []
    monkeypatch.setattr(
        sys, 'unraisablehook', lambda unraisable: lost.append(unraisable.exc_value)
    )

    def report(index, error):
        raise LookupError('nobody listens')

    loop = run(model, table=CallbackTable([compiled(CONTROL, raise_own)], report), steps=2)
    assert [str(error) for error in lost] == ['nobody listens'] * 2
    assert loop.record.steps == 2


def test_without_a_reporter_an_exception_is_unraisable_and_the_step_goes_on(
    model, run, monkeypatch
):
    lost = []
    monkeypatch.setattr(
        sys, 'unraisablehook', lambda unraisable: lost.append(unraisable.exc_value)
    )
    loop = run(model, table=CallbackTable([compiled(CONTROL, raise_own)]), steps=2)
    assert len(lost) == 2
    assert loop.record.steps == 2


def test_exceptions_are_freed(model, run):
    reported = []
    table = CallbackTable(
        [compiled(CONTROL, raise_own)], lambda index, error: reported.append(weakref.ref(error))
    )
    run(model, table=table, steps=1000)
    gc.collect()
    assert [reference() for reference in reported] == [None] * 1000


@njit
def element(values, index):
    return values[index]


@njit
def remaining(values, count):
    return np.zeros(len(values) - count)


def read_in_a_helper(state, model, data):
    data.qfrc_applied[0] = element(data.qpos, 1_000_000_000)


def allocate_in_a_helper(state, model, data):
    data.qfrc_applied[0] = remaining(data.qpos, 5).sum()


def reshape_wrongly(state, model, data):
    data.qfrc_applied[0] = data.xpos.reshape((4, 2))[0, 0]


def add_other_lengths(state, model, data):
    data.qfrc_applied[0] = (data.qpos + np.zeros(2) + data.xpos[:, 0] + np.zeros(3)).sum()


def take_the_largest_of_nothing(state, model, data):
    data.qfrc_applied[0] = data.ctrl.max()


def look_up_a_missing_key(state, model, data):
    data.qfrc_applied[0] = {1: 2.0}[model.nv + 1]


@njit
def interpolated(values):
    return np.interp(0.5, values, np.zeros(3))


def interpolate_in_a_helper(state, model, data):
    data.qfrc_applied[0] = interpolated(data.xpos[:, 0])


def give_a_short_array(state, model, data):
    mujoco.mj_jacBody(model, data, np.zeros(2), None, 1)


def overloaded():
    """Compiled code runs another function instead."""


def overloaded_in_python(values, index):
    return values[index]


@overload(overloaded)
def overload_it(values, index):
    return overloaded_in_python


@overload_method(types.Array, 'at_for_test')
def overload_method_of_arrays(values, index):
    def read(values, index):
        return values[index]

    return read


def read_in_an_overload(state, model, data):
    data.qfrc_applied[0] = overloaded(data.qpos, 10**9)


def read_in_a_method(state, model, data):
    data.qfrc_applied[0] = data.qpos.at_for_test(10**9)


@pytest.mark.parametrize(
    ('function', 'raising', 'kind', 'line'),
    [
        (divide_by_zero, divide_by_zero, ZeroDivisionError, 1),
        (index_a_contact, index_a_contact, IndexRangeError, 1),
        (read_in_an_overload, overloaded_in_python, IndexRangeError, 1),
        (read_in_a_helper, element.py_func, IndexRangeError, 2),
        (allocate_in_a_helper, remaining.py_func, ValueError, 2),
        (give_a_short_array, give_a_short_array, ArraySizeError, 1),
        (reshape_wrongly, reshape_wrongly, ValueError, 1),
        *(
            pytest.param(*row, marks=pytest.mark.slow)  # compiling takes seconds
            for row in (
                (add_other_lengths, add_other_lengths, ValueError, 1),
                (take_the_largest_of_nothing, take_the_largest_of_nothing, ValueError, 1),
                (look_up_a_missing_key, look_up_a_missing_key, KeyError, 1),
                (interpolate_in_a_helper, interpolated.py_func, ValueError, 2),
            )
        ),
    ],
)
def test_what_the_compiler_raises_for_the_user_tells_the_users_line(
    model, run, faults, function, raising, kind, line
):
    reported, report = faults
    callback = compile_callback(CONTROL, function, None, boundscheck=True)
    run(model, table=CallbackTable([callback], report))
    ((_, error),) = reported
    (frame,) = traceback.extract_tb(error.__traceback__)
    wanted = __file__, raising.__name__, raising.__code__.co_firstlineno + line
    assert (type(error), frame.filename, frame.name, frame.lineno) == (kind, *wanted)


def read_from_the_end(state, model, data):
    data.qfrc_applied[0] = data.qpos[-5]


def write_beyond_an_axis(state, model, data):
    data.xpos[1, model.nv + 6] = 0.0


def write_to_many(state, model, data):
    values = np.zeros(3)
    values[np.array([1, 2, 7])] = 1.0


def index_contacts_from_the_end(state, model, data):
    data.contact[-1 - model.nv].dist = 0.0


def loop_too_far(state, model, data):
    total = 0.0
    for index in range(4):
        total += data.qvel[index]
    data.qfrc_applied[0] = total


@pytest.mark.parametrize(
    ('function', 'said'),
    [
        (read_in_a_helper, 'index 1000000000 is out of bounds for axis 0 with size 1'),
        (read_from_the_end, 'index -5 is out of bounds for axis 0 with size 1'),
        (write_beyond_an_axis, 'index 7 is out of bounds for axis 1 with size 3'),
        pytest.param(
            write_to_many,
            'index 7 is out of bounds for axis 0 with size 3',
            marks=pytest.mark.slow,
        ),
        (loop_too_far, 'index 1 is out of bounds for axis 0 with size 1'),
        (index_a_contact, 'index 3 is out of bounds for an array of mjContact with size 0'),
        (index_contacts_from_the_end, f'{FROM_THE_END} an array of mjContact with size 0'),
        (read_in_an_overload, 'index 1000000000 is out of bounds for axis 0 with size 1'),
        (read_in_a_method, 'index 1000000000 is out of bounds for axis 0 with size 1'),
    ],
)
def test_an_index_out_of_bounds_tells_the_index_and_the_size(model, run, faults, function, said):
    reported, report = faults
    callback = compile_callback(CONTROL, function, None, boundscheck=True)
    run(model, table=CallbackTable([callback], report))
    ((_, error),) = reported
    assert (isinstance(error, IndexError), str(error)) == (True, said)


def test_a_message_of_numba_has_no_place_of_other_code(model, run, faults):
    reported, report = faults
    run(model, table=CallbackTable([compiled(CONTROL, add_other_lengths)], report))
    ((_, error),) = reported
    assert error.args == ('unable to broadcast argument 1 to output array',)


def test_an_index_out_of_bounds_can_be_caught_as_in_python(model, run, faults):
    def careful(state, model, data):
        try:
            data.qvel[model.nv + 2] = 1.0
        except Exception:
            state.caught += 1
        try:
            data.contact[3].dist = 0.0
        except Exception:
            state.caught += 10

    reported, report = faults
    state = new_state(caught=0)
    callback = compile_callback(CONTROL, careful, state, boundscheck=True)
    run(model, table=CallbackTable([callback], report))
    assert (state.caught, reported) == (11, [])


def test_other_code_of_numba_is_checked_by_numba():
    with pytest.raises(IndexError, match='index is out of bounds') as caught:
        njit(boundscheck=True)(element.py_func)(np.zeros(2), 5)
    assert caught.value.args == ('index is out of bounds',)


def test_the_helper_itself_stays_as_it_is(model, run, faults):
    reported, report = faults
    checked = compile_callback(CONTROL, read_in_a_helper, None, boundscheck=True)
    run(model, table=CallbackTable([checked], report))
    assert len(reported) == 1
    assert element.overloads == {}
    assert element(np.array([1.0, 2.0]), -1) == 2.0


def test_an_overload_is_checked_only_for_those_who_want_it(model, run, faults):
    reported, report = faults
    checked = compile_callback(CONTROL, read_in_an_overload, None, boundscheck=True)
    run(model, table=CallbackTable([checked], report))
    assert len(reported) == 1

    @njit
    def read(values, index):
        return overloaded(values[:1], index)

    assert read(np.array([1.0, 2.0]), 1) == 2.0  # beyond the view, in memory that exists


def raise_numbers(state, model, data):
    raise ValueError('too late', data.time, model.nv)


def raise_a_text(state, model, data):
    raise ValueError(f'{model.nv} joints', str(model.nq))


def raise_a_tuple(state, model, data):
    raise ValueError((data.time, ('joints', model.nv, str(model.nq))), data.time > 1.0)


@pytest.mark.parametrize(
    ('function', 'arguments'),
    [
        (raise_numbers, ('too late', 0.0, 1)),
        pytest.param(raise_a_text, ('1 joints', '1'), marks=pytest.mark.slow),
        pytest.param(raise_a_tuple, ((0.0, ('joints', 1, '1')), False), marks=pytest.mark.slow),
    ],
)
def test_an_exception_with_numbers_and_texts_is_kept_for_the_next_start(
    model, run, faults, function, arguments, monkeypatch, caplog
):
    caplog.set_level('INFO')
    reported, report = faults
    for _ in range(2):
        run(model, table=CallbackTable([compile_callback(CONTROL, function, None)], report))
        assert [error.args for _, error in reported] == [arguments]
        reported.clear()
        caplog.clear()
        monkeypatch.setattr(machine_code, '_loaded', {})  # as in another process
    compile_callback(CONTROL, function, None)
    assert caplog.messages == []
