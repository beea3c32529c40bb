"""Requested steps: their number is exact, and their results equal those of mj_step bit for bit."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import Point, python_callback
from mujoco_ros_py.errors import SimulationError

TUMBLE = """
<mujoco>
  <option timestep="0.002" integrator="{}" solver="{}"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.05 0.08" euler="20 30 0"/></body>
    <body pos="0 0 0.6"><freejoint/><geom type="capsule" size="0.05 0.1" euler="60 0 0"/></body>
    <body pos="1 0 1"><joint name="a" type="ball"/><geom type="capsule" size="0.05 0.2"/>
      <body pos="0 0 0.3"><joint name="b" axis="0 1 0" damping="0.1"/><geom size="0.1"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="b" ctrlrange="-1 1" delay="0.01" nsample="8"/>
    <general joint="b" dyntype="filter" dynprm="0.05" gainprm="2"/>
  </actuator>
  <sensor><jointpos joint="b" delay="0.006" nsample="5" interval="0.004"/></sensor>
</mujoco>
"""
COUNT = 500


@pytest.fixture(params=['Euler Newton', 'RK4 CG', 'implicit PGS', 'implicitfast Newton'])
def tumble(request) -> mujoco.MjModel:
    """Contacts, activations, delays; each integrator and each solver."""
    return tumbling(request.param)


@pytest.fixture(params=['RK4 CG', 'implicit PGS'])
def disturbed(request) -> mujoco.MjModel:
    """The integrators and solvers that differ most, for tests of what happens between steps."""
    return tumbling(request.param)


def tumbling(kind: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(TUMBLE.format(*kind.split()))


def state(model: mujoco.MjModel, data: mujoco.MjData) -> bytes:
    """All that the next step depends on, warm start and time included."""
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    values = np.zeros(mujoco.mj_stateSize(model, kind))
    mujoco.mj_getState(model, data, values, kind)
    return values.tobytes()


def excite(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    data.ctrl[:] = 0.5, -0.3
    data.qvel[:] = np.linspace(-1, 1, model.nv)


def stepped(model: mujoco.MjModel, count: int = COUNT) -> bytes:
    """What the bindings come to."""
    data = mujoco.MjData(model)
    excite(model, data)
    mujoco.mj_step(model, data, count)
    assert data.ncon > 0
    return state(model, data)


def test_counted_steps_are_those_of_mj_step_to_the_last_bit(simulate, tumble):
    simulation = simulate(tumble, paused=True)
    simulation.submit(excite).result(DEADLINE_S)
    simulation.step(COUNT).result(DEADLINE_S)
    assert simulation.submit(state).result(DEADLINE_S) == stepped(tumble)


@pytest.mark.parametrize('realtime', [-1.0, 20.0])
def test_running_makes_the_same_steps(simulate, disturbed, until, realtime):
    simulation = simulate(disturbed, paused=True, num_steps=COUNT, realtime=realtime)
    simulation.submit(excite).result(DEADLINE_S)
    simulation.set_paused(False).result(DEADLINE_S)
    until(lambda: simulation.status().paused)
    assert simulation.status().steps == COUNT
    assert simulation.submit(state).result(DEADLINE_S) == stepped(disturbed)


def test_a_pause_changes_nothing_to_the_last_bit(simulate, disturbed, until, recorder):
    calls = []
    count = python_callback(Point.CONTROL, lambda: calls.append(1))
    simulation = simulate(disturbed, recorder([count]), paused=True)
    simulation.submit(excite).result(DEADLINE_S)
    for _ in range(5):
        simulation.step(COUNT // 5).result(DEADLINE_S)
        before = len(calls)
        until(lambda: len(calls) >= before + 3)  # noqa: B023  # forward passes of the pause
    assert simulation.submit(state).result(DEADLINE_S) == stepped(disturbed)


def test_commands_in_between_change_nothing_to_the_last_bit(simulate, disturbed):
    simulation = simulate(disturbed, paused=True, realtime=-1.0, num_steps=COUNT)
    simulation.submit(excite).result(DEADLINE_S)
    simulation.set_paused(False)
    while not simulation.submit(lambda model, data: data.time > 0.9).result(DEADLINE_S):
        simulation.set_paused(True)
        simulation.set_realtime(50.0)
        simulation.set_paused(False)
        simulation.set_realtime(-1.0).result(DEADLINE_S)
    while not simulation.status().paused:
        simulation.submit(lambda model, data: None).result(DEADLINE_S)
    assert simulation.submit(state).result(DEADLINE_S) == stepped(disturbed)


def test_one_step_is_one_timestep(simulate, pendulum):
    simulation = simulate(pendulum, paused=True)
    for count in (1, 1, 98):
        simulation.step(count).result(DEADLINE_S)
    assert simulation.status().steps == 100
    assert simulation.time == pytest.approx(0.2, abs=1e-9)


def test_steps_that_are_asked_for_while_others_run_are_added(simulate, pendulum):
    simulation = simulate(pendulum, paused=True)
    order = []
    futures = [simulation.step(count) for count in (3000, 1, 2000)]
    for future in futures:
        future.add_done_callback(lambda done: order.append(futures.index(done)))
    times = [future.result(DEADLINE_S) for future in futures]
    assert times == [None] * 3
    assert simulation.submit(lambda m, d: d.time).result(DEADLINE_S) == pytest.approx(10.002)
    assert order == [0, 1, 2]
    assert simulation.status().steps == 5001


def test_a_step_is_refused_while_running(simulate, pendulum):
    simulation = simulate(pendulum)
    with pytest.raises(SimulationError, match='cannot step while running: pause first'):
        simulation.step().result(DEADLINE_S)


def test_a_step_without_a_model_is_refused(simulate):
    with pytest.raises(SimulationError, match='no model is loaded'):
        simulate(paused=True).step().result(DEADLINE_S)


@pytest.mark.parametrize('count', [0, -1])
def test_fewer_than_one_step_is_refused(simulate, pendulum, count):
    with pytest.raises(SimulationError, match=f'of at least 1, got {count}'):
        simulate(pendulum, paused=True).step(count)


@pytest.mark.parametrize('end', ['set_paused', 'reset', 'load', 'close'])
def test_steps_that_will_not_be_made_are_answered(simulate, pendulum, end):
    simulation = simulate(pendulum, paused=True)
    endless = simulation.step(10**12)
    {
        'set_paused': lambda: simulation.set_paused(False),
        'reset': simulation.reset,
        'load': lambda: simulation.load(pendulum),
        'close': lambda: simulation.close(DEADLINE_S),
    }[end]()
    with pytest.raises(SimulationError, match=r'unpaused|reset|reloaded or ended'):
        endless.result(DEADLINE_S)


def test_a_reset_takes_the_steps_along_that_were_to_be_made(simulate, pendulum):
    simulation = simulate(pendulum, paused=True)
    simulation.step(10**12)
    simulation.reset().result(DEADLINE_S)
    simulation.step(2).result(DEADLINE_S)
    assert simulation.time == pytest.approx(0.004)
