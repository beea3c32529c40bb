"""Fatal errors and warnings of libmujoco in a guarded call."""

from __future__ import annotations

import ctypes
import threading

import mujoco
import pytest
from deadline import DEADLINE_S
from numba import njit

from mujoco_ros_py.engine import CallbackTable, Outcome, Point, compile_callback, python_callback
from mujoco_ros_py.engine.compiled.guarded_call import guarded_call
from mujoco_ros_py.engine.guard_block import new_guard, text
from mujoco_ros_py.engine.libmujoco import library

WRONG = 2**30
"""A state signature that mj_stateSize rejects with a fatal error."""
COUNT = 2000
MODEL = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'


@njit(nogil=True)
def call(guard, function, a, b, c):
    return guarded_call(guard, function, a, b, c)


@njit(nogil=True)
def call_often(guard, function, a, b, count):
    codes = 0
    for _ in range(count):
        codes += guarded_call(guard, function, a, b, 0)
    return codes


def address(name: str) -> int:
    return ctypes.cast(getattr(library(), name), ctypes.c_void_p).value or 0


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODEL)


@pytest.fixture
def handler():
    """`handler(new)` sets the log handler of this thread and returns the previous one."""
    set_handler = library()._mjPRIVATE_setTlsLogHandler
    set_handler.argtypes, set_handler.restype = [ctypes.c_void_p], ctypes.c_void_p
    before = set_handler(None)
    yield set_handler
    set_handler(before)


def test_a_call_that_goes_well_does_what_it_should_and_returns_0(model):
    guard, data = new_guard(), mujoco.MjData(model)
    step = address('mj_step')
    assert call(guard.ctypes.data, step, model._address, data._address, 0) == 0
    assert data.time == model.opt.timestep
    assert (text(guard, 'error'), text(guard, 'warning'), guard['warnings'][0]) == ('', '', 0)


def test_a_fatal_error_returns_1_and_its_message(model):
    guard = new_guard()
    assert call(guard.ctypes.data, address('mj_stateSize'), model._address, WRONG, 0) == 1
    assert 'invalid state signature' in text(guard, 'error')


def test_two_thousand_fatal_errors_are_survived(model):
    guard = new_guard()
    function = address('mj_stateSize')
    assert call_often(guard.ctypes.data, function, model._address, WRONG, COUNT) == COUNT
    assert call(guard.ctypes.data, function, model._address, 1, 0) == 0


def test_a_warning_is_noted_and_counted_and_the_call_goes_on(model):
    guard, data = new_guard(), mujoco.MjData(model)
    inertia = int(mujoco.mjtWarning.mjWARN_INERTIA)
    assert call(guard.ctypes.data, address('mj_warning'), data._address, inertia, 7) == 0
    assert 'Inertia matrix' in text(guard, 'warning')
    assert 'DOF 7' in text(guard, 'warning')
    assert guard['warnings'][0] == data.warning[inertia].number == 1
    assert text(guard, 'error') == ''


@pytest.mark.parametrize('signature', [1, WRONG])
def test_the_log_handler_of_before_is_put_back(model, handler, signature):
    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def mine(message):
        pass

    own = ctypes.cast(mine, ctypes.c_void_p).value
    handler(own)
    guard = new_guard()
    code = call(guard.ctypes.data, address('mj_stateSize'), model._address, signature, 0)
    assert code == (signature == WRONG)
    assert handler(None) == own


def test_the_bindings_raise_as_before_after_a_guarded_error(model):
    guard = new_guard()
    call(guard.ctypes.data, address('mj_stateSize'), model._address, WRONG, 0)
    with pytest.raises(mujoco.FatalError, match='invalid state signature'):
        mujoco.mj_stateSize(model, WRONG)


def test_threads_have_guards_of_their_own(model):
    """Each thread raises many errors, and only finds its own messages."""
    messages = [ctypes.create_string_buffer(text) for text in (b'the left one', b'the right one')]
    begin, found = threading.Barrier(2), [[], []]

    def fail(index):
        guard, message = new_guard(), ctypes.addressof(messages[index])
        begin.wait(DEADLINE_S)
        for _ in range(200):
            codes = call_often(guard.ctypes.data, address('mju_error'), message, 0, 50)
            found[index].append((codes, text(guard, 'error')))

    threads = [threading.Thread(target=fail, args=[index]) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert set(found[0]) == {(50, 'the left one')}
    assert set(found[1]) == {(50, 'the right one')}
    assert [len(results) for results in found] == [200, 200]


def test_an_error_of_the_bindings_in_a_python_callback_is_an_exception_there(model, run, advance):
    raised = []

    def nested():
        try:
            mujoco.mj_stateSize(model, WRONG)
        except mujoco.FatalError as error:
            raised.append(str(error))

    def fatal(state, model, data):
        if data.time > 0.01:
            mujoco.mj_stateSize(model, 2**30)

    callbacks = [
        python_callback(Point.CONTROL, nested),
        compile_callback(Point.CONTROL, fatal, None),
    ]
    loop = run(model, table=CallbackTable(callbacks), steps=3)
    assert len(raised) == 3
    assert 'invalid state signature' in raised[0]
    loop.record.burst = 100  # the guard of the loop still works
    assert loop.run() is Outcome.ERROR
    assert 'invalid state signature' in loop.error()
    assert loop.running == 1


def test_a_message_longer_than_the_block_is_cut(model):
    guard = new_guard()
    message = ctypes.create_string_buffer(b'x' * 3000)
    assert call(guard.ctypes.data, address('mju_error'), ctypes.addressof(message), 0, 0) == 1
    assert set(text(guard, 'error')) == {'x'}
    assert 500 < len(text(guard, 'error')) <= 1024
