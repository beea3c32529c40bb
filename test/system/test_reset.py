from __future__ import annotations

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

START = {
    'mujoco_xml': PENDULUM,
    'initial_joint_positions.joint_map.hinge': 0.5,
    'initial_joint_velocities.joint_map.hinge': -0.25,
}


def test_a_reset_brings_positions_velocities_and_time_back(start):
    _, client = start({**START, 'unpause': False})
    states = client.collect(JointState, 'joint_states')
    for _ in range(20):
        assert client.trigger('step').success
    wait_until(lambda: states and seconds(states[-1].header.stamp) == pytest.approx(0.04), 'steps')
    assert states[-1].position[0] != 0.5
    assert states[-1].velocity[0] != -0.25

    answer = client.trigger('reset')

    assert answer.success, answer.message
    wait_until(lambda: seconds(states[-1].header.stamp) == 0, 'the time of the start')
    assert list(states[-1].position) == [0.5]
    assert list(states[-1].velocity) == [-0.25]


def test_a_reset_starts_a_running_simulation_anew_and_leaves_it_running(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {**START, 'MujocoPlugins': as_text(plugin('Recorder'))}
    _, client = start(parameters, **site.environment)
    clock = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: clock and seconds(clock[-1].clock) > 0.3, 'some time')

    before = len(clock)
    assert client.trigger('reset').success

    (reset,) = site.wait_for('reset')
    assert (reset.time, reset.qpos, reset.qvel) == (0, [0.5], [-0.25])
    wait_until(
        lambda: any(seconds(each.clock) < 0.2 for each in clock[before:]), 'time from the start'
    )
    wait_until(lambda: seconds(clock[-1].clock) > 0.3, 'moving time')


def test_a_reset_leaves_a_paused_simulation_paused(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {**START, 'unpause': False, 'MujocoPlugins': as_text(plugin('Probe'))}
    _, client = start(parameters, **site.environment)
    assert client.trigger('step').success

    assert client.trigger('reset').success

    assert data_of(client).time == 0
    assert client.trigger('step').success, 'only a paused simulation makes single steps'
    assert data_of(client).time == pytest.approx(0.002)


def test_resets_are_counted_in_the_diagnostics_and_steps_go_on(start):
    _, client = start({**START, 'unpause': False})

    assert client.trigger('reset').success
    assert client.trigger('reset').success

    _, _, values = client.diagnostics()['simulation']
    assert (values['resets'], values['reloads'], values['time']) == ('2', '0', '0.000000')
