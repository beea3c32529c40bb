from __future__ import annotations

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

TIMESTEP_NS = 2_000_000


def nanoseconds(message: Clock) -> int:
    return message.clock.sec * 10**9 + message.clock.nanosec


def test_a_step_advances_the_time_by_exactly_one_timestep(start):
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False})
    clock = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: clock, 'the time at the start')

    answer = client.trigger('step')
    assert answer.success, answer.message

    wait_until(lambda: nanoseconds(clock[-1]), 'the time after a step')
    count = len(clock)
    wait_until(lambda: len(clock) > count, 'the time once more')
    assert {nanoseconds(message) for message in clock} == {0, TIMESTEP_NS}
    _, _, values = client.diagnostics()['simulation']
    assert (values['steps'], values['time'], values['paused']) == ('1', '0.002000', 'True')


@pytest.mark.slow
def test_a_hundred_steps_advance_the_time_by_a_hundred_timesteps(start):
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False})
    clock = client.collect(Clock, '/clock', reliable=False)
    states = client.collect(JointState, 'joint_states')

    assert all(client.trigger('step').success for _ in range(100))

    def arrived(messages, stamp):
        return messages and abs(seconds(stamp(messages[-1])) - 0.2) < 1e-6

    wait_until(lambda: arrived(clock, lambda message: message.clock), '0.2 s on /clock')
    wait_until(lambda: arrived(states, lambda state: state.header.stamp), '0.2 s in joint_states')
    _, _, values = client.diagnostics()['simulation']
    assert values['steps'] == '100'
    assert float(values['time']) == pytest.approx(0.2, abs=1e-6)


def test_a_step_is_refused_with_the_reason_while_the_simulation_runs(start):
    _, client = start({'mujoco_xml': PENDULUM})

    answer = client.trigger('step')

    assert not answer.success
    assert 'while running: pause first' in answer.message


def test_a_counted_run_ends_after_exactly_that_many_steps(start, tmp_path):
    site = PluginSite(tmp_path)
    process, _ = start(
        {
            'mujoco_xml': PENDULUM,
            'MujocoPlugins': as_text(plugin('Caller')),
            'num_steps': 250,
            'realtime': -1.0,
        },
        **site.environment,
    )

    assert process.wait() == 0, process.output

    times = [event.time for event in site.events('last_stage')]
    assert times == pytest.approx([0.002 * (step + 1) for step in range(250)], abs=1e-9)
    assert site.names()[-1] == 'unload '


@pytest.mark.slow
def test_steps_made_while_paused_count_towards_the_end_of_the_run(start):
    process, client = start({'mujoco_xml': PENDULUM, 'unpause': False, 'num_steps': 2})

    assert client.trigger('step').success
    assert client.trigger('step').success

    assert process.wait() == 0, process.output


def test_paused_time_stands_still_and_moves_again_after_unpausing(start):
    _, client = start({'mujoco_xml': PENDULUM})
    clock = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: clock and nanoseconds(clock[-1]) > 0, 'moving time')

    assert client.pause(True).success
    paused_at = len(clock)
    wait_until(lambda: len(clock) > paused_at + 5, 'repeated times')
    standing = {nanoseconds(message) for message in clock[paused_at + 1 :]}
    assert len(standing) == 1

    assert client.pause(False).success
    wait_until(lambda: nanoseconds(clock[-1]) > max(standing), 'moving time')


@pytest.mark.slow
def test_pausing_and_unpausing_twice_is_the_same_as_once(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(plugin('Probe'))}
    _, client = start(parameters, **site.environment)

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
