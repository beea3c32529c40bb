"""Exceptions in compiled callbacks: reported once each, and the others go on."""

from __future__ import annotations

import gc
import sys
import traceback
import weakref

import mujoco
import pytest

from mujoco_ros_py.engine import (
    PHYSICS,
    CallbackTable,
    compile_callback,
    new_state,
    python_callback,
)

MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'
CONTROL, PASSIVE, LAST_STAGE = PHYSICS


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
    """What a table reports, and the function that it reports to."""
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
        (index_a_contact, IndexError, ('index of a struct out of range',)),
        (fail_inside, KeyError, ('deep',)),
    ],
)
@pytest.mark.parametrize('point', PHYSICS)
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
