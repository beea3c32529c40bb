"""Two simulations in one process share MuJoCo's callback pointers, but not their callbacks."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import PHYSICS, Point, compile_callback, new_state, python_callback

CART = """
<mujoco>
  <option timestep="{}" gravity="0 0 0"/>
  <worldbody><body><joint name="rail" type="slide"/><geom size="0.1" mass="2"/></body></worldbody>
</mujoco>
"""
SIDES = {'left': 0.001, 'right': 0.003}
"""Time steps, by which a callback knows whose data it gets."""


def count(state, model, data):
    state.calls += 1
    if model.opt.timestep != state.timestep:
        state.foreign += 1


def push(state, model, data):
    data.qfrc_passive[0] += state.force


@pytest.fixture
def carts() -> dict[str, mujoco.MjModel]:
    """One body on a rail each, with a time step of its own."""
    return {
        side: mujoco.MjModel.from_xml_string(CART.format(step)) for side, step in SIDES.items()
    }


def counting(side: str) -> tuple[dict[Point, object], list[object]]:
    """The states of compiled callbacks at all points of the physics, and the callbacks."""
    states = {point: new_state(timestep=SIDES[side], calls=0, foreign=0) for point in PHYSICS}
    callbacks = [compile_callback(point, count, state) for point, state in states.items()]
    return states, callbacks


def test_compiled_callbacks_hear_their_own_simulation_alone_while_both_run(
    simulate, recorder, carts, until
):
    states, simulations = {}, {}
    for side in SIDES:
        states[side], callbacks = counting(side)
        simulations[side] = simulate(carts[side], recorder(callbacks), realtime=-1.0)
    until(lambda: all(s.status().steps > 5000 for s in simulations.values()))
    for side, simulation in simulations.items():
        simulation.set_paused(True).result(DEADLINE_S)
        steps = simulation.status().steps
        assert states[side][Point.LAST_STAGE].calls == steps
        assert states[side][Point.CONTROL].calls > steps, 'the load makes a forward pass'
        assert states[side][Point.PASSIVE].calls > steps
        assert [int(state.foreign) for state in states[side].values()] == [0, 0, 0]


def test_python_callbacks_hear_their_own_simulation_alone_while_both_run(
    simulate, recorder, carts, until
):
    heard, steps, simulations = {}, {'left': 4000, 'right': 1000}, {}
    for side, count in steps.items():
        heard[side] = calls = []
        callbacks = [python_callback(p, lambda p=p, calls=calls: calls.append(p)) for p in PHYSICS]
        options = {'realtime': -1.0, 'num_steps': count, 'paused': True}
        simulations[side] = simulate(carts[side], recorder(callbacks), **options)
    begun = [simulation.set_paused(False) for simulation in simulations.values()]
    assert [each.result(DEADLINE_S) for each in begun] == [None, None]
    until(lambda: all(s.status().steps == steps[side] for side, s in simulations.items()))
    until(lambda: all(s.status().paused for s in simulations.values()))
    for side, count in steps.items():
        assert heard[side].count(Point.LAST_STAGE) == count
        for point in (Point.CONTROL, Point.PASSIVE):
            assert count < heard[side].count(point) < 1.5 * count, 'steps, a few forward passes'


def test_a_passive_force_acts_on_its_own_simulation_alone(simulate, recorder, carts, until):
    forces, simulations = {'left': 4.0, 'right': -6.0}, {}
    for side, force in forces.items():
        callback = compile_callback(Point.PASSIVE, push, new_state(force=force))
        options = {'realtime': -1.0, 'num_steps': 5000}
        simulations[side] = simulate(carts[side], recorder([callback]), **options)
    until(lambda: all(s.status().paused for s in simulations.values()))
    for side, force in forces.items():
        (speed,) = simulations[side].submit(lambda m, d: np.array(d.qvel)).result(DEADLINE_S)
        assert speed == pytest.approx(force / 2.0 * 5000 * SIDES[side])


@pytest.mark.parametrize('way', ['load', 'close'])
def test_callbacks_of_a_simulation_that_goes_are_silent_and_those_of_the_other_go_on(
    simulate, recorder, carts, until, way
):
    states, simulations = {}, {}
    for side in SIDES:
        states[side], callbacks = counting(side)
        simulations[side] = simulate(carts[side], recorder(callbacks), realtime=-1.0)
    left, right = simulations.values()
    if way == 'load':
        left.load(carts['left']).result(DEADLINE_S)
    else:
        assert left.close(DEADLINE_S)
    before = [int(state.calls) for state in states['left'].values()]
    steps = right.status().steps
    until(lambda: right.status().steps > steps + 5000)
    right.set_paused(True).result(DEADLINE_S)
    assert [int(state.calls) for state in states['left'].values()] == before
    steps = right.status().steps
    assert states['right'][Point.LAST_STAGE].calls == steps
    assert min(states['right'][p].calls for p in (Point.CONTROL, Point.PASSIVE)) > steps
