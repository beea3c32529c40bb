"""Snapshots taken while the physics runs, is reset and loaded as fast as it can."""

from __future__ import annotations

import os
import threading

import mujoco
import numpy as np
import pytest
from deadline import DEADLINE_S

from mujoco_ros_py.engine import CallbackTable, Point, compile_callback
from mujoco_ros_py.simulation import NoPlugins, snapshots

RECEIVERS = 3
SNAPSHOTS = 100
"""So many are looked at by each receiver."""
DISTURBANCES = 10
CLOCK = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/><size nuserdata="20000"/>
  <worldbody><body><joint type="slide"/><geom size="0.1"/></body></worldbody>
</mujoco>
"""
"""A body that moves 1 m/s: its position is the time."""


def fill(state, model, data):
    data.userdata[:] = data.time


class Filling(NoPlugins):
    """Writes the time into a large block at the end of each step."""

    def load(self, model, data):
        data.qvel[0] = 1.0
        return CallbackTable([compile_callback(Point.LAST_STAGE, fill, None)])

    def reset(self, model, data):
        data.qvel[0] = 1.0


class Checker(threading.Thread):
    """Takes snapshots and looks whether all in them is of one moment, and in order."""

    def __init__(self, receiver, timeout_s):
        super().__init__(daemon=True)
        self.receiver, self.timeout_s = receiver, timeout_s
        self.seen, self.torn, self.misplaced = 0, [], []
        self.ended = threading.Event()

    def run(self):
        before = (-1, 0.0)
        while not self.ended.is_set():
            snapshot = self.receiver.next(self.timeout_s)
            if snapshot is not None:
                self.look(snapshot, before)
                before = (snapshot.epoch, snapshot.time)

    def look(self, snapshot, before):
        self.seen += 1
        data, moment = snapshot.data, snapshot.time
        numbers = data.userdata.min(), data.userdata.max(), data.qpos[0], data.time
        if not np.allclose(numbers, moment, rtol=1e-9, atol=1e-9):
            self.torn.append((moment, *numbers))
        if (snapshot.epoch, moment) < before:
            self.misplaced.append((before, (snapshot.epoch, moment)))


@pytest.fixture
def check(simulate):
    """`check(timeout_s, disturb)`: what checkers found while `disturb(simulation)` was called."""

    def run(timeout_s, disturb):
        model = mujoco.MjModel.from_xml_string(CLOCK)
        simulation = simulate(model, Filling(), realtime=-1.0)
        receivers = [simulation.receiver().result(DEADLINE_S) for _ in range(RECEIVERS)]
        checkers = [Checker(receiver, timeout_s) for receiver in receivers]
        for checker in checkers:
            checker.start()
        disturbances = 0
        while disturbances < DISTURBANCES or min(each.seen for each in checkers) < SNAPSHOTS:
            assert all(checker.is_alive() for checker in checkers)
            disturb(simulation, model)
            disturbances += 1
        for checker in checkers:
            checker.ended.set()
            checker.join(DEADLINE_S)
        return checkers

    return run


def nothing(simulation, model):
    simulation.submit(lambda m, d: None).result(DEADLINE_S)
    threading.Event().wait(0.01)


def reset(simulation, model):
    simulation.reset().result(DEADLINE_S)


def load(simulation, model):
    simulation.load(model, Filling()).result(DEADLINE_S)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('disturb', 'timeout_s'),
    [(nothing, 0.0005), (reset, DEADLINE_S), (load, DEADLINE_S), (load, 0.0005)],
)
def test_all_in_a_snapshot_is_of_one_moment_and_none_is_older_than_the_one_before(
    check, timeout_s, disturb
):
    checkers = check(timeout_s, disturb)
    assert [torn for checker in checkers for torn in checker.torn] == []
    assert [misplaced for checker in checkers for misplaced in checker.misplaced] == []


@pytest.mark.parametrize('disturb', [reset, load])
def test_a_snapshot_from_before_a_reset_that_is_taken_after_it_is_not_called_new(
    simulate, monkeypatch, disturb
):
    model = mujoco.MjModel.from_xml_string(CLOCK)
    simulation = simulate(model, Filling(), paused=True)
    receiver = simulation.receiver().result(DEADLINE_S)
    epoch = receiver.next(DEADLINE_S).epoch
    simulation.step(100).result(DEADLINE_S)
    wait = snapshots.select.select

    def select_and_lose_the_processor(*args):
        ready = wait(*args)
        disturb(simulation, model)
        return ready

    monkeypatch.setattr(snapshots.select, 'select', select_and_lose_the_processor)
    snapshot = receiver.next(DEADLINE_S)
    assert snapshot.time == (pytest.approx(0.1) if snapshot.epoch == epoch else 0.0)


def test_the_signal_of_an_answer_that_came_too_late_is_no_new_answer(simulate, monkeypatch):
    """The loop marks a request as served, and then signals: in between comes the next request."""
    simulation = simulate(mujoco.MjModel.from_xml_string(CLOCK), Filling())
    receiver = simulation.receiver().result(DEADLINE_S)
    entered, release = threading.Event(), threading.Event()
    simulation.submit(lambda m, d: (entered.set(), release.wait(DEADLINE_S)))
    entered.wait(DEADLINE_S)  # nobody can serve now
    wait = snapshots.select.select

    def signalled_late(*args):
        os.eventfd_write(receiver._event, 1)
        return wait(*args)

    monkeypatch.setattr(snapshots.select, 'select', signalled_late)
    early = receiver.next(0.1)
    release.set()
    assert early is None
