"""The clock is published as often in simulated time as plugins and a lockstep need."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import new_state
from mujoco_ros_py.simulation import ClockNeeds, Listener, Lockstep, Simulation

from .exchanged import STAMP, Received, Sent, port

TIMESTEP = 0.002
TIMES = 4096
"""How many of the newest times the loop keeps."""
SELDOM_S = 1000.0
"""A period of wall time so long that the rate of wall time has nothing sent."""


class Heard(Listener):
    """The clock of a simulation, whose times are written down."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.hold: Callable[[], Any] = lambda: None
        """Is called with each time, and keeps the clock from sending others meanwhile."""
        self._message = np.zeros((), STAMP)

    def begin(self, simulation: Simulation, least_period_s: float = SELDOM_S) -> None:
        """Begins to send the times."""
        self.clock = simulation.exchange.new_clock(
            port(self._send, self._message, lambda: None),
            self._message.ctypes.data,
            least_period_s=least_period_s,
            repeat_s=0.1,
        )
        self.clock.send_now()
        self._thread = threading.Thread(target=self.clock.run, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self.clock.stop()
        self._thread.join(DEADLINE_S)
        assert not self._thread.is_alive()

    def on_time_jump(self, time_s: float) -> None:
        self.clock.send_now()

    def on_standstill(self) -> None:
        self.clock.send_now()

    def _send(self) -> int:
        seconds, rest = self._message.tolist()
        self.times.append(round(seconds + rest * 1e-9, 9))
        self.hold()
        return 0

    @property
    def changes(self) -> list[float]:
        """The times without their repetitions."""
        return [self.times[0], *(b for a, b in pairwise(self.times) if a != b)]


def beats(period_s: float, count: int) -> list[float]:
    """Returns the first times, after so many steps, at or after each of the multiples."""
    return [round(math.ceil(k * period_s / TIMESTEP - 1e-6) * TIMESTEP, 9) for k in range(count)]


@pytest.fixture
def clocked(simulate, pendulum) -> Iterator[Callable[..., tuple[Simulation, Heard]]]:
    """`clocked(**options)`: a paused simulation, and its clock."""
    made: list[Heard] = []

    def begin(*, least_period_s: float = SELDOM_S, **options: Any) -> tuple[Simulation, Heard]:
        heard = Heard()
        simulation = simulate(listener=heard, paused=True, **options)
        heard.begin(simulation, least_period_s)
        made.append(heard)
        simulation.load(pendulum).result(DEADLINE_S)
        return simulation, heard

    yield begin
    for heard in made:
        heard.end()


@pytest.mark.parametrize('rate_hz', [200.0, 100.0, 300.0])
def test_the_time_is_sent_at_each_multiple_of_the_period_that_is_needed(clocked, until, rate_hz):
    simulation, heard = clocked()
    take_back = simulation.exchange.clock_needs.add('arm', rate_hz)
    simulation.exchange.clock_needs.add('slower', 3.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > 0.5)
    count = int(0.5 * rate_hz)
    assert heard.changes[:count] == beats(1.0 / rate_hz, count)
    take_back()
    simulation.set_paused(True).result(DEADLINE_S)
    before = heard.times[-1]
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > before)
    assert heard.times[-1] == 0.668, 'the first time after 2 / 3 s'


def test_other_times_are_sent_in_between_by_wall_time_and_all_of_them_in_order(clocked, until):
    simulation, heard = clocked(least_period_s=0.007, realtime=0.5)
    simulation.exchange.clock_needs.add('arm', 100.0)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > 0.5)
    until(lambda: set(heard.times) - set(beats(0.01, len(heard.times))))
    times = list(heard.changes)
    assert times == sorted(set(times))
    assert set(beats(0.01, 50)) <= set(times)


def test_the_multiples_count_from_the_beginning_of_each_epoch(clocked, until):
    simulation, heard = clocked()
    simulation.exchange.clock_needs.add('arm', 100.0)
    simulation.step(3).result(DEADLINE_S)
    saved = simulation.save().result(DEADLINE_S)
    assert saved.time == pytest.approx(0.006)
    for action, begin in ((simulation.reset, 0.0), (lambda: simulation.restore(saved), 0.006)):
        action().result(DEADLINE_S)
        simulation.set_paused(False).result(DEADLINE_S)
        until(lambda begin=begin: heard.times[-1] > begin + 0.1)
        simulation.set_paused(True).result(DEADLINE_S)
        first = len(heard.changes) - heard.changes[::-1].index(begin) - 1
        expected = [round(begin + time, 9) for time in beats(0.01, 10)]
        assert heard.changes[first : first + 10] == expected


def test_they_count_from_there_in_a_ros_time_that_continues_too(clocked, until):
    simulation, heard = clocked(ros_time_continues=True)
    simulation.exchange.clock_needs.add('arm', 100.0)
    simulation.step(3).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > 0.1)
    assert heard.changes[:8] == [0, 0.006, *(round(0.008 + k * 0.01, 9) for k in range(6))]


def test_steps_in_a_pause_have_the_present_time_sent_and_leave_the_multiples_alone(clocked):
    simulation, heard = clocked()
    simulation.exchange.clock_needs.add('arm', 100.0)
    simulation.step(3).result(DEADLINE_S)
    simulation.step(4).result(DEADLINE_S)
    assert heard.changes == [0, 0.006, 0.01, 0.014]


def test_times_that_the_simulation_was_too_fast_for_are_counted_and_told_once(
    clocked, until, caplog
):
    simulation, heard = clocked(realtime=-1.0)
    needs = simulation.exchange.clock_needs
    needs.add('arm', 100.0)
    needs.look(simulation.status())
    ended = threading.Event()

    def wait_for_steps() -> None:
        begin = simulation.status().steps
        until(lambda: ended.is_set() or simulation.status().steps > begin + 2 * TIMES)

    heard.hold = wait_for_steps
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.clock.left_out > 5000)
    ended.set()
    simulation.set_paused(True).result(DEADLINE_S)
    assert heard.changes == sorted(set(heard.changes))
    count = int(heard.times[-1] / 0.01 + 1e-6) + 1
    missing = set(beats(0.01, count)) - set(heard.changes)
    assert len(missing) == heard.clock.left_out
    needs.look(simulation.status())
    needs.look(simulation.status())
    (line,) = [record.message for record in caplog.records]
    assert 'arm needs the clock 100 times per simulated second, but about ' in line


def test_a_rate_above_that_of_the_steps_is_told_once(simulate, pendulum, caplog):
    simulation = simulate(pendulum, paused=True)
    heard = Heard()
    heard.begin(simulation)
    needs, status = simulation.exchange.clock_needs, simulation.status()
    with caplog.at_level(logging.WARNING):
        needs.add('arm', 500.0)
        needs.look(status)
        assert caplog.records == []
        take_back = needs.add('finger', 1000.0)
        for _ in range(3):
            needs.look(status)
        take_back()
        needs.look(status)
    heard.end()
    (line,) = [record.message for record in caplog.records]
    assert line == (
        'finger needs the clock 1000 times per simulated second, but the time changes only'
        ' 500 times: the timestep is 0.002 s'
    )


def test_a_period_that_is_no_multiple_of_the_timestep_is_told_once(simulate, pendulum, caplog):
    """A manager that sleeps for 5 ms in steps of 2 ms makes 100 updates per second."""
    simulation = simulate(pendulum, paused=True)
    heard = Heard()
    heard.begin(simulation)
    needs, status = simulation.exchange.clock_needs, simulation.status()
    with caplog.at_level(logging.WARNING):
        for rate_hz in (500.0, 250.0, 50.0, 500.0 / 3):
            needs.add('arm', rate_hz)()
            needs.look(status)
        needs.add('arm', 200.0)
        for _ in range(3):
            needs.look(status)
    heard.end()
    (line,) = [record.message for record in caplog.records]
    assert line.startswith(
        'arm needs the clock 200 times per simulated second, but the period is not a multiple of'
        ' the timestep of 0.002 s: '
    )


def test_the_clock_gets_what_was_needed_before_it_was_made(simulate, pendulum):
    simulation, heard = simulate(pendulum, paused=True), Heard()
    take_back = simulation.exchange.clock_needs.add('arm', 50.0)
    heard.begin(simulation)
    assert heard.clock.period_s == pytest.approx(0.02)
    take_back()
    assert heard.clock.period_s == 0
    heard.end()


def fill(state, model, data, message):
    message.value = data.qpos[0]


def read(state, model, data, message):
    state.last = message.value


@pytest.mark.parametrize('needed_hz', [0.0, 250.0])
def test_after_a_time_out_of_a_lockstep_all_rates_still_count_from_the_start(
    clocked, until, needed_hz
):
    lockstep = Lockstep(period_s=0.01, timeout_s=0.02, goes_on=True)
    simulation, heard = clocked(lockstep=lockstep, least_period_s=0.001)
    received = Received(read, new_state(last=0.0), awaited=True)
    states, slower = Sent(fill, 100.0), Sent(fill, 50.0)
    simulation.exchange.add_inlet(received.inlet)
    for each in (states, slower):
        simulation.exchange.add_outlet(each.outlet)
    if needed_hz:
        simulation.exchange.clock_needs.add('arm', needed_hz)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > 0.2)
    expected = set(beats(0.01, 20)) | (set(beats(0.004, 50)) if needed_hz else set())
    assert [time for time in heard.changes if time < 0.2] == sorted(expected)
    for sent, period_s in ((states, 0.01), (slower, 0.02)):
        assert sorted(set(sent.times))[:10] == beats(period_s, 10)


def test_a_time_that_is_held_in_lockstep_is_repeated(clocked, until):
    simulation, heard = clocked(lockstep=Lockstep(period_s=0.01))
    received = Received(read, new_state(last=0.0), awaited=True)
    simulation.exchange.add_inlet(received.inlet)
    simulation.set_paused(False).result(DEADLINE_S)
    received.waiting.append((0.0, 1.0))
    until(lambda: heard.times.count(0.01) > 3)
    assert heard.changes == [0, 0.01]


def test_a_time_that_is_held_until_an_answer_arrives_changes_for_those_who_missed_it(
    clocked, until
):
    simulation, heard = clocked(lockstep=Lockstep(period_s=0.01, by_arrival=True))
    received = Received(read, new_state(last=0.0), awaited=True)
    simulation.exchange.add_inlet(received.inlet)
    simulation.set_paused(False).result(DEADLINE_S)
    for period in range(2):
        latest = round(period * 0.01 + (period + 1) * 10e-9, 9)
        until(lambda latest=latest: heard.times.count(latest) > 3)
        received.waiting.append(1.0)
    until(lambda: heard.times[-1] > 0.02)
    assert heard.changes[:22] == [
        round(period * 0.01 + (period * 10 + nudges) * 1e-9, 9)
        for period in range(2)
        for nudges in range(11)
    ]
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    assert heard.times[-1] == 0


def test_needs_are_looked_at_without_a_clock_and_without_a_model(simulate, pendulum):
    needs, status = ClockNeeds(), simulate(pendulum, paused=True).status()
    needs.add('arm', 1e6)
    needs.look(status)
    needs.look(replace(status, timestep=0.0))


def test_the_messages_of_a_time_go_out_before_the_clock_has_it(clocked, until):
    """Who is woken by the clock reads them then."""
    simulation, heard = clocked(lockstep=Lockstep(period_s=0.01), realtime=-1.0)
    early: list[float] = []

    class Slow(Sent):
        def _send(self) -> int:
            time.sleep(0.002)  # the thread of the clock would be faster
            super()._send()
            early.extend({self.times[-1]} & set(heard.times) - {0.0})
            return 0

    states = Slow(fill, 100.0)
    simulation.exchange.add_outlet(states.outlet)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: heard.times[-1] > 0.3)
    assert len(states.times) >= 30
    assert early == []
