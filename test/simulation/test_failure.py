"""Fatal errors of libmujoco: the simulation stops, reports the reason, and runs after a reset."""

from __future__ import annotations

import logging
import threading

import mujoco
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import PHYSICS, Point, compile_callback, new_state, python_callback
from mujoco_ros_py.errors import EngineError, ModelError, SimulationError
from mujoco_ros_py.simulation import InitialState, Listener

STACK = """
<mujoco>
  <size memory="{}"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    {}
  </worldbody>
</mujoco>
"""

BOX = '<body pos="{} {} {}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'


def fail_when_asked(state, model, data):
    """mj_stateSize ends the process over such a signature, unless it is guarded."""
    if state.armed:
        mujoco.mj_stateSize(model, 2**30)


@pytest.fixture
def armed():
    """The state of `fail_when_asked`: set `armed` to let it fail."""
    return new_state(armed=False)


@pytest.fixture(params=PHYSICS)
def failing(request, simulate, pendulum, recorder, armed):
    """A paused simulation in which a callback can be made to fail, and its plugins."""
    other = python_callback(request.param, lambda: None)
    callbacks = [other, compile_callback(request.param, fail_when_asked, armed)]
    plugins = recorder(callbacks)
    return simulate(pendulum, plugins, paused=True), plugins


def break_it(simulation, armed):
    simulation.step(3).result(DEADLINE_S)
    armed.armed = True
    with pytest.raises(SimulationError, match='invalid state signature'):
        simulation.step(10).result(DEADLINE_S)


def test_it_pauses_and_says_what_and_where(failing, armed, caplog, until):
    simulation, _ = failing
    break_it(simulation, armed)
    status = simulation.status()
    assert status.paused
    assert 'invalid state signature' in status.failure
    assert 'the callback 1 of the test' in status.failure
    assert f'time {3 * 0.002:.4f} s, step 3' in status.failure
    (record,) = until(lambda: [r for r in caplog.records if r.levelno == logging.ERROR])
    assert status.failure in record.getMessage()


def test_it_neither_steps_nor_runs_until_it_is_reset(failing, armed):
    simulation, _ = failing
    break_it(simulation, armed)
    with pytest.raises(EngineError, match=r'cannot step after a fatal error; .*signature'):
        simulation.step().result(DEADLINE_S)
    with pytest.raises(EngineError, match=r'cannot unpause after a fatal error; .*signature'):
        simulation.set_paused(False).result(DEADLINE_S)
    simulation.set_paused(True).result(DEADLINE_S)
    assert simulation.submit(lambda model, data: model.nq).result(DEADLINE_S) == 1


@pytest.mark.parametrize('way', ['reset', 'load'])
def test_it_goes_on_after_a_reset_or_a_load(failing, armed, pendulum, way):
    simulation, plugins = failing
    for _ in range(3):
        break_it(simulation, armed)
        armed.armed = False
        future = simulation.reset() if way == 'reset' else simulation.load(pendulum, plugins)
        future.result(DEADLINE_S)
        assert simulation.status().failure == ''
        assert simulation.time == 0
        simulation.step(5).result(DEADLINE_S)
        assert simulation.time == pytest.approx(0.01)


def test_a_reset_that_fails_again_says_so_again(failing, armed):
    simulation, _ = failing
    break_it(simulation, armed)
    simulation.reset().exception(DEADLINE_S)  # an error or not: the state is what counts
    failed = simulation.status().failure
    if failed:
        assert 'invalid state signature' in failed
    else:  # the last stage is not part of a reset
        with pytest.raises(SimulationError, match='invalid state signature'):
            simulation.step(10).result(DEADLINE_S)
    armed.armed = False
    simulation.reset().result(DEADLINE_S)
    simulation.step().result(DEADLINE_S)


def test_it_stops_while_it_runs_too(simulate, pendulum, recorder, armed, until):
    callback = compile_callback(Point.CONTROL, fail_when_asked, armed)
    simulation = simulate(pendulum, recorder([callback]))
    armed.armed = True
    until(lambda: simulation.status().failure and simulation.status().paused)
    armed.armed = False
    simulation.reset().result(DEADLINE_S)
    simulation.set_paused(False).result(DEADLINE_S)
    time = simulation.time
    until(lambda: simulation.time > time)


def test_it_stops_in_a_forward_pass_of_the_pause(simulate, pendulum, recorder, armed, until):
    callback = compile_callback(Point.PASSIVE, fail_when_asked, armed)
    simulation = simulate(pendulum, recorder([callback]), paused=True)
    armed.armed = True
    until(lambda: simulation.status().failure)


def test_an_error_of_mj_step_itself_is_survived(simulate, caplog):
    """The stack of mjData is too small for the contacts that come when the bodies fall."""
    bodies = ''.join(BOX.format(k % 5, k // 5, 0.2) for k in range(25))
    simulation = None
    for kilobytes in range(150, 20, -2):
        model = mujoco.MjModel.from_xml_string(STACK.format(f'{kilobytes}K', bodies))
        data = mujoco.MjData(model)
        try:
            mujoco.mj_forward(model, data)
            mujoco.mj_step(model, data, 300)
        except mujoco.FatalError:
            simulation = simulate(model, paused=True)
            break
    assert simulation is not None, 'no size at which it fails in the middle'
    with pytest.raises(SimulationError, match=r'mj_|stack|memory'):
        simulation.step(300).result(DEADLINE_S)
    assert simulation.status().failure
    simulation.load(mujoco.MjModel.from_xml_string('<mujoco/>')).result(DEADLINE_S)
    simulation.step(3).result(DEADLINE_S)


def test_a_model_that_fails_while_it_is_loaded_leaves_the_old_one_running(
    simulate, pendulum, recorder
):
    bodies = ''.join(BOX.format(k % 5, k // 5, 0.05) for k in range(60))
    small = mujoco.MjModel.from_xml_string(STACK.format(37_500, bodies))
    with pytest.raises(mujoco.FatalError, match='out of memory'):
        mujoco.mj_fwdPosition(small, mujoco.MjData(small))
    old, new = recorder(), recorder()
    simulation = simulate(pendulum, old, paused=True)
    simulation.step(5).result(DEADLINE_S)
    with pytest.raises(ModelError, match='out of memory'):
        simulation.load(small, new).result(DEADLINE_S)
    assert 'unload' not in old.log
    assert new.log == []
    simulation.step().result(DEADLINE_S)
    assert simulation.time == pytest.approx(0.012)


def test_a_simulation_recovers_from_a_model_that_failed_while_it_was_loaded(simulate, pendulum):
    bodies = ''.join(BOX.format(k % 5, k // 5, 0.05) for k in range(60))
    small = mujoco.MjModel.from_xml_string(STACK.format(37_500, bodies))
    simulation = simulate(pendulum)
    with pytest.raises(ModelError, match='out of memory'):
        simulation.load(small)
    simulation.set_paused(True).result(DEADLINE_S)
    simulation.load(pendulum).result(DEADLINE_S)
    simulation.step(2).result(DEADLINE_S)
    assert simulation.status().failure == ''


def test_initial_states_that_no_pass_can_be_made_with_are_not_those_of_the_next_reset(simulate):
    apart = ''.join(
        f'<body pos="{k} 0 1"><freejoint name="{k}"/><geom type="box" size=".1 .1 .1"/></body>'
        for k in range(60)
    )
    model = mujoco.MjModel.from_xml_string(STACK.format(37_500, apart))
    simulation = simulate(model, paused=True)
    on_the_floor = {str(k): (k % 5, k // 5, 0.05, 1.0, 0.0, 0.0, 0.0) for k in range(60)}
    initial = InitialState(positions=on_the_floor)
    simulation.apply_initial_state(initial).result(DEADLINE_S)
    assert 'out of memory' in simulation.status().failure
    simulation.reset().result(DEADLINE_S)
    assert simulation.status().failure == ''
    simulation.step(3).result(DEADLINE_S)


def test_no_snapshot_comes_from_broken_data(failing, armed):
    simulation, _ = failing
    receiver = simulation.receiver().result(DEADLINE_S)
    assert receiver.next(DEADLINE_S) is not None
    break_it(simulation, armed)
    assert receiver.next(0.05) is None
    armed.armed = False
    simulation.reset().result(DEADLINE_S)
    snapshot = receiver.next(DEADLINE_S)
    assert snapshot is not None
    assert snapshot.time == 0


def test_who_follows_the_time_is_told_where_it_stops(simulate, pendulum, recorder, armed):
    times = []

    class Standstill(Listener):
        def on_standstill(self):
            times.append(simulation.time)

    callback = compile_callback(Point.CONTROL, fail_when_asked, armed)
    simulation = simulate(pendulum, recorder([callback]), listener=Standstill(), paused=True)
    break_it(simulation, armed)
    assert times == pytest.approx([0.006, 0.006])


def test_other_simulations_run_on(failing, armed, simulate, pendulum, until):
    simulation, _ = failing
    other = simulate(pendulum)
    break_it(simulation, armed)
    time = other.time
    until(lambda: other.time > time)
    assert threading.active_count() > 2


def test_an_error_of_the_bindings_in_a_command_is_the_callers(simulate, pendulum):
    simulation = simulate(pendulum, paused=True)
    with pytest.raises(mujoco.FatalError, match='signature'):
        simulation.submit(lambda m, d: mujoco.mj_stateSize(m, 2**30)).result(DEADLINE_S)
    simulation.step().result(DEADLINE_S)
    assert simulation.status().failure == ''


@pytest.mark.parametrize('ends', [True, False])
def test_an_unstable_simulation_stops_where_that_is_asked_for_and_is_reset_elsewhere(
    simulate, pendulum, until, ends
):
    simulation = simulate(pendulum, paused=True, ends_unstable=ends)
    simulation.step(10).result(DEADLINE_S)

    def throw(model, data):
        data.qvel[0] = 1e12

    simulation.submit(throw).result(DEADLINE_S)
    steps = simulation.step(5)
    if ends:
        with pytest.raises(SimulationError, match=r'it became unstable: .*(QVEL|QACC)'):
            steps.result(DEADLINE_S)
        assert simulation.time >= 0.02
        with pytest.raises(EngineError, match='cannot step after a fatal error'):
            simulation.step().result(DEADLINE_S)
    else:
        steps.result(DEADLINE_S)
        assert simulation.time < 0.02
        assert not simulation.status().failure
    simulation.reset().result(DEADLINE_S)
    simulation.step(3).result(DEADLINE_S)
    assert simulation.time == pytest.approx(0.006)
