"""No step is made past a control period until the answers to its state have arrived."""

from __future__ import annotations

import logging

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback, new_state
from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.simulation import Lockstep

from .exchanged import Received, Sent

TIMESTEP = 0.002
PERIOD = 5 * TIMESTEP


def fill(state, model, data, message):
    message.value = data.qpos[0]


def read(state, model, data, message):
    state.last = message.value
    state.count += 1


def push(state, model, data):
    data.qfrc_applied[0] = state.last


@pytest.fixture
def answer():
    """A state and an inlet that the lockstep awaits."""
    state = new_state(last=0.0, count=0)
    return state, Received(read, state, awaited=True)


@pytest.fixture
def locked(simulate, pendulum, recorder):
    """`locked(*received, state=..., **options)`: a simulation in lockstep with these inlets."""

    def locked(*received, state=None, lockstep=None, **options):
        callbacks = [] if state is None else [compile_callback(Point.CONTROL, push, state)]
        lockstep = lockstep or Lockstep(period_s=PERIOD)
        options = {'realtime': -1.0, **options}
        simulation = simulate(
            pendulum, recorder(callbacks), paused=True, lockstep=lockstep, **options
        )
        for each in received:
            simulation.exchange.add_inlet(each.inlet)
        simulation.between_steps(lambda: None).result(DEADLINE_S)
        return simulation

    return locked


def test_no_step_is_made_without_the_answer_and_a_period_with_it(locked, answer, until):
    state, received = answer
    simulation = locked(received)
    simulation.set_paused(False).result(DEADLINE_S)
    for period in range(4):
        time = period * PERIOD
        until(lambda time=time: simulation.time == pytest.approx(time))
        turns = simulation.beats
        until(lambda turns=turns: simulation.beats > turns + 5)
        assert simulation.time == pytest.approx(time), 'it waits'
        received.waiting.append((time, 1.0))
    until(lambda: simulation.time == pytest.approx(4 * PERIOD))
    assert state.count == 4


def test_all_who_are_awaited_have_to_answer(locked, answer, until):
    _, first = answer
    second = Received(read, new_state(last=0.0, count=0), awaited=True)
    simulation = locked(first, second)
    simulation.set_paused(False).result(DEADLINE_S)
    first.waiting.append((0.0, 1.0))
    until(lambda: first.inlet.record.taken == 1)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == 0
    second.waiting.append((0.0, 1.0))
    until(lambda: simulation.time == pytest.approx(PERIOD))


def test_messages_with_another_stamp_are_no_answer(locked, answer, until):
    state, received = answer
    simulation = locked(received)
    simulation.set_paused(False).result(DEADLINE_S)
    received.waiting.extend([(PERIOD, 1.0), (7.0, 2.0)])
    until(lambda: state.count == 2)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == 0


def test_what_comes_after_the_answer_counts_in_the_next_period(locked, answer, until):
    state, received = answer
    simulation = locked(received)
    received.waiting.extend([(0.0, 1.0), (7.0, 2.0)])
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time == pytest.approx(PERIOD) and state.count == 2)
    assert state.last == 2.0
    assert not received.waiting


def test_only_the_first_answer_to_a_state_counts(locked, answer, until):
    state, received = answer
    simulation = locked(received)
    received.waiting.extend([(0.0, 1.0), (0.0, 2.0), (TIMESTEP, 3.0), (PERIOD, 4.0), (0.0, 5.0)])
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time == pytest.approx(2 * PERIOD) and not received.waiting)
    assert (state.last, state.count) == (4.0, 2)


def test_an_answer_counts_late_where_the_simulation_went_on_without_it(locked, answer, until):
    state, received = answer
    simulation = locked(received, lockstep=Lockstep(period_s=PERIOD, timeout_s=0.05, goes_on=True))
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time > 0.5 * PERIOD)
    received.waiting.append((0.0, 1.0))
    until(lambda: state.last == 1.0)


def test_two_runs_are_equal_to_the_bit_however_fast_the_answers_are(locked, until):
    def run():
        state = new_state(last=0.0, count=0)
        received, sent = Received(read, state, awaited=True), Sent(fill, 1.0 / PERIOD)
        simulation = locked(received, state=state)
        simulation.exchange.add_outlet(sent.outlet)
        simulation.set_paused(False).result(DEADLINE_S)
        for period in range(50):
            told = round(period * PERIOD, 9)
            until(lambda told=told: sent.times and sent.times[-1] == told)
            time, position, _ = sent.messages[-1]
            received.waiting.append((time, -3.0 * position))
        until(lambda: simulation.time == pytest.approx(50 * PERIOD))
        return simulation.submit(lambda model, data: data.qpos.copy()).result(DEADLINE_S)

    assert np.array_equal(run(), run())


def test_a_reset_forgets_the_answers_of_before(locked, answer, until):
    _, received = answer
    simulation = locked(received)
    received.waiting.append((0.0, 1.0))
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time == pytest.approx(PERIOD))
    simulation.reset().result(DEADLINE_S)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == 0, 'the answer of the first time does not count again'
    received.waiting.append((0.0, 1.0))
    until(lambda: simulation.time == pytest.approx(PERIOD))


def test_after_the_timeout_it_is_said_who_is_awaited_and_the_simulation_is_paused(
    locked, answer, until, caplog
):
    _, received = answer
    simulation = locked(received, lockstep=Lockstep(period_s=PERIOD, timeout_s=0.05))
    with caplog.at_level(logging.WARNING):
        simulation.set_paused(False).result(DEADLINE_S)
        until(lambda: simulation.paused)
    assert 'received no answer to the state of 0.000000 s on test within 0.05 s' in caplog.text
    assert 'paused' in caplog.text
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.paused)
    assert simulation.time == 0, 'it waits anew and is told again'
    assert len(caplog.records) == 2


def test_steps_of_a_pause_fail_if_nobody_answers(locked, answer):
    _, received = answer
    simulation = locked(received, lockstep=Lockstep(period_s=PERIOD, timeout_s=0.05))
    with pytest.raises(SimulationError, match='received no answer on test'):
        simulation.step(3).result(DEADLINE_S)


def test_after_the_timeout_the_simulation_goes_on_if_that_is_asked_for(locked, answer, until):
    _, received = answer
    lockstep = Lockstep(period_s=PERIOD, timeout_s=0.05, goes_on=True)
    simulation = locked(received, lockstep=lockstep)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time > 2.5 * PERIOD)


def test_a_controller_that_is_gone_is_not_awaited(locked, answer, until):
    _, received = answer
    simulation = locked(received)
    simulation.set_paused(False).result(DEADLINE_S)
    simulation.exchange.remove_inlet(received.inlet)
    until(lambda: simulation.time > 10 * PERIOD)


def test_the_first_state_is_repeated_until_a_controller_has_answered(locked, answer, until):
    _, received = answer
    sent = Sent(fill, 1.0 / PERIOD)
    simulation = locked(received)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: len(sent.messages) >= 3)
    assert set(sent.times) == {0}
    received.waiting.append((0.0, 1.0))
    until(lambda: sent.times[-1] == PERIOD)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 500)
    assert sent.times.count(PERIOD) == 1


def answer_periods(sent, received, until, count):
    """Answers so many periods, and returns the time of the next one, which is awaited then."""
    for period in range(count):
        until(lambda period=period: sent.times and sent.times[-1] == round(period * PERIOD, 9))
        received.waiting.append((period * PERIOD, 1.0))
    awaited = round(count * PERIOD, 9)
    until(lambda: sent.times[-1] == awaited)
    return awaited


def test_each_period_has_a_state_however_fast_the_simulation_is(locked, answer, until):
    _, received = answer
    sent = Sent(fill, 1.0 / PERIOD)
    simulation = locked(received, realtime=1000.0)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    answer_periods(sent, received, until, 3)


def test_a_state_is_repeated_in_a_pause_and_when_waiting_resumes(locked, answer, until):
    class Noting(Sent):
        def _send(self):
            pauses.append(simulation.paused)
            return super()._send()

    def count(*, paused):
        """Counts the messages of what is awaited that were sent in a pause, or outside."""
        return list(zip(sent.times, pauses, strict=False)).count((awaited, paused))

    def resumed_and_repeated():
        """On a busy machine the wait may be over before the second message."""
        simulation.set_paused(False).result(DEADLINE_S)
        before = count(paused=False)
        until(lambda: simulation.paused or count(paused=False) > before + 1)
        return count(paused=False) > before + 1

    _, received = answer
    pauses, sent = [], Noting(fill, 1.0 / PERIOD)
    simulation = locked(received, lockstep=Lockstep(period_s=PERIOD, timeout_s=1.0))
    simulation.exchange.add_outlet(sent.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    awaited = answer_periods(sent, received, until, 3)
    until(lambda: simulation.paused)
    assert count(paused=False) == 1
    until(lambda: count(paused=True) > 2)
    until(resumed_and_repeated)
    received.waiting.append((awaited, 1.0))
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time == pytest.approx(awaited + PERIOD))


def test_a_pause_of_a_lockstep_without_a_timeout_has_the_state_repeated(locked, answer, until):
    _, received = answer
    sent = Sent(fill, 1.0 / PERIOD)
    simulation = locked(received)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    awaited = answer_periods(sent, received, until, 3)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: sent.times.count(awaited) > 2)


def test_commands_are_carried_out_while_an_answer_is_awaited(locked, answer):
    _, received = answer
    simulation = locked(received)
    simulation.set_paused(False).result(DEADLINE_S)
    assert simulation.submit(lambda model, data: data.time).result(DEADLINE_S) == 0
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)


BY_ARRIVAL = Lockstep(period_s=PERIOD, by_arrival=True)


def test_by_arrival_the_first_message_after_a_state_answers_it_whatever_its_stamp(
    locked, answer, until
):
    state, received = answer
    simulation = locked(received, lockstep=BY_ARRIVAL)
    simulation.set_paused(False).result(DEADLINE_S)
    for period, stamp in enumerate((0.0, 0.0, 7.0, PERIOD, 0.0)):
        until(lambda time=period * PERIOD: simulation.time == pytest.approx(time))
        turns = simulation.beats
        until(lambda turns=turns: simulation.beats > turns + 5)
        assert simulation.time == pytest.approx(period * PERIOD), 'it waits'
        received.waiting.append((stamp, float(period)))
    until(lambda: simulation.time == pytest.approx(5 * PERIOD))
    assert (state.last, state.count) == (4.0, 5)


def test_by_arrival_messages_from_before_a_state_are_commands_and_do_not_answer_it(
    locked, answer, until
):
    state, received = answer
    simulation = locked(received, lockstep=BY_ARRIVAL)
    received.waiting.extend((0.0, value) for value in (1.0, 2.0, 3.0))
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.time == pytest.approx(PERIOD) and state.count == 3)
    assert state.last == 3.0
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == pytest.approx(PERIOD), 'the first answered, the others came early'
    received.waiting.append((0.0, 4.0))
    until(lambda: simulation.time == pytest.approx(2 * PERIOD))


def test_by_arrival_all_who_are_awaited_have_to_answer_each_period(locked, answer, until):
    _, first = answer
    second = Received(read, new_state(last=0.0, count=0), awaited=True)
    simulation = locked(first, second, lockstep=BY_ARRIVAL)
    simulation.set_paused(False).result(DEADLINE_S)
    first.waiting.extend([(0.0, 1.0), (0.0, 2.0)])
    until(lambda: first.inlet.record.taken == 1)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == 0
    second.waiting.append((0.0, 1.0))
    until(lambda: simulation.time == pytest.approx(PERIOD))
    assert first.inlet.record.taken == 2
    second.waiting.append((0.0, 1.0))
    until(lambda: second.inlet.record.taken == 2)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == pytest.approx(PERIOD), 'the second message of the first came early'
    first.waiting.append((0.0, 1.0))
    until(lambda: simulation.time == pytest.approx(2 * PERIOD))


def test_by_arrival_an_answer_in_a_pause_counts_and_those_to_repeated_states_are_one(
    locked, answer, until
):
    state, received = answer
    sent = Sent(fill, 1.0 / PERIOD)
    simulation = locked(received, lockstep=BY_ARRIVAL)
    simulation.exchange.add_outlet(sent.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    awaited = answer_periods(sent, received, until, 2)
    simulation.set_paused(True).result(DEADLINE_S)
    until(lambda: sent.times.count(awaited) > 2)
    received.waiting.extend((awaited, value) for value in (5.0, 6.0, 7.0))
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: sent.times[-1] == pytest.approx(awaited + PERIOD) and state.last == 7.0)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == pytest.approx(awaited + PERIOD)


def test_by_arrival_a_reset_forgets_the_answers_of_before(locked, answer, until):
    state, received = answer
    simulation = locked(received, lockstep=BY_ARRIVAL)
    simulation.set_paused(False).result(DEADLINE_S)
    received.waiting.append((0.0, 1.0))
    until(lambda: simulation.time == pytest.approx(PERIOD))
    simulation.set_paused(True).result(DEADLINE_S)
    received.waiting.extend([(0.0, 2.0), (0.0, 3.0)])
    simulation.reset().result(DEADLINE_S)
    assert state.last == 3.0, 'they belong to the time before'
    simulation.set_paused(False).result(DEADLINE_S)
    turns = simulation.beats
    until(lambda: simulation.beats > turns + 5)
    assert simulation.time == 0
    received.waiting.append((0.0, 4.0))
    until(lambda: simulation.time == pytest.approx(PERIOD))


def test_by_arrival_an_answer_that_comes_after_a_time_out_is_a_command_only(locked, answer, until):
    state, received = answer
    lockstep = Lockstep(period_s=PERIOD, timeout_s=0.05, by_arrival=True, goes_on=True)
    simulation = locked(received, lockstep=lockstep)
    simulation.step(3).result(DEADLINE_S)
    received.waiting.append((0.0, 1.0))
    simulation.step(2).result(DEADLINE_S)
    assert simulation.time == pytest.approx(PERIOD)
    assert (state.last, received.inlet.record.answered_ns) == (1.0, -1)


def test_the_periods_of_a_lockstep_are_multiples_of_one_that_is_no_whole_number_of_nanoseconds(
    simulate, recorder, until
):
    """Were each a rounded number after the one before, one would begin a step late."""
    text = '<mujoco><option timestep="0.0041666666666666666"/></mujoco>'
    lockstep = Lockstep(period_s=1 / 240, timeout_s=0.0)
    model = mujoco.MjModel.from_xml_string(text)
    simulation = simulate(model, recorder(), paused=True, lockstep=lockstep, realtime=-1.0)
    simulation.step(240 * 600).result(DEADLINE_S)
    assert simulation._loop.inlets._lockstep.periods == 240 * 600


def test_what_has_no_stamp_can_answer_by_arrival(locked, until):
    received = Received(read, new_state(last=0.0, count=0), awaited=True)
    received.inlet.record.stamp = 0
    simulation = locked(received, lockstep=BY_ARRIVAL)
    simulation.set_paused(False).result(DEADLINE_S)
    received.waiting.append(1.0)
    until(lambda: simulation.time == pytest.approx(PERIOD))
