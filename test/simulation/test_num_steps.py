"""The number of steps that a server may make."""

from __future__ import annotations

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import SimulationError


@pytest.mark.parametrize('count', [1, 250])
def test_running_stops_after_this_many_steps_and_says_so_once(
    simulate, pendulum, recorder, until, count
):
    listener = recorder()
    simulation = simulate(pendulum, num_steps=count, realtime=-1.0, listener=listener)
    until(lambda: 'finished' in listener.log)
    simulation.submit(lambda model, data: None).result(DEADLINE_S)
    assert listener.log == [('jump', 0.0), 'finished']
    assert simulation.status().paused
    assert simulation.status().steps == count
    assert simulation.time == pytest.approx(count * 0.002)


def test_no_step_is_made_beyond_them(simulate, pendulum, recorder):
    simulation = simulate(pendulum, paused=True, num_steps=5)
    with pytest.raises(SimulationError, match='num_steps has been reached'):
        simulation.step(10).result(DEADLINE_S)
    with pytest.raises(SimulationError, match='num_steps has been reached'):
        simulation.step().result(DEADLINE_S)
    assert simulation.status().steps == 5


def test_steps_made_one_by_one_count(simulate, pendulum, recorder, until):
    listener = recorder()
    simulation = simulate(pendulum, paused=True, num_steps=3, listener=listener)
    for _ in range(3):
        simulation.step().result(DEADLINE_S)
    until(lambda: 'finished' in listener.log)


def test_steps_before_a_reset_count(simulate, pendulum, recorder, until):
    listener = recorder()
    simulation = simulate(pendulum, paused=True, num_steps=10, listener=listener)
    simulation.step(6).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: 'finished' in listener.log)
    assert simulation.time == pytest.approx(4 * 0.002)


def test_without_a_number_there_is_no_end(simulate, pendulum, recorder, until):
    listener = recorder()
    simulation = simulate(pendulum, realtime=-1.0, listener=listener)
    until(lambda: simulation.status().steps > 50_000)
    assert 'finished' not in listener.log
