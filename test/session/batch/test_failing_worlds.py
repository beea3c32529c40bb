"""If worlds fail, the others keep running, and the failed worlds are reported with reasons."""

from __future__ import annotations

import os
import re
import signal
import threading

import mujoco
import numpy as np
import pytest

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.session.batch import Batch

from .robot import model

FAULT, FATAL = 1, 2
RECORD = 'time', 'qpos', 'ncon'
UNSTABLE_CONTROL = "it became unstable: .* in CTRL at ACTUATOR 0 .actuator 'pull'"


def faults(kind: int) -> dict[str, np.ndarray]:
    """Inputs that make world 1 of 4 fail in the third of five rows."""
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


def test_the_row_in_which_a_world_becomes_unstable_is_not_recorded():
    """MuJoCo continues the step with reset data, which do not belong to the robot's run."""
    slider = mujoco.MjModel.from_xml_string(
        '<mujoco><option timestep="0.003" gravity="0 0 0"/>'
        '<worldbody><body><joint name="rail" type="slide"/><geom size="1" mass="1"/></body>'
        '</worldbody><actuator><motor joint="rail"/></actuator></mujoco>'
    )
    first, force = 9.9e9, 1e10  # MuJoCo calls numbers above 1e10 unstable
    with Batch(slider, worlds=2, record=['time', 'qvel']) as batch:
        batch.reset(qvel=[[first], [0.0]])
        made = batch.rollout(np.array([[[force]] * 8, [[0.0]] * 8]))
        assert list(batch.failures) == [0]
        speeds = first + force * 0.003 * np.arange(1, 5)
        assert speeds[2] < 1e10 < speeds[3]
        np.testing.assert_allclose(made['qvel'][0, :4, 0], speeds, rtol=1e-12)
        assert np.isnan(made['qvel'][0, 4:]).all()
        assert np.isnan(made['time'][0, 4:]).all()
        np.testing.assert_allclose(made['time'][1], 0.003 * np.arange(1, 9))
        batch.reset(qvel=[[first], [0.0]])
        assert np.isnan(batch.step([force], count=8)['qvel'][0, 0])


def test_a_world_whose_plugin_sets_controls_that_are_no_numbers_fails_alone(make):
    batch, other = make(record=RECORD), make(record=RECORD)
    given = np.zeros((4, 5, 2))
    given[1, 2, 0] = np.nan
    made = batch.rollout(inputs={'controller.given': given}, count=3)
    whole = other.rollout(inputs={'controller.given': 0 * given}, count=3)
    assert list(batch.failures) == [1]
    assert re.match(UNSTABLE_CONTROL, batch.failures[1])
    for name in RECORD:
        np.testing.assert_array_equal(made[name][[0, 2, 3]], whole[name][[0, 2, 3]])
        np.testing.assert_array_equal(made[name][1, :2], whole[name][1, :2])
    assert np.isnan(made['qpos'][1, 2:]).all()


def test_controls_that_mujoco_passes_over_are_a_failure_wherever_they_come_from(make):
    batch = make(plugin=None, record=RECORD)
    batch[0].data.ctrl[0] = np.nan
    batch.step()
    assert list(batch.failures) == [0]
    too_large = np.zeros((4, 2))
    too_large[2, 0] = -1e11
    batch.step(too_large)
    assert list(batch.failures) == [0, 2]
    assert all(re.match(UNSTABLE_CONTROL, batch.failures[world]) for world in (0, 2))
    batch.reset()
    assert np.isfinite(batch.step(0 * too_large)['qpos']).all()
    assert batch.failures == {}


@pytest.mark.parametrize('number', [np.nan, np.inf])
@pytest.mark.parametrize(
    'name', ['ctrl', 'qfrc_applied', 'xfrc_applied', 'mocap_pos', 'mocap_quat']
)
def test_inputs_that_are_no_numbers_are_refused_with_their_place(name, number):
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(mocap=True).add_geom(size=[0.1, 0, 0])
    ball = spec.worldbody.add_body(pos=[0, 0, 1])
    ball.add_freejoint(name='free')
    ball.add_geom(size=[0.1, 0, 0])
    spec.add_actuator(trntype=mujoco.mjtTrn.mjTRN_JOINT, target='free', gear=[1, 0, 0, 0, 0, 0])
    with Batch(spec.compile(), worlds=3) as batch:
        given = np.ones((3, *np.shape(getattr(batch[0].data, name))))
        place = (2, *np.array(given.shape[1:]) - 1)
        given[place] = number
        with pytest.raises(ConfigError) as raised:
            batch.step(inputs={name: given})
        where = [int(index) for index in place]
        assert str(raised.value) == f'{name} must be finite, got {number} at {where}'
        assert not batch.values()['time'].any()


def test_numbers_that_belong_to_the_user_need_not_be_finite():
    spec = mujoco.MjSpec()
    spec.nuserdata = 2
    with Batch(spec.compile(), worlds=2, record=['userdata']) as batch:
        made = batch.step(inputs={'userdata': [np.nan, 1.0]})
        np.testing.assert_array_equal(made['userdata'], [[np.nan, 1.0]] * 2)
        assert batch.failures == {}


def test_a_world_that_was_restored_fails_again(make):
    batch = make()
    saved = batch.save()
    for _ in range(2):
        batch.step(inputs={'controller.given': [np.nan, 0.0]})
        assert list(batch.failures) == [0, 1, 2, 3]
        batch.restore(saved)
        assert batch.failures == {}
        assert batch[0].warning == ''


def test_warnings_of_worlds_that_go_on_are_in_the_log_once_for_each_kind(caplog):
    sphere = '<body pos="{} 0 0"><freejoint/><geom size="0.5"/></body>'
    spheres = ''.join(sphere.format(0.1 * number) for number in range(12))
    crowd = mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="32K"/><worldbody>{spheres}</worldbody></mujoco>'
    )
    with Batch(crowd, worlds=2) as batch:
        for _ in range(3):
            batch.step()
            assert batch.failures == {}
            assert 'rena memory' in batch[1].warning
            batch.reset()
    told = [each.getMessage() for each in caplog.records if 'MuJoCo warns' in each.getMessage()]
    assert len(told) in (1, 2)
    assert len({each.split('Time')[0] for each in told}) == len(told)
    assert told[0].startswith('world 0: MuJoCo warns: ')


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
