from __future__ import annotations

import pytest

from .harness import PENDULUM, refusal_at_start
from .plugin_site import PluginSite, as_text, data_of, plugin

pytestmark = pytest.mark.slow

JOINTS = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <body pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/></body>
    <body pos="1 0 1"><joint name="arm.slide" type="slide"/><geom size="0.1"/></body>
    <body pos="2 0 1"><joint name="ball" type="ball"/><geom size="0.1" pos="0.2 0 0"/></body>
    <body pos="3 0 1"><joint name="free" type="free"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>
"""
UNSET = [0, 0, 1, 0, 0, 0, 3, 0, 1, 1, 0, 0, 0]
POSITIONS = {
    'hinge': 0.25,
    'arm.slide': '-0.5',
    'ball': [0.0, 1.0, 0.0, 0.0],
    'free': [1, 2, 3, 0, 0, 1, 0],
}
VELOCITIES = {
    'hinge': [0.5],
    'arm.slide': '.25',
    'ball': '0.1 0.2 0.3',
    'free': [1.0, 2.0, 3.0, 0.1, 0.2, 0.3],
}
QPOS = [0.25, -0.5, 0, 1, 0, 0, 1, 2, 3, 0, 0, 1, 0]
QVEL = [0.5, 0.25, 0.1, 0.2, 0.3, 1, 2, 3, 0.1, 0.2, 0.3]


def given(positions=None, velocities=None) -> dict:
    return {
        f'initial_joint_{kind}.joint_map.{joint}': value
        for kind, values in (('positions', positions), ('velocities', velocities))
        for joint, value in (values or {}).items()
    }


@pytest.fixture
def begin(start, tmp_path):
    """`begin(positions, velocities)`: a paused server with these, its client, the record."""

    def begin(positions=None, velocities=None):
        site = PluginSite(tmp_path)
        text = as_text(plugin('Recorder'), plugin('Probe'))
        parameters = {'mujoco_xml': JOINTS, 'MujocoPlugins': text, 'unpause': False}
        parameters |= given(positions, velocities)
        return *start(parameters, **site.environment), site

    return begin


def test_they_apply_at_load_and_at_every_reset_and_a_reload_reads_them_again(begin):
    """As numbers, lists of them, and strings; also for a joint with a dot in its name."""
    _, client, site = begin(POSITIONS, VELOCITIES)
    (load,) = site.events('load')
    assert load.qpos == pytest.approx(QPOS)
    assert load.qvel == pytest.approx(QVEL)

    for _ in range(5):
        assert client.trigger('step').success
    moved = data_of(client)
    assert moved.qpos != pytest.approx(QPOS, abs=1e-6)
    assert client.trigger('reset').success

    back = data_of(client)
    assert (back.qpos, back.qvel) == (load.qpos, load.qvel)
    (reset,) = site.events('reset')
    assert (reset.qpos, reset.qvel) == (load.qpos, load.qvel)

    assert client.set_parameters(**given({'hinge': 0.2}, {'hinge': 0.3}))[0].successful
    assert client.trigger('reload').success
    _, load = site.events('load')
    assert (load.qpos[0], load.qvel[0]) == (0.2, 0.3)


def test_the_service_applies_them_at_once_and_leaves_the_time(begin):
    _, client, site = begin()
    assert site.events('load')[0].qpos == UNSET
    assert client.trigger('step').success
    changes = client.set_parameters(**given(POSITIONS, VELOCITIES))
    assert all(result.successful for result in changes)
    assert data_of(client).qpos != pytest.approx(QPOS), 'a parameter alone moves nothing'

    answer = client.trigger('load_initial_joint_states')

    assert answer.success, answer.message
    now = data_of(client)
    assert now.qpos == pytest.approx(QPOS)
    assert now.qvel == pytest.approx(QVEL)
    assert now.time == pytest.approx(0.002)


WRONG = {'hinge': [0.1, 0.2], 'elbow': 0.3, 'ball': [1.0, 0.0, 0.0], 'arm.slide': 0.7}
WRONG_VELOCITIES = {'free': [1.0], 'ball': [1.0, 2.0, 3.0, 4.0], 'arm.slide': 0.8}
REPORTS = [
    "initial position of hinge joint 'hinge' skipped: it needs 1 values, got 2",
    "initial position of unknown joint 'elbow' skipped; known: arm.slide, ball, free, hinge",
    "initial position of ball joint 'ball' skipped: it needs 4 values, got 3",
    "initial velocity of free joint 'free' skipped: it needs 6 values, got 1",
    "initial velocity of ball joint 'ball' skipped: it needs 3 values, got 4",
]


def test_unknown_joints_and_wrong_counts_are_logged_and_skipped_at_load_and_by_the_service(begin):
    process, client, site = begin(WRONG, WRONG_VELOCITIES)
    (load,) = site.events('load')
    assert load.qpos == [0, 0.7, *UNSET[2:]]
    assert load.qvel == [0, 0.8, *[0] * 9]
    for report in REPORTS:
        process.wait_for_output(report)

    assert client.set_parameters(**given({'arm.slide': 0.6}))[0].successful
    answer = client.trigger('load_initial_joint_states')
    now = data_of(client)
    assert (now.qpos[0], now.qpos[1], now.qvel[1]) == (0, 0.6, 0.8)
    for report in REPORTS:
        assert report in answer.message


NO_NUMBER = 'initial_joint_positions.joint_map.hinge must be one or more finite numbers'


def test_what_is_no_number_is_refused_at_the_start(tmp_path, domain):
    joints = {'initial_joint_positions.joint_map.hinge': 'half a turn'}
    said = refusal_at_start(tmp_path, domain, {'mujoco_xml': PENDULUM, **joints})
    assert NO_NUMBER in said


def test_what_is_no_number_is_a_rejected_set(begin):
    _, client, _ = begin({'hinge': 0.5})
    for name in ('hinge', 'new'):
        (result,) = client.set_parameters(
            **{f'initial_joint_positions__joint_map__{name}': 'half a turn'}
        )
        assert not result.successful
        assert NO_NUMBER.replace('hinge', name) in result.reason
    assert client.get_parameter('initial_joint_positions.joint_map.hinge').double_value == 0.5
    assert client.set_parameters(initial_joint_positions__joint_map__new=0.5)[0].successful
