"""Worlds that fail: the others go on, and it is told which failed and why."""

from __future__ import annotations

import os
import re
import signal
import threading

import numpy as np
import pytest

from .robot import model

FAULT, FATAL = 1, 2
RECORD = 'time', 'qpos', 'ncon'


def faults(kind: int) -> dict[str, np.ndarray]:
    """Inputs by which world 1 of 4 fails in the third of five rows."""
    asked = np.zeros((4, 5), int)
    asked[1, 2:] = kind
    return {'controller.fault': asked}


@pytest.mark.parametrize(
    ('kind', 'reason'),
    [
        (FAULT, "plugin 'controller': control_callback raised ValueError: the arm is gone"),
        (FATAL, 'invalid state signature 1073741824.* in control_callback of .*controller'),
    ],
)
def test_a_fault_in_one_world_ends_that_world_until_its_reset(make, caplog, kind, reason):
    batch, other = make(record=RECORD), make(record=RECORD)
    made, whole = batch.rollout(inputs=faults(kind)), other.rollout(rows=5)

    for name in RECORD:
        np.testing.assert_array_equal(made[name][[0, 2, 3]], whole[name][[0, 2, 3]])
        np.testing.assert_array_equal(made[name][1, :2], whole[name][1, :2])
    first = (
        3 if kind == FAULT else 2
    )  # a fault ends the step in which it is, a fatal error stops it
    assert np.isnan(made['qpos'][1, first:]).all()
    assert (made['ncon'][1, first:] == 0).all()
    assert list(batch.failures) == [1]
    assert batch[1].failure == batch.failures[1]
    assert f'1 of 4 worlds have failed; world 1: {batch.failures[1]}' in caplog.text
    assert re.search(reason, batch.failures[1])

    assert np.isnan(batch.step()['time']).tolist() == [False, True, False, False]
    if kind == FATAL:  # the plugin has not failed, and stays
        batch[1].plugins['controller'].state.fault = 0
    batch.reset(1)
    assert batch.failures == {}
    assert batch.step()['time'][1] == pytest.approx(0.002)


def test_a_world_whose_plugin_has_failed_begins_again_as_it_did_at_first(make):
    batch = make(record=['qpos', 'controller.steps'])
    first = batch.rollout(rows=5)
    batch.rollout(inputs=faults(FAULT))
    batch.reset()
    again = batch.rollout(
        rows=5, inputs={'controller.fault': 0 * faults(FAULT)['controller.fault']}
    )
    for name in first:
        np.testing.assert_array_equal(again[name][1], first[name][1])


def test_an_unstable_world_stops_and_tells_what_of_it_was_unstable(make, caplog):
    batch = make(plugin=None, record=RECORD)
    speeds = np.zeros((4, 8))
    speeds[2, 1] = 1e12
    batch.reset(qvel=speeds)
    made = batch.rollout(rows=20)
    assert list(batch.failures) == [2]
    assert batch.failures[2].startswith('it became unstable: ')
    assert "joint 'hinge'" in batch.failures[2]
    assert np.isnan(made['qpos'][2, -1]).all()
    assert np.isfinite(made['qpos'][[0, 1, 3]]).all()
    assert batch[2].warning in batch.failures[2]
    assert caplog.text.count('have failed') == 1


def test_a_world_whose_values_cannot_be_simulated_fails_alone(make):
    batch = make(plugin=None, record=RECORD)
    positions = np.tile(model().qpos0, (4, 1))
    positions[3, 2] = 1e300
    batch.reset(qpos=positions)
    batch.step(count=5)
    assert list(batch.failures) == [3]


def test_ctrl_c_stops_all_worlds_and_the_batch_can_be_used_further(make):
    batch = make(plugin=None, record=['time'], threads=2)

    def interrupt() -> None:
        while batch[0].time < 0.2:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            batch.step(count=10**9)
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
    assert (batch.values()['time'] < 1e5).all()
    batch.reset()
    assert (batch.step()['time'] == 0.002).all()
