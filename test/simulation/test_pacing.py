"""Simulated time against wall time."""

from __future__ import annotations

import threading
import time
from itertools import count

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback, new_state, python_callback

FINE = '<mujoco><option timestep="0.0005"/></mujoco>'
COARSE = '<mujoco><option timestep="0.05"/></mujoco>'


@pytest.fixture
def fine() -> mujoco.MjModel:
    """Half a millisecond a step."""
    return mujoco.MjModel.from_xml_string(FINE)


@pytest.fixture
def coarse() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(COARSE)


def look(simulation):
    """Wall and simulated time at one moment."""
    return simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)


@pytest.fixture
def progress(until):
    """`progress(simulation, steps)`: simulated seconds per wall second while so many are made."""

    def measure(simulation, steps):
        until(lambda: simulation.status().steps > 0)
        wall, simulated = look(simulation)
        end = simulation.status().steps + steps
        until(lambda: simulation.status().steps >= end)
        later, further = look(simulation)
        return (further - simulated) / (later - wall)

    return measure


@pytest.fixture
def keeps(progress, until):
    """`keeps(simulation, steps, realtime)` measures until other work leaves the pace alone."""

    def measure(simulation, steps, realtime):
        near = pytest.approx(realtime, rel=0.07)
        return until(lambda: progress(simulation, steps) == near)

    return measure


@pytest.fixture
def lost(until):
    """`lost(simulation, blocked_s, simulated_s)`: wall seconds that are not simulated.

    The physics thread is blocked first, and then so much is simulated.
    """

    def measure(simulation, blocked_s, simulated_s):
        wall, simulated = look(simulation)
        simulation.submit(lambda m, d: threading.Event().wait(blocked_s)).result(DEADLINE_S)
        until(lambda: simulation.time > simulated + simulated_s)
        later, further = look(simulation)
        return (later - wall) - (further - simulated)

    return measure


@pytest.mark.parametrize(('realtime', 'steps'), [(1.0, 1500), (0.1, 150), (5.0, 5000)])
def test_time_passes_as_fast_as_it_was_asked_to(simulate, fine, keeps, realtime, steps):
    simulation = simulate(fine, realtime=realtime)
    assert keeps(simulation, steps, realtime)


def test_the_speed_can_be_changed_while_running(simulate, fine, keeps):
    simulation = simulate(fine, realtime=1.0)
    for realtime, steps in ((3.0, 1200), (0.2, 100), (1.0, 500)):
        simulation.set_realtime(realtime).result(DEADLINE_S)
        assert keeps(simulation, steps, realtime)
        assert simulation.status().realtime == realtime


def test_unthrottled_it_goes_as_fast_as_it_can(simulate, fine, progress, until):
    simulation = simulate(fine, realtime=-1.0)
    until(lambda: progress(simulation, 50_000) > 5)
    assert len(simulation.lateness_ns()) == 0


def test_every_paced_step_has_a_lateness(simulate, fine, until):
    simulation = simulate(fine, num_steps=400)
    until(lambda: simulation.status().paused)
    late = simulation.lateness_ns()
    assert len(late) == 399  # the first sets the pace
    assert late.min() >= 0


def test_steps_are_punctual_where_nothing_disturbs_them(simulate, fine, until):
    simulation = simulate(fine)
    until(lambda: len(late := simulation.lateness_ns()) > 200 and np.median(late[-200:]) < 1e6)


def test_the_newest_4096_latenesses_are_kept_oldest_first(simulate, recorder, fine, until):
    made, steps = 4000, count(1)

    def block() -> None:
        if next(steps) == made:
            threading.Event().wait(0.05)

    plugins = recorder([python_callback(Point.LAST_STAGE, block)])
    simulation = simulate(fine, plugins, realtime=20.0, num_steps=6000)
    until(lambda: simulation.status().paused)
    late = simulation.lateness_ns()
    assert len(late) == 4096
    delayed = 4096 - (6000 - made)
    assert late[delayed] > 40_000_000, 'the step after the block'


def test_a_short_delay_is_caught_up(simulate, fine, until, lost):
    simulation = simulate(fine, realtime=1.0)
    nothing = pytest.approx(0.0, abs=0.02)
    until(lambda: lost(simulation, 0.08, 0.4) == nothing)


def test_a_long_delay_is_given_up(simulate, fine, until, lost):
    simulation = simulate(fine, realtime=1.0)
    all_of_it = pytest.approx(0.5, abs=0.05)
    until(lambda: lost(simulation, 0.5, 0.3) == all_of_it)


def test_a_wait_can_be_spun(simulate, coarse, until):
    """What its thread uses of the processor tells."""

    def used(busy_wait_s: float) -> float:
        simulation = simulate(coarse, busy_wait_s=busy_wait_s)
        clock = simulation.submit(
            lambda model, data: time.pthread_getcpuclockid(threading.get_ident())
        ).result(DEADLINE_S)
        until(lambda: simulation.status().steps > 0)
        steps, before = simulation.status().steps, time.clock_gettime(clock)
        until(lambda: simulation.status().steps >= steps + 10)
        used_s = time.clock_gettime(clock) - before
        assert simulation.close(DEADLINE_S)
        return used_s

    assert used(0.05) > 5 * used(0.0)


def test_a_pause_is_not_caught_up(simulate, fine, until, keeps):
    simulation = simulate(fine, realtime=1.0)
    until(lambda: simulation.time > 0.05)
    simulation.set_paused(True).result(DEADLINE_S)
    stands = simulation.time
    pause = time.monotonic()
    until(lambda: time.monotonic() > pause + 0.08)  # less than what is given up anyway
    assert simulation.time == stands
    simulation.set_paused(False).result(DEADLINE_S)
    assert keeps(simulation, 200, 1.0)


@pytest.mark.parametrize('paused', [False, True])
def test_a_command_does_not_wait_for_the_next_step(simulate, coarse, until, paused):
    """A loop that nobody wakes looks around after half a second, or after 17 ms in a pause."""
    simulation = simulate(coarse, realtime=1e-4)
    simulation.set_paused(paused).result(DEADLINE_S)

    def cost_s(_: int) -> float:
        begin = time.monotonic()
        simulation.submit(lambda model, data: None).result(DEADLINE_S)
        return time.monotonic() - begin

    until(lambda: np.median([*map(cost_s, range(20))]) < 0.1)


def test_in_a_pause_forces_are_computed_60_times_a_second_however_many_commands_come(
    simulate, recorder, coarse
):
    def count_forces(state, model, data):
        state.count += 1

    state = new_state(count=0)
    callback = compile_callback(Point.PASSIVE, count_forces, state)
    simulation = simulate(coarse, recorder([callback]), paused=True)
    before, begin = int(state.count), time.monotonic()
    for _ in range(2000):
        simulation.submit(lambda model, data: None).result(DEADLINE_S)
    assert state.count - before <= 60 * (time.monotonic() - begin) + 2


def test_a_new_speed_ends_the_wait_of_the_old(simulate, coarse, until):
    simulation = simulate(coarse, realtime=1e-4)
    until(lambda: simulation.status().steps == 1)
    simulation.set_realtime(-1.0).result(DEADLINE_S)
    until(lambda: simulation.status().steps > 1000)


def test_the_slowest_speed_keeps_its_pace(simulate, fine, keeps):
    simulation = simulate(fine, realtime=0.01)  # 50 ms a step
    assert keeps(simulation, 20, 0.01)


def pause_and_run_on(simulation):
    simulation.set_paused(True)
    return simulation.set_paused(False)


def change_the_speed_and_back(simulation):
    simulation.set_realtime(0.5)
    return simulation.set_realtime(1.0)


def change_the_speed_while_paused(simulation):
    simulation.set_paused(True)
    simulation.set_realtime(100.0)
    simulation.set_realtime(1.0)
    return simulation.set_paused(False)


@pytest.mark.parametrize(
    'ask',
    [
        lambda simulation: simulation.set_paused(False),
        lambda simulation: simulation.set_realtime(1.0),
        lambda simulation: simulation.reset(),
        lambda simulation: simulation.apply_initial_state(),
        pause_and_run_on,
        change_the_speed_and_back,
        change_the_speed_while_paused,
    ],
    ids=[
        'run on',
        'same speed',
        'reset',
        'initial state',
        'pause and run on',
        'speed and back',
        'speed while paused',
    ],
)
def test_no_command_makes_the_next_step_come_early(simulate, coarse, until, ask):
    simulation = simulate(coarse)
    until(lambda: simulation.status().steps > 0)
    start, before = time.monotonic(), simulation.status().steps

    for _ in range(40):
        ask(simulation).result(DEADLINE_S)

    simulated = 0.05 * (simulation.status().steps - before)
    # the steps of a tenth of a second may have been due already, and one more
    assert simulated <= time.monotonic() - start + 0.151


def test_steps_made_while_paused_do_not_delay_those_after_it(simulate, coarse, until):
    simulation = simulate(coarse)
    until(lambda: simulation.status().steps > 0)
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.step(10_000).result(DEADLINE_S)  # 500 s

    before = simulation.status().steps
    simulation.set_paused(False).result(DEADLINE_S)

    until(lambda: simulation.status().steps > before + 2)


def test_a_higher_speed_does_not_wait_for_the_end_of_a_slow_step(simulate, coarse, until):
    simulation = simulate(coarse, realtime=1e-4)  # 500 s a step
    until(lambda: simulation.status().steps > 0)

    simulation.set_realtime(1.0).result(DEADLINE_S)

    until(lambda: simulation.status().steps > 3)


@pytest.mark.parametrize('speeds', [(1e-300, 1.0), (1e300, 1e-300, 1.0)])
def test_speeds_of_any_size_can_be_left_again(simulate, coarse, until, speeds):
    simulation = simulate(coarse, realtime=speeds[0])
    until(lambda: simulation.status().steps > 0)

    for speed in speeds[1:]:
        simulation.set_realtime(speed).result(DEADLINE_S)

    steps = simulation.status().steps
    until(lambda: simulation.status().steps > steps)
