"""Snapshots are complete copies of one state, made when due, without delaying the physics."""

from __future__ import annotations

import gc
import os
import threading
import time

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

ARMS = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body>
    <body pos="1 0 1"><joint axis="0 1 0"/><geom type="capsule" size="0.05 0.2"/></body>
  </worldbody>
  <sensor><clock/></sensor>
</mujoco>
"""
CLOCK = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/><size nuserdata="{}"/>
  <worldbody><body><joint type="slide"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
"""A body that moves 1 m/s: its position is the time."""
FIELDS = ['qpos', 'qvel', 'ctrl', 'xpos', 'xquat', 'xmat', 'qacc', 'qfrc_bias', 'cvel',
          'efc_force', 'sensordata']  # fmt: skip


@pytest.fixture
def arms() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(ARMS)


def fields(model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, bytes]:
    found = {name: getattr(data, name).tobytes() for name in FIELDS}
    contacts = data.contact.frame.tobytes() + data.contact.dist.tobytes()
    return {**found, 'contacts': contacts, 'time': np.float64(data.time).tobytes()}


def test_a_snapshot_is_the_data_to_the_last_bit(simulate, arms):
    simulation = simulate(arms, paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    simulation.step(200).result(DEADLINE_S)
    simulation.submit(lambda m, d: mujoco.mj_forward(m, d)).result(DEADLINE_S)
    snapshot = receiver.next(DEADLINE_S)
    wanted = simulation.submit(fields).result(DEADLINE_S)
    came = fields(snapshot.model, snapshot.data)
    assert came['contacts']
    for name in {*wanted} - {'qacc', 'efc_force'}:  # these warm up with each forward pass
        assert came[name] == wanted[name], name
    assert (snapshot.time, snapshot.steps) == (pytest.approx(0.2), 200)
    assert snapshot.model is arms


def test_a_snapshot_stays_as_it_is_until_the_next_is_asked_for(simulate, arms, until):
    simulation = simulate(arms, realtime=-1.0)
    receiver = simulation.receiver().result(DEADLINE_S)
    snapshot = receiver.next(DEADLINE_S)
    before = fields(snapshot.model, snapshot.data)
    steps = simulation.status().steps
    until(lambda: simulation.status().steps > steps + 2000)
    assert fields(snapshot.model, snapshot.data) == before


def test_a_snapshot_is_not_earlier_than_due(simulate, arms):
    simulation = simulate(arms, paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    times = np.cumsum(np.full(2000, 0.001))
    for due, steps in ((0.5, 600), (1.0, 500), (1.25 + 1e-6, 300), (1.75, 400)):
        receiver.ask(due=due)
        simulation.step(steps).result(DEADLINE_S)
        assert receiver.take(DEADLINE_S).time == times[times >= due][0]


def test_a_snapshot_that_is_not_due_while_paused_does_not_come(simulate, arms):
    simulation = simulate(arms, paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    assert receiver.next(0.05, due=1.0) is None
    simulation.step(999).result(DEADLINE_S)
    assert receiver.next(0.05, due=1.0) is None
    simulation.step(2).result(DEADLINE_S)
    assert receiver.next(DEADLINE_S, due=1.0).time == pytest.approx(1.0)


@pytest.mark.parametrize('way', ['reset', 'load'])
def test_after_a_reset_or_load_what_was_due_counts_no_more(simulate, arms, way):
    simulation = simulate(arms, realtime=-1.0)
    receiver = simulation.receiver().result(DEADLINE_S)
    first = receiver.next(DEADLINE_S, due=2.0)
    simulation.set_paused(True).result(DEADLINE_S)
    epoch, time_before = first.epoch, first.time
    (simulation.reset() if way == 'reset' else simulation.load(arms)).result(DEADLINE_S)
    snapshot = receiver.next(DEADLINE_S, due=time_before + 1, epoch=epoch)
    assert snapshot.time == 0
    assert snapshot.epoch != epoch
    assert receiver.next(0.05, due=1.0, epoch=snapshot.epoch) is None


@pytest.mark.parametrize('way', ['reset', 'load'])
def test_who_waits_while_it_is_reset_gets_the_start(simulate, arms, way):
    simulation = simulate(arms, paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    simulation.step(10).result(DEADLINE_S)
    epoch = receiver.next(DEADLINE_S).epoch
    assert receiver.next(0, due=5.0, epoch=epoch) is None  # the request stands
    (simulation.reset() if way == 'reset' else simulation.load(arms)).result(DEADLINE_S)
    snapshot = receiver.next(DEADLINE_S, due=5.0, epoch=epoch)
    assert snapshot.time == 0
    assert snapshot.epoch != epoch


def test_a_busy_physics_thread_means_a_time_out_and_then_a_snapshot(simulate, arms):
    simulation = simulate(arms)
    receiver = simulation.receiver().result(DEADLINE_S)
    entered, release = threading.Event(), threading.Event()
    simulation.submit(lambda m, d: (entered.set(), release.wait(DEADLINE_S)))
    entered.wait(DEADLINE_S)
    begin = time.monotonic()
    assert receiver.next(0.1) is None
    assert time.monotonic() - begin > 0.09
    release.set()
    assert receiver.next(DEADLINE_S) is not None


def test_the_latest_wins(simulate, arms, until):
    simulation = simulate(arms, realtime=-1.0)
    receiver = simulation.receiver().result(DEADLINE_S)
    times = []
    for _ in range(5):
        now = simulation.time
        times.append(receiver.next(DEADLINE_S).time)
        assert times[-1] >= now
        until(lambda now=now: simulation.time > now + 1)
    assert times == sorted(times)


def test_a_simulation_without_a_model_has_no_snapshot_until_one_is_loaded(simulate, arms):
    simulation = simulate()
    receiver = simulation.receiver().result(DEADLINE_S)
    assert receiver.next(0.02) is None
    simulation.load(arms).result(DEADLINE_S)
    assert receiver.next(DEADLINE_S).model is arms


def test_there_may_be_many_receivers_and_each_gets_its_own(simulate, arms):
    simulation = simulate(arms, paused=True)
    receivers = [simulation.receiver().result(DEADLINE_S) for _ in range(30)]
    snapshots = [receiver.next(DEADLINE_S) for receiver in receivers]
    assert len({snapshot.data._address for snapshot in snapshots}) == 30
    for receiver in receivers[:29]:
        simulation.release(receiver).result(DEADLINE_S)
    simulation.release(receivers[0]).result(DEADLINE_S)
    assert receivers[29].next(DEADLINE_S) is not None
    assert receivers[0].next(0.02) is None


def test_receivers_wake_a_paused_loop_and_do_not_keep_it_from_ending(simulate, arms, until):
    """A paused loop that nobody wakes looks around after 17 ms."""
    simulation = simulate(arms, paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)

    def cost_s(_: int) -> float:
        begin = time.monotonic()
        assert receiver.next(DEADLINE_S) is not None
        return time.monotonic() - begin

    until(lambda: np.median([*map(cost_s, range(20))]) < 0.1)
    simulation.close(DEADLINE_S)
    assert receiver.next(0.02) is None


def test_receivers_of_loops_that_are_gone_leave_no_descriptor(simulate, pendulum):
    def descriptors():
        gc.collect()
        return len(os.listdir('/proc/self/fd'))

    before = descriptors()
    for _ in range(10):
        simulation = simulate(pendulum)
        simulation.receiver().result(DEADLINE_S).next(DEADLINE_S)
        simulation.close(DEADLINE_S)
    assert descriptors() <= before + 31  # those that `simulate` still holds
