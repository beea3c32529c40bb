"""Commands are functions that the physics thread calls in order, each with a future."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError

import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.simulation.threads.command_queue import CommandQueue


def test_commands_run_in_the_order_in_which_they_came():
    log = []
    queue = CommandQueue(wake=lambda: None)
    futures = [queue.submit(lambda k=k: log.append(k) or k) for k in range(100)]
    assert log == []
    queue.drain()
    assert log == list(range(100)) == [future.result(0) for future in futures]


def test_each_command_wakes_the_loop():
    calls = []
    queue = CommandQueue(wake=lambda: calls.append(1))
    queue.submit(lambda: None)
    queue.submit(lambda: None)
    assert len(calls) == 2


@pytest.mark.parametrize('error', [ValueError('no'), KeyboardInterrupt(), SystemExit(3)])
def test_an_exception_reaches_the_caller_and_the_next_command_runs(error):
    def fail():
        raise error

    queue = CommandQueue(wake=lambda: None)
    failed, after = queue.submit(fail), queue.submit(lambda: 5)
    queue.drain()
    assert failed.exception(0) is error
    assert after.result(0) == 5


def test_a_cancelled_command_does_not_run():
    log = []
    queue = CommandQueue(wake=lambda: None)
    first, second = (queue.submit(lambda k=k: log.append(k)) for k in (1, 2))
    assert first.cancel()
    queue.drain()
    assert log == [2]
    assert second.done()


def test_a_closed_queue_answers_those_who_wait_and_those_who_come():
    queue = CommandQueue(wake=lambda: None)
    waiting, cancelled = queue.submit(lambda: 1), queue.submit(lambda: 2)
    cancelled.cancel()
    queue.close('it has ended')
    for future in (waiting, queue.submit(lambda: 3)):
        with pytest.raises(SimulationError, match='it has ended'):
            future.result(0)
    with pytest.raises(CancelledError):
        cancelled.result(0)


def test_no_command_is_lost_when_the_queue_is_closed_under_way():
    for _ in range(50):
        queue = CommandQueue(wake=lambda: None)
        futures = []
        begin = threading.Barrier(2)

        def submit(queue=queue, futures=futures, begin=begin):
            begin.wait(DEADLINE_S)
            futures.extend(queue.submit(lambda: None) for _ in range(20))

        thread = threading.Thread(target=submit)
        thread.start()
        begin.wait(DEADLINE_S)
        queue.drain()
        queue.close('it has ended')
        thread.join(DEADLINE_S)
        assert len(futures) == 20
        assert all(future.done() for future in futures)


def test_commands_of_a_simulation_run_on_its_physics_thread(simulate, pendulum):
    simulation = simulate(pendulum)
    threads = {
        simulation.submit(lambda m, d: threading.current_thread().name).result(DEADLINE_S)
        for _ in range(10)
    }
    assert threads == {'physics'}


def test_commands_get_the_model_and_data_that_are_stepped(simulate, pendulum):
    simulation = simulate(pendulum, paused=True)
    model, data = simulation.submit(lambda model, data: (model, data)).result(DEADLINE_S)
    assert model is pendulum
    simulation.step(3).result(DEADLINE_S)
    assert data.time == pytest.approx(0.006)


def test_commands_without_a_model_say_so(simulate):
    simulation = simulate()
    calls = [
        simulation.submit(lambda model, data: None),
        simulation.reset(),
        simulation.set_paused(True),
        simulation.apply_initial_state(),
    ]
    for future in calls:
        with pytest.raises(SimulationError, match='no model is loaded'):
            future.result(DEADLINE_S)


def test_an_exception_in_a_command_leaves_the_simulation_running(simulate, pendulum, until):
    simulation = simulate(pendulum)
    with pytest.raises(ZeroDivisionError):
        simulation.submit(lambda model, data: 1 / 0).result(DEADLINE_S)
    time = simulation.time
    until(lambda: simulation.time > time)


def test_the_callers_of_a_simulation_are_served_in_order(simulate, pendulum):
    simulation = simulate(pendulum, realtime=-1.0)
    log = []
    futures = [simulation.submit(lambda m, d, k=k: log.append(k)) for k in range(500)]
    futures[-1].result(DEADLINE_S)
    assert log == list(range(500))


def test_a_command_that_asks_for_itself_again_runs_between_steps(simulate, pendulum):
    simulation = simulate(pendulum, realtime=-1.0)
    times, ended = [], threading.Event()

    def again(model, data):
        times.append(data.time)
        if len(times) < 200:
            simulation.submit(again)
        else:
            ended.set()

    simulation.submit(again)
    assert ended.wait(DEADLINE_S)
    assert len(set(times)) > 10


def test_a_step_whose_caller_gives_up_while_it_runs_harms_nobody(simulate, pendulum, until):
    simulation = simulate(pendulum, paused=True)
    endless = simulation.step(30_000)
    until(lambda: simulation.status().steps > 0)
    endless.cancel()
    simulation.step().result(DEADLINE_S)
    assert simulation.status().steps > 0


@pytest.mark.parametrize('paused', [True, False])
def test_a_step_whose_caller_gave_up_before_it_began_is_not_made(simulate, pendulum, paused):
    simulation = simulate(pendulum, paused=paused)
    begin, release = threading.Event(), threading.Event()
    blocker = simulation.submit(lambda m, d: (begin.set(), release.wait(DEADLINE_S)))
    begin.wait(DEADLINE_S)
    given_up = simulation.step(1000)
    assert given_up.cancel()
    release.set()
    blocker.result(DEADLINE_S)
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    simulation.step().result(DEADLINE_S)
    assert given_up.cancelled()
    assert simulation.time == pytest.approx(0.002)
