"""Simulated time against the clock on the wall."""

from __future__ import annotations

import threading
import time

import mujoco
import numpy as np
import pytest

DEADLINE_S = 20.0
FINE = '<mujoco><option timestep="0.0005"/></mujoco>'
COARSE = '<mujoco><option timestep="0.05"/></mujoco>'


@pytest.fixture
def fine() -> mujoco.MjModel:
    """Half a millisecond a step."""
    return mujoco.MjModel.from_xml_string(FINE)


@pytest.fixture
def coarse() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(COARSE)


@pytest.fixture
def progress(until):
    """`progress(simulation, steps)`: simulated seconds per wall second while so many are made."""

    def look(simulation):
        return simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)

    def measure(simulation, steps):
        until(lambda: simulation.status().steps > 0)
        wall, simulated = look(simulation)
        end = simulation.status().steps + steps
        until(lambda: simulation.status().steps >= end)
        later, further = look(simulation)
        return (further - simulated) / (later - wall)

    return measure


@pytest.fixture
def keeps(progress):
    """`keeps(simulation, steps, realtime)`: in one of a few attempts, for one may be disturbed."""

    def measure(simulation, steps, realtime):
        attempts = (progress(simulation, steps) for _ in range(4))
        return any(factor == pytest.approx(realtime, rel=0.07) for factor in attempts)

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


def test_unthrottled_it_goes_as_fast_as_it_can(simulate, fine, progress):
    simulation = simulate(fine, realtime=-1.0)
    assert progress(simulation, 50_000) > 20
    assert len(simulation.lateness_ns()) == 0


def test_every_paced_step_has_a_lateness(simulate, fine, until):
    simulation = simulate(fine, num_steps=400)
    until(lambda: simulation.status().paused)
    late = simulation.lateness_ns()
    assert len(late) == 399  # the first sets the pace
    assert late.min() >= 0
    assert np.median(late) < 1_000_000


def test_the_newest_4096_latenesses_are_kept_oldest_first(simulate, fine, until):
    simulation = simulate(fine, realtime=20.0, num_steps=6000)
    blocked = threading.Event()
    until(lambda: simulation.status().steps > 5000)
    simulation.submit(lambda model, data: blocked.wait(0.05)).result(DEADLINE_S)
    until(lambda: simulation.status().paused)
    late = simulation.lateness_ns()
    assert len(late) == 4096
    # it catches up by a step's 25 us with each step after the block
    start = int(np.argmax(late))
    assert late[start] > 40_000_000
    assert 2500 < start < 4096
    assert np.mean(np.diff(late[start : start + 200]) < 0) > 0.9


def test_a_short_delay_is_caught_up(simulate, fine, until):
    simulation = simulate(fine, realtime=1.0)
    begin = simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)
    simulation.submit(lambda model, data: threading.Event().wait(0.08)).result(DEADLINE_S)
    until(lambda: simulation.time > begin[1] + 0.4)
    end = simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)
    assert end[1] - begin[1] == pytest.approx(end[0] - begin[0], abs=0.02)


def test_a_long_delay_is_given_up(simulate, fine, until):
    simulation = simulate(fine, realtime=1.0)
    begin = simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)
    simulation.submit(lambda model, data: threading.Event().wait(0.5)).result(DEADLINE_S)
    until(lambda: simulation.time > begin[1] + 0.3)
    end = simulation.submit(lambda m, d: (time.monotonic(), d.time)).result(DEADLINE_S)
    lost = (end[0] - begin[0]) - (end[1] - begin[1])
    assert lost == pytest.approx(0.5, abs=0.05)


def test_a_wait_can_be_spun(simulate, coarse, until):
    """As is seen in what it costs."""

    def used(busy_wait_s: float) -> float:
        simulation = simulate(coarse, busy_wait_s=busy_wait_s)
        until(lambda: simulation.status().steps > 0)
        before = time.process_time()
        time.sleep(0.5)
        used_s = time.process_time() - before
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


@pytest.mark.parametrize('state', ['slow', 'paused', 'running'])
def test_a_command_does_not_wait_for_the_next_step(simulate, coarse, state):
    """At a hundredth of real time a step of 50 ms takes five seconds."""
    simulation = simulate(coarse, realtime=1.0 if state == 'running' else 0.01)
    simulation.set_paused(state == 'paused').result(DEADLINE_S)
    costs = []
    for _ in range(50):
        begin = time.monotonic()
        simulation.submit(lambda model, data: None).result(DEADLINE_S)
        costs.append(time.monotonic() - begin)
    assert np.median(costs) < 0.01
    assert max(costs) < 2.0


def test_a_new_speed_ends_the_wait_of_the_old(simulate, coarse, until):
    simulation = simulate(coarse, realtime=0.01)
    until(lambda: simulation.status().steps == 1)
    simulation.set_realtime(-1.0).result(DEADLINE_S)
    until(lambda: simulation.status().steps > 1000, 2.0)


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
    assert simulated <= time.monotonic() - start + 0.051  # one may have been due already


def test_steps_made_while_paused_do_not_delay_those_after_it(simulate, coarse, until):
    simulation = simulate(coarse)
    until(lambda: simulation.status().steps > 0)
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.step(2000).result(DEADLINE_S)  # 100 s

    before = simulation.status().steps
    simulation.set_paused(False).result(DEADLINE_S)

    until(lambda: simulation.status().steps > before + 2)


def test_a_higher_speed_does_not_wait_for_the_end_of_a_slow_step(simulate, coarse, until):
    simulation = simulate(coarse, realtime=0.001)  # 50 s a step
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
