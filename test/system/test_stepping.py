from __future__ import annotations

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

TIMESTEP_NS = 2_000_000


def nanoseconds(message: Clock) -> int:
    return message.clock.sec * 10**9 + message.clock.nanosec


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    return PluginSite(tmp_path_factory.mktemp('stepping'))


@pytest.fixture
def client(share, site):
    """A client of a paused server."""
    parameters = {'unpause': False, 'MujocoPlugins': as_text(plugin('Probe'))}
    return share({'mujoco_xml': PENDULUM, **parameters}, **site.environment)[1]


def test_each_step_advances_the_time_by_exactly_one_timestep(client):
    clock = client.collect(Clock, '/clock', reliable=False)
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: clock, 'the time at the start')

    answer = client.trigger('step')
    assert answer.success, answer.message

    wait_until(lambda: nanoseconds(clock[-1]), 'the time after a step')
    count = len(clock)
    wait_until(lambda: len(clock) > count, 'the time once more')
    assert {nanoseconds(message) for message in clock} == {0, TIMESTEP_NS}

    assert all(client.trigger('step').success for _ in range(99))
    wait_until(lambda: nanoseconds(clock[-1]) == 100 * TIMESTEP_NS, '0.2 s on /clock')
    wait_until(
        lambda: states and abs(seconds(states[-1].header.stamp) - 0.2) < 1e-6,
        '0.2 s in joint_states',
    )
    _, _, values = client.diagnostics()['simulation']
    assert (values['steps'], values['time'], values['paused']) == ('100', '0.200000', 'True')


def test_a_counted_run_ends_after_exactly_that_many_steps_with_those_of_a_pause(start, tmp_path):
    site = PluginSite(tmp_path)
    counted = {'num_steps': 250, 'realtime': -1.0, 'unpause': False}
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(plugin('Caller')), **counted}
    process, client = start(parameters, **site.environment)
    assert client.trigger('step').success
    assert client.trigger('step').success
    assert client.pause(False).success

    assert process.wait() == 0, process.output

    times = [event.time for event in site.events('last_stage')]
    assert times == pytest.approx([0.002 * (step + 1) for step in range(250)], abs=1e-9)
    assert site.names()[-1] == 'unload '


def test_paused_time_stands_still_and_moves_again_after_unpausing(client):
    clock = client.collect(Clock, '/clock', reliable=False)
    assert client.pause(False).success
    wait_until(lambda: clock and nanoseconds(clock[-1]) > 0, 'moving time')
    answer = client.trigger('step')
    assert not answer.success
    assert 'while running: pause first' in answer.message

    assert client.pause(True).success
    paused_at = len(clock)  # of moving time, some messages may still come
    wait_until(
        lambda: len(clock) > paused_at + 5 and len(set(map(nanoseconds, clock[-5:]))) == 1,
        'repeated times',
    )
    standing = nanoseconds(clock[-1])

    assert client.pause(False).success
    wait_until(lambda: nanoseconds(clock[-1]) > standing, 'moving time')


@pytest.mark.slow
def test_pausing_and_unpausing_twice_is_the_same_as_once(client):
    assert client.pause(False).success
    wait_until(lambda: data_of(client).time > 0, 'moving time')
    assert client.pause(True).success
    paused = data_of(client).time
    assert client.pause(True).success
    assert data_of(client).time == paused
    assert client.trigger('step').success

    assert client.pause(False).success
    assert client.pause(False).success
    assert not client.trigger('step').success
    moving = data_of(client).time
    wait_until(lambda: data_of(client).time > moving, 'moving time')
