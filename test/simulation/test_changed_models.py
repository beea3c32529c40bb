"""The simulation continues with another model, and objects of both models are undisturbed."""

from __future__ import annotations

import threading
from itertools import pairwise

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, compile_callback, new_state, python_callback
from mujoco_ros_py.errors import EngineError, ModelError, SimulationError
from mujoco_ros_py.simulation import NoPlugins, SnapshotFeed

from .exchanged import Sent

PENDULUM = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    {}
    <body name="bob"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <actuator><general name="push" joint="hinge" dyntype="filter" dynprm="0.1"/></actuator>
</mujoco>
"""
CUBE = '<body name="cube" pos="5 0 9"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'


@pytest.fixture
def plain() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(PENDULUM.format(''))


@pytest.fixture
def with_cube() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(PENDULUM.format(CUBE))


def push(state, model, data):
    data.ctrl[0] = np.sin(20.0 * data.time)


def fill(state, model, data, message):
    message.value = data.qpos[model.nq - 1]


def pushing(recorder):
    return recorder([compile_callback(Point.CONTROL, push, new_state(unused=0))])


def numbers(simulation):
    return simulation.submit(lambda model, data: [*data.qpos[-1:], *data.qvel[-1:], *data.act])


def test_the_run_with_a_change_equals_that_without_to_the_bit(
    simulate, recorder, plain, with_cube
):
    runs = []
    for changes in ([], [with_cube, plain, with_cube]):
        simulation = simulate(plain, pushing(recorder), paused=True)
        for model in changes:
            simulation.step(50).result(DEADLINE_S)
            simulation.change(model, pushing(recorder)).result(DEADLINE_S)
        simulation.step(200 - 50 * len(changes)).result(DEADLINE_S)
        runs.append(numbers(simulation).result(DEADLINE_S))
    assert runs[0] == runs[1]


def test_time_steps_epoch_and_pause_go_on_and_the_listener_hears_of_no_jump(
    simulate, recorder, plain, with_cube
):
    listener = recorder()
    simulation = simulate(plain, paused=True, listener=listener)
    simulation.step(50).result(DEADLINE_S)
    before, log = simulation.status(), list(listener.log)
    epoch = simulation.epoch
    simulation.change(with_cube, NoPlugins()).result(DEADLINE_S)
    assert simulation.status() == before
    assert simulation.epoch == epoch
    assert listener.log == log


def test_steps_that_are_still_to_be_made_are_made(simulate, recorder, plain, with_cube):
    steps, going, made_before = threading.Event(), threading.Event(), []
    wait = python_callback(Point.LAST_STAGE, lambda: (steps.set(), going.wait(DEADLINE_S)))
    simulation = simulate(plain, recorder([wait]), paused=True)
    made = simulation.step(100)
    assert steps.wait(DEADLINE_S)
    changed = simulation.change(with_cube, NoPlugins())  # while the first step waits
    changed.add_done_callback(lambda _: made_before.append(simulation.status().steps))
    going.set()
    changed.result(DEADLINE_S)
    made.result(DEADLINE_S)
    assert simulation.status().steps == 100
    assert made_before[0] < 100


def test_a_new_body_falls_from_where_it_begins(simulate, plain, with_cube):
    simulation = simulate(plain, paused=True)
    simulation.step(50).result(DEADLINE_S)
    simulation.change(with_cube, NoPlugins()).result(DEADLINE_S)
    height = simulation.submit(lambda model, data: float(data.body('cube').xpos[2]))
    assert height.result(DEADLINE_S) == 9.0
    simulation.step(100).result(DEADLINE_S)
    height = simulation.submit(lambda model, data: float(data.qpos[2]))
    assert height.result(DEADLINE_S) == pytest.approx(9.0 - 9.81 / 2 * 0.2**2, abs=2e-3)


def test_a_reset_after_a_change_puts_all_of_the_new_model_at_its_start(simulate, plain, with_cube):
    simulation = simulate(plain, paused=True)
    simulation.step(50).result(DEADLINE_S)
    simulation.change(with_cube, NoPlugins()).result(DEADLINE_S)
    simulation.step(50).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    assert simulation.time == 0
    qpos = simulation.submit(lambda model, data: data.qpos.tolist()).result(DEADLINE_S)
    assert qpos == with_cube.qpos0.tolist()


def test_messages_keep_their_beat_and_none_is_left_out(
    simulate, recorder, plain, with_cube, until
):
    sent = Sent(fill, 100.0)

    def wait_for_the_messages():
        """Keeps the moments that are not sent yet below those that a ring holds."""
        until(lambda: sent.times[-1] > simulation.time - 0.03)

    plugins = [python_callback(Point.LAST_STAGE, wait_for_the_messages)]
    simulation = simulate(plain, recorder(plugins), paused=True, realtime=1.0)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: sent.messages)
    simulation.set_paused(False).result(DEADLINE_S)
    for model in (with_cube, plain) * 3:
        simulation.change(model, recorder(plugins)).result(DEADLINE_S)
        now = simulation.time
        until(lambda: sent.times[-1] > now + 0.013)  # noqa: B023  (called at once)
    periods = {round(after - before, 9) for before, after in pairwise(sent.times)}
    assert periods - {0.0} == {0.01}, 'the pause may have repeated the start'


def test_followers_keep_their_beat(simulate, plain, with_cube, until):
    simulation = simulate(plain, paused=True, realtime=0.2)
    feed, moments = SnapshotFeed(simulation, 1000.0), []
    follower = feed.follow(50.0, lambda moment: moments.append((moment.time, moment.model.nq)))
    feed.start()
    until(lambda: moments)
    simulation.set_paused(False).result(DEADLINE_S)
    for model in (with_cube, plain) * 2:
        simulation.change(model, NoPlugins()).result(DEADLINE_S)
        now = simulation.time
        until(lambda: moments[-1][0] > now + 0.02)  # noqa: B023  (called at once)
    follower.close()
    feed.close()
    times = sorted({time for time, _ in moments})
    on_the_beat = [time for time in times if abs(time * 50.0 - round(time * 50.0)) < 1e-6]
    assert on_the_beat == times
    assert {nq for _, nq in moments} == {plain.nq, with_cube.nq}


def test_a_model_that_cannot_make_a_forward_pass_changes_nothing(simulate, plain):
    bad = mujoco.MjModel.from_xml_string(PENDULUM.format(CUBE))
    bad.opt.timestep = -1.0
    simulation = simulate(plain, paused=True)
    simulation.step(10).result(DEADLINE_S)
    with pytest.raises(ModelError):
        simulation.change(bad, NoPlugins())
    simulation.step(10).result(DEADLINE_S)
    assert simulation.status().steps == 20


def test_a_change_of_a_model_that_was_replaced_meanwhile_is_refused(simulate, plain, with_cube):
    simulation = simulate(plain, paused=True)
    held = simulation.between_steps(lambda: simulation.change(with_cube, NoPlugins()))
    change = held.result(DEADLINE_S)
    change.result(DEADLINE_S)

    def late():
        """Asks for a change behind a load that has been asked for already."""
        loaded = simulation.load(plain)
        return loaded, simulation.change(plain, NoPlugins())

    loaded, changed = simulation.between_steps(late).result(DEADLINE_S)
    loaded.result(DEADLINE_S)
    with pytest.raises(SimulationError, match='another model was loaded in the meantime'):
        changed.result(DEADLINE_S)


def test_a_simulation_that_stands_still_after_a_fatal_error_is_not_changed(
    simulate, recorder, plain, with_cube
):
    def stop(state, model, data):
        mujoco.mj_stateSize(model, 2**30)  # a fatal error

    plugins = recorder([compile_callback(Point.CONTROL, stop, new_state(unused=0))])
    simulation = simulate(plain, plugins, paused=True)
    with pytest.raises(EngineError, match='cannot change the model after a fatal error'):
        simulation.change(with_cube, NoPlugins()).result(DEADLINE_S)
