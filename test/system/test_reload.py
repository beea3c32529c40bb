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


def test_a_reload_of_the_same_model_starts_at_time_0_and_leaves_it_running_or_paused(start):
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

    assert client.pause(True).success
    assert client.trigger('reload').success
    assert client.trigger('step').success, 'only a paused simulation makes single steps'
    wait_until(lambda: seconds(clock[-1].clock) == pytest.approx(0.002), 'the time of a step')
    _, _, values = client.diagnostics()['simulation']
    assert (values['reloads'], values['steps'], values['paused']) == ('2', '1', 'True')


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


def test_what_cannot_be_loaded_leaves_everything_as_it_was_and_says_why(start, tmp_path):
    site = PluginSite(tmp_path)
    file, missing = tmp_path / 'plugins.yaml', tmp_path / 'missing.xml'
    file.write_text(PLUGINS)
    hinge = {'initial_joint_positions.joint_map.hinge': 0.5}
    model = {'mujoco_xml': PENDULUM, 'unpause': False, 'MujocoPlugins': str(file), **hinge}
    process, client = start(model, **site.environment)
    for _ in range(3):
        assert client.trigger('step').success
    before = data_of(client)

    for change, plugins, said in (
        ({'mujoco_xml': BROKEN}, PLUGINS, "Element 'bodi', line 1"),
        ({'mujoco_xml': '', 'modelfile': str(missing)}, PLUGINS, f'{missing}: no such file'),
        ({'mujoco_xml': PENDULUM}, '- type: a/B\n  gains: [1, 2\n', f'{file}, line '),
    ):
        file.write_text(plugins)
        assert all(result.successful for result in client.set_parameters(**change))
        answer = client.trigger('reload')
        assert not answer.success, said
        assert said in answer.message
        after = data_of(client)
        assert (after.time, after.qpos, after.qvel) == (before.time, before.qpos, before.qvel)
        assert site.names('load', 'unload') == ['load recorder']

    process.wait_for_output("Element 'bodi', line 1")
    assert client.trigger('step').success
    assert data_of(client).time == pytest.approx(before.time + 0.002)
    _, _, values = client.diagnostics()['simulation']
    assert (values['reloads'], values['plugins ready']) == ('0', '2')
    assert client.trigger('reset').success
    assert site.names('reset') == ['reset recorder']


def test_time_goes_on_while_a_broken_model_is_refused_and_the_corrected_one_loads(start):
    _, client = start({'mujoco_xml': PENDULUM})
    clock = client.collect(Clock, '/clock', reliable=False)
    states = client.collect(JointState, 'joint_states')
    wait_until(lambda: clock and seconds(clock[-1].clock) > 0.1, 'moving time')
    assert client.set_parameters(mujoco_xml=BROKEN)[0].successful

    assert not client.trigger('reload').success

    refused_at = seconds(clock[-1].clock)
    wait_until(lambda: seconds(clock[-1].clock) > refused_at + 0.1, 'moving time')
    times = [seconds(message.clock) for message in clock]
    assert times == sorted(times)

    assert client.set_parameters(mujoco_xml=slider('green'))[0].successful
    assert client.trigger('reload').success
    wait_until(lambda: states and states[-1].name == ['green'], 'the corrected model')
