"""Loading and resetting: the order and the number of calls."""

from __future__ import annotations

import threading

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, python_callback
from mujoco_ros_py.simulation import InitialState, NoPlugins

TILTED = InitialState(positions={'hinge': (0.5,)}, velocities={'hinge': (2.0,)})


def test_a_load_starts_at_0_with_initial_states_and_poses(simulate, pendulum, recorder):
    poses = []

    class Plugins(recorder):
        def load(self, model, data):
            poses.append((data.xpos.copy(), data.qvel.copy()))
            return super().load(model, data)

    listener = Plugins()
    simulate(pendulum, listener, TILTED, listener=listener, paused=True)
    assert listener.log == [('load', 0.0, [0.5]), ('jump', 0.0)]
    wanted = mujoco.MjData(pendulum)
    wanted.qpos[0] = 0.5
    mujoco.mj_kinematics(pendulum, wanted)
    np.testing.assert_array_equal(poses[0][0], wanted.xpos)
    assert poses[0][1] == [2.0]


def test_a_reset_goes_back_to_the_start_before_the_plugins_are_told(simulate, pendulum, recorder):
    listener = recorder()
    simulation = simulate(pendulum, listener, TILTED, listener=listener, paused=True)
    simulation.step(50).result(DEADLINE_S)
    simulation.submit(lambda m, d: d.qfrc_applied.__setitem__(0, 7.0)).result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    assert listener.log[2:] == [('reset', 0.0, [0.5]), ('jump', 0.0)]
    look = simulation.submit(lambda m, d: (d.time, list(d.qvel), list(d.qfrc_applied)))
    assert look.result(DEADLINE_S) == (0.0, [2.0], [0.0])
    assert simulation.status().resets == 1


def test_callbacks_do_not_fire_before_the_plugins_are_loaded(simulate, pendulum, recorder):
    log = []
    plugins = recorder([python_callback(Point.CONTROL, lambda: log.append('control'))], log)
    simulation = simulate(pendulum, plugins, paused=True)
    assert log[0][0] == 'load'
    assert 'control' in log  # the forward pass at the end of the load
    simulation.load(pendulum).result(DEADLINE_S)
    assert log[-1] == 'unload'


def test_the_old_plugins_go_before_the_new_come(simulate, pendulum, recorder):
    log = []
    first, second = recorder(log=log), recorder(log=log)
    simulation = simulate(pendulum, first)
    simulation.load(pendulum, second).result(DEADLINE_S)
    simulation.close(DEADLINE_S)
    kinds = [entry if isinstance(entry, str) else entry[0] for entry in log]
    assert kinds == ['load', 'unload', 'load', 'unload']


@pytest.mark.parametrize('paused', [False, True])
def test_load_and_reset_keep_the_pause_state(simulate, pendulum, paused):
    simulation = simulate(pendulum, paused=paused)
    simulation.reset().result(DEADLINE_S)
    assert simulation.status().paused is paused
    simulation.load(pendulum).result(DEADLINE_S)
    assert simulation.status().paused is paused
    assert simulation.status().loads == 2


def test_a_new_model_may_have_other_sizes(simulate, pendulum):
    joints = ''.join(f'<body><joint name="j{k}"/><geom size="1"/></body>' for k in range(30))
    larger = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="0.01"/><worldbody>{joints}</worldbody></mujoco>'
    )
    simulation = simulate(pendulum, paused=True)
    for model in (larger, pendulum, larger):
        simulation.load(model).result(DEADLINE_S)
        simulation.step(3).result(DEADLINE_S)
        status = simulation.status()
        assert (status.time, status.steps) == (pytest.approx(3 * model.opt.timestep), 3)
        assert status.timestep == model.opt.timestep


def test_loads_from_many_threads_all_succeed_and_stay_in_pairs(simulate, pendulum, recorder):
    log: list = []
    simulation = simulate(pendulum, realtime=-1.0)

    def load_often():
        for _ in range(5):
            simulation.load(pendulum, recorder(log=log)).result(DEADLINE_S)

    threads = [threading.Thread(target=load_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    simulation.close(DEADLINE_S)
    kinds = [entry if isinstance(entry, str) else entry[0] for entry in log]
    assert kinds == ['load', 'unload'] * 20


def test_loads_and_resets_and_pauses_at_once_are_all_answered(simulate, pendulum, recorder):
    simulation = simulate(pendulum, realtime=-1.0)
    calls = [
        lambda: simulation.load(pendulum, recorder()),
        simulation.reset,
        lambda: simulation.set_paused(True),
        lambda: simulation.set_paused(False),
        simulation.apply_initial_state,
        lambda: simulation.set_realtime(-1.0),
    ]
    futures = [calls[k % len(calls)]() for k in range(300)]
    assert [future.exception(DEADLINE_S) for future in futures] == [None] * 300
    assert simulation.status().loads == 51
    assert simulation.status().resets == 50


def test_hundreds_of_resets_from_several_threads_are_all_made(simulate, pendulum, recorder):
    plugins = recorder()
    simulation = simulate(pendulum, plugins, TILTED, realtime=-1.0)

    def reset_often():
        for _ in range(100):
            simulation.reset().result(DEADLINE_S)

    threads = [threading.Thread(target=reset_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(DEADLINE_S)
    assert simulation.status().resets == 400
    assert plugins.log.count(('reset', 0.0, [0.5])) == 400


def test_plugins_that_raise_while_they_load_are_told_to_the_caller(simulate, pendulum):
    class Broken(NoPlugins):
        def load(self, model, data):
            raise LookupError('no such thing')

    simulation = simulate(pendulum)
    with pytest.raises(LookupError, match='no such thing'):
        simulation.load(pendulum, Broken()).result(DEADLINE_S)
    simulation.load(pendulum).result(DEADLINE_S)
    assert simulation.status().loads == 3


def test_initial_states_can_be_applied_again_and_anew(simulate, pendulum, recorder):
    plugins = recorder()
    simulation = simulate(pendulum, plugins, TILTED, paused=True)

    def joints():
        return simulation.submit(lambda m, d: (d.qpos[0], d.qvel[0])).result(DEADLINE_S)

    simulation.step(20).result(DEADLINE_S)
    assert joints() != (0.5, 2.0)
    assert simulation.apply_initial_state().result(DEADLINE_S) == []
    assert joints() == (0.5, 2.0)
    other = InitialState(positions={'hinge': (-1.0,), 'knee': (1.0,)})
    (problem,) = simulation.apply_initial_state(other).result(DEADLINE_S)
    assert "unknown joint 'knee'" in problem
    assert joints() == (-1.0, 2.0)
    assert simulation.time == pytest.approx(0.04)
    simulation.reset().result(DEADLINE_S)
    assert joints() == (-1.0, 0.0)


def test_what_the_initial_states_skip_is_in_the_log(simulate, pendulum, caplog):
    simulate(pendulum, None, InitialState(positions={'knee': (1.0,)}))
    assert "initial position of unknown joint 'knee' skipped; known: hinge" in caplog.text


def test_initial_positions_that_follow_each_other_are_all_in_the_log(simulate, pendulum, caplog):
    simulation = simulate(pendulum, paused=True)
    for name in ('knee', 'elbow', 'knee'):
        wrong = InitialState(positions={name: (1.0,)})
        simulation.apply_initial_state(wrong).result(DEADLINE_S)
    assert caplog.text.count("unknown joint 'knee'") == 1
    assert caplog.text.count("unknown joint 'elbow'") == 1


def test_several_simulations_in_one_process_do_not_mind_each_other(simulate, pendulum, recorder):
    calls = [[], [], []]
    simulations = [
        simulate(pendulum, recorder([python_callback(Point.CONTROL, lambda c=c: c.append(1))]))
        for c in calls
    ]
    for simulation in simulations:
        simulation.set_paused(True).result(DEADLINE_S)
        simulation.reset().result(DEADLINE_S)
    before = [len(c) for c in calls]
    simulations[1].step(400).result(DEADLINE_S)
    times = [simulation.time for simulation in simulations]
    assert times == pytest.approx([0, 0.8, 0])
    assert len(calls[1]) >= before[1] + 400
    assert len(calls[0]) < before[0] + 100
