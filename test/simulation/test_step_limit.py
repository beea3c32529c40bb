"""Steps beyond the time limit are given up, and the simulation returns to an earlier state."""

from __future__ import annotations

import re
import threading
import time

import mujoco
import pytest
from deadline import DEADLINE_S, until

from mujoco_ros_py.engine import PHYSICS, python_callback
from mujoco_ros_py.errors import EngineError, SimulationError

pytestmark = pytest.mark.slow

BOXES = 8
HANGS = f"""
<mujoco>
  <option solver="PGS" iterations="1000000" tolerance="0"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    {
    ''.join(
        f'<body pos="{index} 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>'
        for index in range(BOXES)
    )
}
  </worldbody>
</mujoco>
"""
"""Once the boxes lie on the plane, a step makes a million iterations, in about a minute."""
LIMIT_S = 2.0
RULE = r'a step took longer than 2 s \(step_time_limit\) and was given up'
BEFORE = 20


@pytest.fixture
def simulation(simulate):
    model = mujoco.MjModel.from_xml_string(HANGS)
    return simulate(model, paused=True, step_time_limit_s=LIMIT_S)


def watched(simulation, future):
    """Looks as the watchdog does until the future is done."""

    def looked() -> bool:
        simulation.step_limit.look()
        return future.done()

    until(looked)
    return future


def lay_down(model, data, *_):
    data.qpos[2::7] = 0.0999


def options(simulation):
    return simulation.submit(
        lambda model, data: (model.opt.iterations, model.opt.tolerance, model.opt.ls_iterations)
    ).result(DEADLINE_S)


def test_the_simulation_goes_back_to_a_state_before_the_step_and_is_paused(simulation, caplog):
    simulation.step(BEFORE).result(DEADLINE_S)
    simulation.step_limit.look()
    before = simulation.snapshot().result(DEADLINE_S).data.qpos.copy()
    given = options(simulation)
    steps = watched(simulation, simulation.step(10_000))
    with pytest.raises(SimulationError, match=RULE):
        steps.result(DEADLINE_S)
    now = simulation.snapshot().result(DEADLINE_S)
    status = simulation.status()
    assert (status.paused, status.failure, status.pending_steps) == (True, '', 0)
    assert now.data.time == pytest.approx(BEFORE * now.model.opt.timestep)
    assert now.data.qpos.tolist() == before.tolist()
    assert options(simulation) == given
    (error,) = [each.message for each in caplog.records if each.levelname == 'ERROR']
    assert error.startswith(
        'the simulation was set back to 0.0400 s and paused: a step took longer'
    )
    assert 'lower iterations or raise tolerance' in error

    simulation.submit(lambda model, data: setattr(model.opt, 'iterations', 50)).result(DEADLINE_S)
    simulation.step(500).result(DEADLINE_S)  # the boxes lie on the plane
    simulation.reset().result(DEADLINE_S)
    assert simulation.status().time == 0.0


def test_without_a_state_before_the_step_it_stops_until_a_reset(simulation):
    simulation.submit(lay_down).result(DEADLINE_S)
    steps = watched(simulation, simulation.step())
    with pytest.raises(SimulationError, match=RULE):
        steps.result(DEADLINE_S)
    assert 'step_time_limit' in simulation.status().failure
    with pytest.raises(EngineError, match='reset or reload first'):
        simulation.step().result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    simulation.step(BEFORE).result(DEADLINE_S)


def test_a_forward_pass_of_a_command_is_limited_too(simulation):
    def change(model, data, edit):
        lay_down(model, data)
        edit.done.append('laid down')

    edit = watched(simulation, simulation.edit(change)).result(DEADLINE_S)
    (refused,) = edit.refused
    assert re.search(RULE, refused)
    simulation.reset().result(DEADLINE_S)
    assert simulation.status().failure == ''


def test_the_time_of_a_callback_does_not_count(simulate, recorder, pendulum):
    holds, inside, release = threading.Event(), threading.Event(), threading.Event()

    def hold() -> None:
        if holds.is_set():
            inside.set()
            release.wait(DEADLINE_S)

    plugins = recorder([python_callback(PHYSICS[0], hold)])
    simulation = simulate(pendulum, plugins, paused=True, step_time_limit_s=LIMIT_S)
    holds.set()
    steps = simulation.step(3)
    assert inside.wait(DEADLINE_S)
    since = time.monotonic()
    until(lambda: simulation.step_limit.look() or time.monotonic() > since + 1.5 * LIMIT_S)
    release.set()
    steps.result(DEADLINE_S)
    assert simulation.status().failure == ''
