"""The Shadow plugin follows a robot, and names what is wrong with it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from builtin.shadow.robots import NOISE, contact, followed, nothing, payload, worn

from mujoco_ros_py.errors import MujocoRosError


def in_deviations(verdicts, sigmas=5.0):
    return np.array([sigmas * each.residuals / each.bounds for each in verdicts])


@pytest.mark.parametrize('velocities', [True, False])
@pytest.mark.parametrize('moves', [True, False])
def test_residuals_of_a_healthy_robot_have_the_expected_deviations(moves, velocities):
    config = {'timing': 0.0, 'noise': {**NOISE, 'effort': 0.0}}
    with followed(config, moves=moves, velocities=velocities, clock=1e6) as robot:
        verdicts = robot.run(15.0)
    found = in_deviations(verdicts[1:])
    assert len(found) > 140
    assert not any(each.outside for each in verdicts)
    assert np.all(found.std(axis=0) < 1.2)
    assert found.std() > 0.7
    assert abs(found.mean()) < 0.15


@pytest.mark.parametrize('velocities', [True, False])
@pytest.mark.parametrize('moves', [True, False])
@pytest.mark.parametrize(
    ('fault', 'name', 'text'),
    [(payload, 'payload', 'kg at hand'), (contact, 'contact', 'N at hand'), (worn, 'worn', '')],
)
def test_the_fault_of_a_robot_is_found_and_named(fault, name, text, moves, velocities):
    if fault is worn and not moves:
        pytest.skip('the friction of a robot that rests has no effect')
    with followed(moves=moves, velocities=velocities) as robot:
        assert not any(each.left for each in robot.run(3.0, nothing))
        verdicts = robot.run(3.0, fault)
    assert [each.left for each in verdicts][4] or not moves
    assert verdicts[-1].left
    assert verdicts[-1].reason.name == name
    assert text in verdicts[-1].reason.text
    assert verdicts[-1].reason.explained > 0.9


def test_the_fitted_numbers_are_those_of_the_fault():
    with followed() as robot:
        robot.run(1.0)
        assert float(robot.run(3.0, payload)[-1].reason.text.split()[0]) == pytest.approx(
            0.5, rel=0.05
        )
    with followed() as robot:
        robot.run(1.0)
        assert float(robot.run(3.0, worn)[-1].reason.text.split()[0]) == pytest.approx(4, rel=0.05)


def test_the_simulation_follows_the_robot():
    with followed() as robot:
        robot.data.qpos[:] = 0.5, -0.4
        robot.run(2.0)
        data = robot.session.snapshot().data
        assert data.qpos == pytest.approx(robot.data.qpos, abs=5 * NOISE['position'])
        assert data.qvel == pytest.approx(robot.data.qvel, abs=5 * NOISE['velocity'])


def test_without_gain_the_simulation_runs_alone_and_predictions_are_the_same():
    with followed({'gain': 0.0}) as robot:
        robot.data.qpos[:] = 0.5, -0.4
        verdicts = robot.run(1.0)
        assert len(verdicts) > 5
        assert not any(each.outside for each in verdicts)


def test_a_reset_or_a_jump_of_the_clock_begins_anew():
    with followed() as robot:
        robot.run(1.0)
        robot.session.reset()
        robot.clock = 500.0
        assert not any(each.outside for each in robot.run(1.0))
        robot.clock = -3.0
        verdicts = robot.run(1.0)
        assert len(verdicts) > 5
        assert not any(each.outside for each in verdicts)


def test_incomplete_and_invalid_states_are_ignored():
    with followed() as robot:
        robot.run(0.5)
        take, last = robot.plugin.take_command, robot.plugin.verdict
        bad = {'name': ['elbow', 'shoulder'], 'position': [np.nan, 0.0], 'velocity': [0.0, 0.0]}
        for state in (
            bad,
            {**bad, 'position': [0.0]},
            {**bad, 'name': ['elbow', 'other']},
            {**bad, 'name': [], 'position': []},
        ):
            robot.session.call(lambda model, data, state=state: take(model, data, **state))
        assert robot.plugin.verdict is last
        assert len(robot.run(1.0)) > 3


def test_bounds_can_change_while_the_plugin_runs():
    with followed() as robot:
        wide = np.mean([each.bounds for each in robot.run(2.0)], axis=0)
        robot.session.configure('shadow', sigmas=0.5)
        verdicts = robot.run(2.0)
        narrow = np.mean([each.bounds for each in verdicts], axis=0)
        assert narrow == pytest.approx(wide / 10, rel=0.5)
        assert any(each.outside for each in verdicts)


@pytest.mark.parametrize(
    ('config', 'message'),
    [
        ({'joints': ['elbw']}, "joints: unknown hinge or slide joint 'elbw'"),
        ({'hypotheses': {'load': {'kind': 'payload'}}}, 'body must be given'),
        ({'hypotheses': {'load': {'kind': 'payload', 'body': 'hnd'}}}, "unknown body 'hnd'"),
        (
            {'hypotheses': {'worn': {'kind': 'friction', 'joints': ['x']}}},
            "hypotheses.worn: unknown joint 'x'",
        ),
        ({'result': 'none.json'}, 'result: none.json: No such file'),
    ],
)
def test_wrong_configurations_are_refused_with_the_reason(config, message):
    with pytest.raises(MujocoRosError, match=message), followed(config):
        pass


RESULT = {
    'format': 1,
    'parameters': [
        {
            'name': 'shoulder damping', 'places': ['shoulder.damping[0]'], 'after': 0.8,
            'interval': [0.4, 1.2],
        },
        {
            'name': 'gain', 'places': ['shoulder.kp'], 'after': 120.0,
            'interval': [100.0, 140.0],
        },
        {
            'name': 'load', 'places': ['hand.inertial.mass'], 'after': 0.3,
            'interval': [0.2, 0.4],
        },
        {'name': 'unknown', 'places': ['elbow.armature'], 'after': 0.1, 'interval': [None, None]},
        {'name': 'delay', 'places': [], 'after': 0.1, 'interval': [0.1, 0.2]},
    ],
    'correlation': np.eye(5).tolist(),
    'noise': [{'quantity': 'position', 'name': 'elbow', 'component': 0, 'std': 0.004}],
    'edits': {'shoulder.damping[0]': 0.8, 'shoulder.kp': 120.0, 'hand.inertial.mass': 0.3},
}  # fmt: skip


def test_the_bounds_include_the_noise_and_the_intervals_of_a_result(tmp_path, caplog):
    caplog.set_level('INFO')
    (tmp_path / 'result.json').write_text(json.dumps(RESULT))
    with followed() as robot:
        own = robot.run(2.0)
    with followed({'result': str(tmp_path / 'result.json')}) as robot:
        given = robot.run(2.0)
    ratios = np.mean([each.bounds for each in given], axis=0) / np.mean(
        [each.bounds for each in own], axis=0
    )
    assert ratios[1] > 2  # the position of the elbow
    assert 1.5 < ratios[2] < 20  # the velocity of the shoulder
    assert 'the bounds leave out unknown, delay' in caplog.text


def test_a_change_by_a_parameter_within_its_interval_is_expected(tmp_path):
    (tmp_path / 'result.json').write_text(json.dumps(RESULT))

    def softer(model, data):
        model.actuator_gainprm[0, 0], model.actuator_biasprm[0, 1] = 108.0, -108.0

    for config, expected in (({}, True), ({'result': str(tmp_path / 'result.json')}, False)):
        with followed(config) as robot:
            robot.run(1.0)
            assert any(each.left for each in robot.run(4.0, softer)) == expected


def test_a_file_of_another_kind_is_refused(tmp_path):
    for text in ('[]', '{"format": 2}', 'nothing'):
        (tmp_path / 'result.json').write_text(text)
        config = {'result': str(tmp_path / 'result.json')}
        with pytest.raises(MujocoRosError, match=r'result: .*result\.json'), followed(config):
            pass
