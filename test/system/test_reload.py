from __future__ import annotations

import pytest
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, data_of, plugin

BROKEN = '<mujoco><worldbody><bodi/></worldbody></mujoco>'
PLUGINS = as_text(plugin('Recorder', 'recorder'), plugin('Probe', 'probe'))


def slider(name: str) -> str:
    return (
        '<mujoco><option timestep="0.004" gravity="0 0 0"/><worldbody><body>'
        f'<joint name="{name}" type="slide"/><geom size="0.1"/></body></worldbody></mujoco>'
    )


def test_a_reload_of_the_same_model_starts_at_time_0_and_leaves_it_running(start):
    _, client = start({'mujoco_xml': PENDULUM})
    clock = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: clock and seconds(clock[-1].clock) > 0.5, 'some time')

    before = len(clock)
    answer = client.trigger('reload')

    assert answer.success, answer.message
    wait_until(
        lambda: any(seconds(each.clock) < 0.3 for each in clock[before:]), 'time from the start'
    )
    wait_until(lambda: seconds(clock[-1].clock) > 0.4, 'moving time')
    _, _, values = client.diagnostics()['simulation']
    assert (values['reloads'], values['paused']) == ('1', 'False')


@pytest.mark.slow
def test_a_reload_leaves_a_paused_simulation_paused(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': PLUGINS, 'unpause': False}
    _, client = start(parameters, **site.environment)
    for _ in range(5):
        assert client.trigger('step').success

    assert client.trigger('reload').success

    assert data_of(client).time == 0
    assert client.trigger('step').success, 'only a paused simulation makes single steps'
    assert data_of(client).time == pytest.approx(0.002)
    _, _, values = client.diagnostics()['simulation']
    assert (values['reloads'], values['steps'], values['paused']) == ('1', '1', 'True')


def test_a_new_path_and_an_edited_file_take_effect_at_the_reload(start, tmp_path):
    first, second = tmp_path / 'first.xml', tmp_path / 'second.xml'
    first.write_text(slider('red'))
    second.write_text(slider('green'))
    process, client = start({'modelfile': str(first)})
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: states and states[-1].name == ['red'], 'the first model')

    assert client.set_parameters(modelfile=str(second))[0].successful
    assert states[-1].name == ['red']
    assert client.trigger('reload').success
    wait_until(lambda: states[-1].name == ['green'], 'the second model')
    process.wait_for_output(f'loaded {second}')

    second.write_text(slider('blue'))
    assert client.trigger('reload').success
    wait_until(lambda: states[-1].name == ['blue'], 'the edited model')


@pytest.fixture
def moved(start, tmp_path):
    """A paused server after three steps, its client, and the plugins' record."""
    site = PluginSite(tmp_path)
    (tmp_path / 'plugins.yaml').write_text(PLUGINS)
    process, client = start(
        {
            'mujoco_xml': PENDULUM,
            'unpause': False,
            'MujocoPlugins': str(tmp_path / 'plugins.yaml'),
            'initial_joint_positions.joint_map.hinge': 0.5,
        },
        **site.environment,
    )
    for _ in range(3):
        assert client.trigger('step').success
    return process, client, site


def check_untouched(client, site, before) -> None:
    """Model, data, plugins and time are those from before, and go on."""
    after = data_of(client)
    assert (after.time, after.qpos, after.qvel) == (before.time, before.qpos, before.qvel)
    assert site.names('load', 'unload') == ['load recorder']
    assert client.trigger('step').success
    assert data_of(client).time == pytest.approx(before.time + 0.002)
    _, _, values = client.diagnostics()['simulation']
    assert (values['reloads'], values['plugins ready']) == ('0', '2')
    assert client.trigger('reset').success
    assert site.names('reset') == ['reset recorder']


def test_a_broken_model_leaves_everything_running_and_says_why(moved):
    process, client, site = moved
    before = data_of(client)
    assert client.set_parameters(mujoco_xml=BROKEN)[0].successful

    answer = client.trigger('reload')

    assert not answer.success
    assert "Element 'bodi', line 1" in answer.message
    process.wait_for_output(answer.message)
    check_untouched(client, site, before)


@pytest.mark.slow
def test_a_missing_model_leaves_everything_running_and_says_why(moved, tmp_path):
    _, client, site = moved
    before = data_of(client)
    missing = tmp_path / 'missing.xml'
    changes = client.set_parameters(mujoco_xml='', modelfile=str(missing))
    assert all(result.successful for result in changes)

    answer = client.trigger('reload')

    assert not answer.success
    assert f'{missing}: no such file' in answer.message
    check_untouched(client, site, before)


@pytest.mark.slow
def test_an_unreadable_plugin_file_leaves_everything_running_and_says_where(moved, tmp_path):
    _, client, site = moved
    before = data_of(client)
    (tmp_path / 'plugins.yaml').write_text('- type: a/B\n  gains: [1, 2\n')

    answer = client.trigger('reload')

    assert not answer.success
    assert f'{tmp_path}/plugins.yaml, line ' in answer.message
    check_untouched(client, site, before)


@pytest.mark.slow
def test_time_goes_on_while_a_broken_model_is_refused(start):
    _, client = start({'mujoco_xml': PENDULUM})
    clock = client.collect(Clock, '/clock', reliable=False)
    wait_until(lambda: clock and seconds(clock[-1].clock) > 0.1, 'moving time')
    assert client.set_parameters(mujoco_xml=BROKEN)[0].successful

    assert not client.trigger('reload').success

    refused_at = seconds(clock[-1].clock)
    wait_until(lambda: seconds(clock[-1].clock) > refused_at + 0.1, 'moving time')
    times = [seconds(message.clock) for message in clock]
    assert times == sorted(times)


def test_a_corrected_model_loads_after_a_broken_one(start):
    _, client = start({'mujoco_xml': PENDULUM})
    client.set_parameters(mujoco_xml=BROKEN)
    assert not client.trigger('reload').success
    states = client.collect(JointState, 'joint_states')

    client.set_parameters(mujoco_xml=slider('green'))

    assert client.trigger('reload').success
    wait_until(lambda: states and states[-1].name == ['green'], 'the corrected model')
