"""The end of a simulation: callers get answers, plugins are unloaded, the thread ends."""

from __future__ import annotations

import threading

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, python_callback
from mujoco_ros_py.errors import SimulationError
from mujoco_ros_py.simulation import Listener, Simulation

COARSE = '<mujoco><option timestep="0.05"/></mujoco>'


@pytest.fixture
def block():
    """`block(simulation)` keeps the physics thread busy until `release` is set."""
    release = threading.Event()

    def start(simulation):
        entered = threading.Event()
        future = simulation.submit(lambda m, d: (entered.set(), release.wait(DEADLINE_S)))
        entered.wait(DEADLINE_S)
        return future

    start.release = release
    yield start
    release.set()


@pytest.mark.parametrize(
    ('paused', 'realtime'), [(False, 1.0), (False, -1.0), (False, 1e-4), (True, 1.0)]
)
def test_it_ends_whatever_it_does(simulate, recorder, paused, realtime):
    """At a ten-thousandth of real time a step takes longer than any test waits."""
    plugins = recorder()
    model = mujoco.MjModel.from_xml_string(COARSE)
    simulation = simulate(model, plugins, paused=paused, realtime=realtime)
    assert simulation.close(DEADLINE_S)
    assert plugins.log[-1] == 'unload'
    assert 'physics' not in {thread.name for thread in threading.enumerate()}


def test_it_ends_without_a_model(simulate):
    assert simulate().close(DEADLINE_S)


def test_it_may_be_closed_again(simulate, pendulum, recorder):
    plugins = recorder()
    simulation = simulate(pendulum, plugins)
    assert [simulation.close(DEADLINE_S) for _ in range(3)] == [True] * 3
    assert plugins.log.count('unload') == 1


def test_it_may_be_closed_by_several_at_once(simulate, pendulum, recorder):
    plugins, answers = recorder(), []
    simulation = simulate(pendulum, plugins)
    threads = [
        threading.Thread(target=lambda: answers.append(simulation.close(DEADLINE_S)))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert answers == [True] * 5
    assert plugins.log.count('unload') == 1


def test_afterwards_every_command_is_refused(simulate, pendulum):
    simulation = simulate(pendulum)
    simulation.close(DEADLINE_S)
    calls = [
        simulation.reset(),
        simulation.load(pendulum),
        simulation.set_paused(True),
        simulation.step(),
        simulation.set_realtime(2.0),
        simulation.receiver(),
        simulation.submit(lambda model, data: None),
        simulation.apply_initial_state(),
    ]
    for future in calls:
        with pytest.raises(SimulationError, match='the simulation has ended'):
            future.result(DEADLINE_S)


def test_all_who_wait_when_it_ends_are_answered(simulate, pendulum, block):
    simulation = simulate(pendulum, paused=True)
    blocked = block(simulation)
    before = [simulation.reset(), simulation.load(pendulum), simulation.step(3)]
    assert simulation.close(0.05) is False
    after = [simulation.reset(), simulation.set_paused(False), simulation.step(3)]
    block.release.set()
    assert simulation.close(DEADLINE_S)
    assert blocked.result(DEADLINE_S)
    assert (before[0].result(0), before[1].result(0)) == ([], [])
    for future in (before[2], *after):
        with pytest.raises(SimulationError):
            future.result(0)


def test_a_load_that_comes_after_the_end_loads_nothing(simulate, pendulum, recorder, block):
    late = recorder()
    simulation = simulate(pendulum)
    block(simulation)
    assert simulation.close(0.0) is False
    refused = simulation.load(pendulum, late)
    block.release.set()
    assert simulation.close(DEADLINE_S)
    assert late.log == []
    with pytest.raises(SimulationError, match='has ended'):
        refused.result(DEADLINE_S)


def test_who_waits_for_a_step_is_answered_where_a_listener_raises(pendulum):
    class Broken(Listener):
        def on_standstill(self):
            raise OverflowError('no standstill')

    simulation = Simulation(paused=True, listener=Broken())
    simulation.start()
    simulation.load(pendulum).result(DEADLINE_S)
    with pytest.raises(SimulationError, match='no standstill'):
        simulation.step(2).result(DEADLINE_S)
    assert simulation.status().failure.startswith('OverflowError: no standstill')
    assert simulation.close(DEADLINE_S)


def test_a_listener_that_raises_stops_the_simulation_but_not_its_thread(pendulum, recorder, until):
    class Broken(Listener):
        def on_time_jump(self, time_s):
            if time_s < 0:
                raise OverflowError('no such time')

    simulation = Simulation(listener=Broken())
    simulation.start()
    plugins = recorder()
    simulation.load(pendulum, plugins).result(DEADLINE_S)
    simulation.submit(lambda model, data: setattr(data, 'time', -1.0)).result(DEADLINE_S)
    failure = until(lambda: simulation.status().failure)
    assert failure.startswith('OverflowError: no such time')
    simulation.reset().result(DEADLINE_S)
    assert simulation.status().failure == ''
    assert simulation.close(DEADLINE_S)
    assert plugins.log[-1] == 'unload'


def test_a_load_under_way_is_finished_and_unloaded(simulate, pendulum, recorder):
    entered, release = threading.Event(), threading.Event()

    class Slow(recorder):
        def load(self, model, data):
            entered.set()
            release.wait(DEADLINE_S)
            return super().load(model, data)

    plugins = Slow()
    simulation = simulate(pendulum)
    loading = simulation.load(pendulum, plugins)
    entered.wait(DEADLINE_S)
    assert simulation.close(0.05) is False
    release.set()
    assert simulation.close(DEADLINE_S)
    assert loading.result(0) == []
    assert plugins.log == [('load', 0.0, [0.0]), 'unload']


@pytest.mark.parametrize('during', ['load', 'reset'])
def test_closing_in_the_middle_of_many_commands_answers_all(simulate, pendulum, recorder, during):
    simulation = simulate(pendulum, realtime=-1.0)
    command = {'load': lambda: simulation.load(pendulum, recorder()), 'reset': simulation.reset}
    futures, many, ended = [], threading.Event(), threading.Event()

    def ask():
        while not ended.is_set() and len(futures) < 300:
            futures.append(command[during]())
            if len(futures) >= 50:
                many.set()

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert many.wait(DEADLINE_S)
    assert simulation.close(DEADLINE_S)
    ended.set()
    for thread in threads:
        thread.join(DEADLINE_S)
    errors = [future.exception(DEADLINE_S) for future in futures]
    assert all(error is None or isinstance(error, SimulationError) for error in errors)
    assert None in errors


def test_a_command_that_asks_for_itself_again_does_not_keep_it_from_ending(pendulum):
    simulation = Simulation(realtime=-1.0)
    simulation.start()
    simulation.load(pendulum).result(DEADLINE_S)

    def again(model, data):
        if not ended.is_set():
            simulation.submit(again)

    ended = threading.Event()
    simulation.submit(again).result(DEADLINE_S)
    closed = simulation.close(DEADLINE_S)
    ended.set()
    assert closed


def test_a_callback_that_blocks_makes_the_end_wait_but_not_the_caller(
    simulate, pendulum, recorder
):
    entered, release = threading.Event(), threading.Event()
    callback = python_callback(
        Point.LAST_STAGE, lambda: (entered.set(), release.wait(DEADLINE_S))[0]
    )
    simulation = simulate(pendulum, recorder([callback]))
    entered.wait(DEADLINE_S)
    assert simulation.running_callback() == 'the callback 0 of the test'
    assert simulation.close(0.05) is False
    release.set()
    assert simulation.close(DEADLINE_S)


def test_extensions_that_raise_at_the_end_do_not_keep_it_from_ending(pendulum, recorder):
    class Broken(recorder):
        def unload(self):
            raise LookupError('no such thing')

    simulation = Simulation()
    simulation.start()
    simulation.load(pendulum, Broken()).result(DEADLINE_S)
    assert simulation.close(DEADLINE_S)
    with pytest.raises(SimulationError, match='has ended'):
        simulation.reset().result(DEADLINE_S)
