"""A thread with a loan makes the steps itself, while other threads are still served."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import EngineError, SimulationError
from mujoco_ros_py.plugins import MujocoPlugin, compiled, new_state
from mujoco_ros_py.session import Session

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <keyframe><key name="up" qpos="3" time="1.5"/></keyframe>
</mujoco>
"""


class Push(MujocoPlugin):
    """Pushes harder with each step, from compiled code."""

    def load(self, model, data):
        self.state = new_state(steps=0)

    @staticmethod
    @compiled
    def control_callback(state, model, data):
        data.ctrl[0] = 0.1 * state.steps

    @staticmethod
    @compiled
    def last_stage_callback(state, model, data):
        state.steps += 1


class Witness(MujocoPlugin):
    """Records the thread that its callback runs on."""

    def load(self, model, data):
        self.threads = set()

    def control_callback(self, model, data):
        self.threads.add(threading.current_thread().name)


@pytest.fixture
def session():
    with Session(mujoco_xml=PENDULUM, plugins=[Push], positions={'hinge': 0.5}) as session:
        yield session


def state_of(session):
    return session.save().integration.tobytes()


def test_steps_of_a_loan_are_those_of_the_physics_thread_to_the_bit(session):
    session.step(250)
    there = state_of(session)
    session.reset()
    session.plugins['push'].state.steps = 0
    with session.lend() as loan:
        loan.step(249)
        loan.step()
        assert session.status.steps == 500
        assert state_of(session) == there


@pytest.mark.parametrize('count', [1, 7, 250])
def test_an_exchange_is_a_call_steps_and_another_call(count):
    def push(model, data):
        data.qfrc_applied[0] = 0.25

    def read(model, data):
        return data.time, data.qpos[0]

    with Session(mujoco_xml=PENDULUM) as session, session.lend() as loan:
        together = loan.exchange(push, count, read)
        session.reset()
        loan.call(push)
        loan.step(count)
        assert together == loan.call(read)


def test_an_exchange_whose_first_call_raises_makes_no_step(session):
    with session.lend() as loan:
        with pytest.raises(ZeroDivisionError):
            loan.exchange(lambda model, data: 1 / 0, 1, lambda model, data: None)
        assert loan.call(lambda model, data: data.time) == 0.0
        with pytest.raises(SimulationError, match='at least 1'):
            loan.exchange(lambda model, data: None, 0, lambda model, data: None)


def test_an_exchange_takes_python_callbacks_to_the_physics_thread():
    with Session(mujoco_xml=PENDULUM, plugins=[Witness]) as session, session.lend() as loan:
        here = loan.exchange(
            lambda model, data: None, 2, lambda model, data: threading.get_ident()
        )
        assert here == threading.get_ident()
        assert session.plugins['witness'].threads == {'physics'}


def test_functions_are_called_on_the_thread_that_asks(session):
    with session.lend() as loan:
        assert loan.call(lambda model, data: threading.get_ident()) == threading.get_ident()
        assert session.call(lambda model, data: threading.current_thread().name) == 'physics'


def test_python_callbacks_run_on_the_physics_thread():
    with Session(mujoco_xml=PENDULUM, plugins=[Witness]) as session, session.lend() as loan:
        loan.step(3)
        assert session.plugins['witness'].threads == {'physics'}
        assert session.status.steps == 3


def test_commands_and_snapshots_of_others_are_served_between_steps_and_during_them(session):
    with session.lend() as loan:
        receiver = session._assembly.simulation.receiver().result(DEADLINE_S)
        assert receiver.next(DEADLINE_S).steps == 0
        seen = []

        def ask() -> None:
            for _ in range(20):
                seen.append(session.snapshot().steps)
                receiver.next(DEADLINE_S)
            seen.append(None)

        thread = threading.Thread(target=ask)
        thread.start()
        while not seen or seen[-1] is not None:
            loan.step()
        thread.join(DEADLINE_S)
        assert seen[:-1] == sorted(seen[:-1])


@contextmanager
def during_steps(session, function):
    """Calls a function on another thread, once steps are being made."""

    def call() -> None:
        pause = threading.Event()
        while session.status.steps == 0:
            pause.wait(0.001)
        function()

    thread = threading.Thread(target=call)
    thread.start()
    yield
    thread.join(DEADLINE_S)


def test_a_reset_by_another_thread_during_steps_ends_them_with_an_error(session):
    with session.lend() as loan, during_steps(session, session.reset):
        with pytest.raises(SimulationError, match='was reset'):
            loan.step(10**9)
        loan.step()


def test_a_session_that_runs_by_itself_is_not_stepped_and_can_be_read(session):
    with session.lend() as loan:
        session.set_paused(False)
        with pytest.raises(SimulationError, match='cannot step while running'):
            loan.step()
        before = loan.call(lambda model, data: data.time)
        while loan.call(lambda model, data: data.time) == before:
            pass
        session.set_paused(True)
        loan.step()


def test_a_loan_that_is_closed_leaves_the_physics_thread_as_it_was(session):
    session.lend().close()
    session.step(2)
    session.set_paused(False)
    session.set_paused(True)
    assert session.status.steps >= 2


@pytest.fixture
def heeded_ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where it is ignored, as behind `&` in a script."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures('heeded_ctrl_c')
def test_ctrl_c_ends_many_steps_and_takes_out_no_plugin(session):
    with (
        session.lend() as loan,
        during_steps(session, lambda: os.kill(os.getpid(), signal.SIGINT)),
    ):
        with pytest.raises(KeyboardInterrupt):
            loan.step(10**9)
        made = session.status.steps
        loan.step()
        assert session.status.steps == made + 1
        assert session.problems == []


class Interruption(Exception):  # noqa: N818  (it is no error)
    """Is raised wherever the main thread is, as KeyboardInterrupt is."""


def test_an_interruption_at_any_place_leaves_a_session_that_goes_on(session):
    def interrupt(number, frame):
        raise Interruption

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with session.lend() as loan:
            for number in range(300):
                with suppress(Interruption):
                    signal.setitimer(signal.ITIMER_REAL, 2e-4 + 1e-6 * number)
                    while True:
                        loan.step()
                        loan.call(lambda model, data: None)
            made = session.status.steps
            loan.step(3)
            assert session.status.steps == made + 3
            assert session.status.failure == ''
            session.reset()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_an_end_of_the_session_is_told(session):
    loan = session.lend()
    session.close()
    with pytest.raises(SimulationError):
        loan.step()
    with pytest.raises(SimulationError):
        loan.call(lambda model, data: None)


def test_a_count_below_1_is_refused(session):
    with session.lend() as loan, pytest.raises(SimulationError, match='at least 1, got 0'):
        loan.step(0)


def test_a_thread_that_has_lent_its_steps_does_not_count_as_one_that_stands_still(session):
    with session.lend():
        simulation = session._assembly.simulation
        before = simulation.beats
        event = threading.Event()
        while simulation.beats == before:
            event.wait(0.01)


def test_a_reset_to_a_keyframe_begins_with_its_state_and_time(session):
    session.reset(keyframe='up')
    assert session.time == 1.5
    assert session.snapshot().data.qpos == [3.0]
    with pytest.raises(SimulationError, match=r"unknown keyframe 'upp' .*; known: up"):
        session.reset(keyframe='upp')
    assert session.time == 1.5
    session.reset()
    assert session.snapshot().data.qpos == [0.5]


def test_passive_forces_are_those_of_callbacks_alone(session):
    assert session.passive_forces() is None

    class Spring(MujocoPlugin):
        def passive_callback(self, model, data):
            data.qfrc_passive[0] += 2.0

    session.reload(plugins=[Spring])
    session.step()
    assert np.array_equal(session.passive_forces(), [2.0])


def test_a_fatal_error_of_mujoco_is_raised_and_a_reset_heals_it(session):
    with session.lend() as loan:
        loan.call(lambda model, data: setattr(model.opt, 'integrator', 99))
        with pytest.raises(EngineError):
            loan.step()
        with pytest.raises(EngineError, match='reset or reload first'):
            loan.step()
        loan.call(lambda model, data: setattr(model.opt, 'integrator', 0))
        session.reset()
        loan.step()
