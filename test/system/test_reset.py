from __future__ import annotations

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

START = {
    'mujoco_xml': PENDULUM,
    'unpause': False,
    'MujocoPlugins': as_text(plugin('Recorder'), plugin('Probe')),
    'initial_joint_positions.joint_map.hinge': 0.5,
    'initial_joint_velocities.joint_map.hinge': -0.25,
}


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('plugins'))


@pytest.fixture
def client(share, site):
    """The client of a paused server."""
    return share(START, **site.environment)[1]


def test_a_reset_brings_positions_velocities_and_time_back_and_is_counted(client):
    states = client.collect(JointState, 'joint_states')
    for _ in range(20):
        assert client.trigger('step').success
    wait_until(lambda: states and seconds(states[-1].header.stamp) == pytest.approx(0.04), 'steps')
    assert states[-1].position[0] != 0.5
    assert states[-1].velocity[0] != -0.25

    for _ in range(2):
        answer = client.trigger('reset')
        assert answer.success, answer.message

    wait_until(lambda: seconds(states[-1].header.stamp) == 0, 'the time of the start')
    assert list(states[-1].position) == [0.5]
    assert list(states[-1].velocity) == [-0.25]
    _, _, values = client.diagnostics()['simulation']
    assert int(values['resets']) >= 2
    assert values['time'] == '0.000000'


def test_a_reset_starts_a_running_simulation_anew_and_leaves_it_running(client, site):
    clock = client.collect(Clock, '/clock', reliable=False)
    assert client.pause(False).success
    wait_until(lambda: clock and seconds(clock[-1].clock) > 0.3, 'some time')

    before, resets = len(clock), len(site.events('reset'))
    assert client.trigger('reset').success

    reset = site.wait_for('reset', resets + 1)[-1]
    assert (reset.time, reset.qpos, reset.qvel) == (0, [0.5], [-0.25])
    wait_until(
        lambda: any(seconds(each.clock) < 0.2 for each in clock[before:]), 'time from the start'
    )
    wait_until(lambda: seconds(clock[-1].clock) > 0.3, 'moving time')


def test_a_reset_leaves_a_paused_simulation_paused(client):
    assert client.trigger('step').success

    assert client.trigger('reset').success

    assert data_of(client).time == 0
    assert client.trigger('step').success, 'only a paused simulation makes single steps'
    assert data_of(client).time == pytest.approx(0.002)
