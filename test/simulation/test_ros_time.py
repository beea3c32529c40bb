"""ROS time that continues never goes back when the time of the data restarts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import new_state
from mujoco_ros_py.simulation import Lockstep, Simulation

from .exchanged import LAYOUT, Received, Sent, port

TIMESTEP = 0.002
KEYED = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody><body><joint name="hinge"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
  <keyframe><key name="early" time="0.001"/><key name="late" time="70"/></keyframe>
</mujoco>
"""
MODEL = mujoco.MjModel.from_xml_string(KEYED)


def set_time(time: float) -> Callable[[Simulation], Any]:
    return lambda simulation: simulation.submit(lambda model, data: setattr(data, 'time', time))


WAYS = {
    'a reset': (lambda simulation: simulation.reset(), 0.0),
    'a reset that keeps the time': (lambda simulation: simulation.reset(keep_time=True), 0.01),
    'an early keyframe': (lambda simulation: simulation.reset('early'), 0.001),
    'a late keyframe': (lambda simulation: simulation.reset('late'), 70.0),
    'a load': (lambda simulation: simulation.load(MODEL), 0.0),
    'a time that is set back': (set_time(0.003), 0.003),
    'a time that is set ahead': (set_time(50.0), 50.0),
}
"""What begins an epoch after 5 steps, and the time of the data then."""


def fill(state: Any, model: Any, data: Any, message: Any, ros_time: float) -> None:
    message.value, message.count = ros_time, round(data.time * 1e6)


def read(state: Any, model: Any, data: Any, message: Any, ros_time: float) -> None:
    state.at, state.model_at = ros_time, data.time


def steps(simulation: Simulation, count: int) -> None:
    simulation.step(count).result(DEADLINE_S)


@pytest.fixture
def begin(simulate) -> Callable[..., Simulation]:
    """`begin(continues=True)`: a paused simulation, which is stepped as fast as it can be."""

    def begin(continues: bool = True, **options: Any) -> Simulation:
        options = {'paused': True, 'realtime': -1.0, 'ros_time_continues': continues, **options}
        return simulate(MODEL, **options)

    return begin


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('continues', [True, False])
def test_stamps_never_go_back_where_ros_time_continues(begin, until, way, continues):
    change, there = WAYS[way]
    simulation = begin(continues, lockstep=Lockstep(period_s=TIMESTEP))  # sends each moment itself
    sent = Sent(fill, 500.0)
    simulation.exchange.add_outlet(sent.outlet)
    until(lambda: sent.messages)
    steps(simulation, 5)
    change(simulation).result(DEADLINE_S)
    steps(simulation, 3)
    until(lambda: sent.messages[-1][2] == round((there + 3 * TIMESTEP) * 1e6))
    stamps, given, models = zip(*sent.messages, strict=True)
    assert stamps == pytest.approx(given, abs=1e-9), 'the function gets the time of the stamp'
    if continues:
        assert max(after - before for before, after in pairwise(stamps)) < 1.001 * TIMESTEP
        assert min(after - before for before, after in pairwise(stamps)) > -1e-12
        assert stamps[-1] == pytest.approx(9 * TIMESTEP), '8 steps, and one for the new epoch'
    else:
        assert stamps == pytest.approx(np.array(models) * 1e-6)
    assert simulation.time == pytest.approx(there + 3 * TIMESTEP)
    assert simulation.ros_time == pytest.approx(stamps[-1])


def test_a_state_after_a_reset_has_a_stamp_of_its_own(begin):
    simulation = begin()
    steps(simulation, 5)
    before = simulation.snapshot().result(DEADLINE_S)
    simulation.reset().result(DEADLINE_S)
    after = simulation.snapshot().result(DEADLINE_S)
    assert (after.time, before.ros_time) == (0.0, before.time)
    assert after.ros_time == pytest.approx(before.ros_time + TIMESTEP)


def test_copies_of_the_data_know_their_ros_time(begin, until):
    simulation = begin()
    receiver = simulation.receiver().result(DEADLINE_S)
    steps(simulation, 5)
    simulation.reset().result(DEADLINE_S)
    snapshot = until(lambda: receiver.next(0.1))
    assert (snapshot.time, snapshot.ros_time) == (0.0, pytest.approx(6 * TIMESTEP))


def test_a_restored_state_continues_from_the_present_time(begin):
    simulation = begin()
    saved = simulation.save().result(DEADLINE_S)
    for count in range(1, 4):
        steps(simulation, 5)
        simulation.restore(saved).result(DEADLINE_S)
        assert simulation.time == 0.0
        assert simulation.ros_time == pytest.approx(6 * TIMESTEP * count)


def test_ros_time_begins_with_the_time_of_the_first_state(simulate, begin):
    other = begin()
    steps(other, 5)
    saved = other.save().result(DEADLINE_S)
    simulation = simulate(paused=True, ros_time_continues=True)
    simulation.load(MODEL, begin=saved).result(DEADLINE_S)
    assert simulation.ros_time == simulation.time == pytest.approx(5 * TIMESTEP)


def test_a_time_that_is_no_number_does_not_end_ros_time(begin):
    simulation = begin()
    steps(simulation, 5)
    for time in (float('nan'), float('inf'), float('nan'), 0.0):
        set_time(time)(simulation).result(DEADLINE_S)
        steps(simulation, 1)
    assert simulation.time == pytest.approx(TIMESTEP)
    assert 5 * TIMESTEP < simulation.ros_time < 10 * TIMESTEP


@pytest.mark.parametrize('continues', [True, False])
def test_the_clock_has_ros_time(begin, until, continues):
    simulation, times, message = begin(continues), [], np.zeros((), LAYOUT)

    def send() -> int:
        times.append(message['stamp']['sec'] + message['stamp']['nanosec'] * 1e-9)
        return 0

    clock = simulation.exchange.new_clock(
        port(send, message, lambda: None), message.ctypes.data, least_period_s=1e-9, repeat_s=1.0
    )
    for _ in range(2):
        steps(simulation, 5)
        clock.send_now()
        simulation.reset().result(DEADLINE_S)
        clock.send_now()
    expected = [5, 6, 11, 12] if continues else [5, 0, 5, 0]
    assert times == pytest.approx([TIMESTEP * each for each in expected])


def test_answers_in_lockstep_have_the_stamps_of_the_states(begin, until):
    state = new_state(at=0.0, model_at=0.0)
    received = Received(read, state, awaited=True)
    simulation = begin(lockstep=Lockstep(period_s=5 * TIMESTEP))
    simulation.exchange.add_inlet(received.inlet)
    received.waiting.append((0.0, 1.0))
    simulation.between_steps(lambda: None).result(DEADLINE_S)
    steps(simulation, 5)
    simulation.reset().result(DEADLINE_S)
    there = simulation.ros_time
    made = simulation.step(5)
    received.waiting.append((0.0, 1.0))  # the stamp of the model: no answer any more
    until(lambda: not received.waiting)
    assert simulation.time == 0.0
    received.waiting.append((there, 1.0))
    made.result(DEADLINE_S)
    assert (state.at, state.model_at) == (there, 0.0)
