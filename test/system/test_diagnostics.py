from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, plugin

UNSTABLE = PENDULUM.replace('axis="0 1 0"', 'axis="0 1 0" damping="-1e9"')


def means(values) -> dict[str, float]:
    """Mean times of callbacks in microseconds."""
    times = {key.partition(' mean (us)'): value for key, value in values.items()}
    return {name: float(value) for (name, unit, _), value in times.items() if unit}


@pytest.mark.slow
def test_the_factor_that_is_set_and_the_factor_that_is_measured_are_there(start):
    _, client = start({'mujoco_xml': PENDULUM, 'realtime': 0.5})

    def values():
        return client.diagnostics()['simulation'][2]

    def measured():
        return abs(float(values()['real-time factor measured']) - 0.5) < 0.1

    assert values()['real-time factor set'] == '0.5'
    wait_until(measured, 'a measured factor near 0.5')
    assert client.set_parameters(realtime=4.0)[0].successful
    wait_until(lambda: values()['real-time factor set'] == '4.0', 'the new factor')


@pytest.mark.slow
def test_steps_time_loads_and_states_are_counted(start):
    _, client = start({'mujoco_xml': PENDULUM, 'unpause': False})
    assert client.trigger('reload').success
    assert client.trigger('reload').success
    for _ in range(7):
        assert client.trigger('step').success

    level, message, values = client.diagnostics()['simulation']

    assert (level, message) == (DiagnosticStatus.OK, 'paused')
    assert {key: values[key] for key in ('steps', 'time', 'loads', 'reloads', 'resets')} == {
        'steps': '7',
        'time': '0.014000',
        'loads': '3',
        'reloads': '2',
        'resets': '0',
    }
    assert (values['paused'], values['warnings']) == ('True', '0')


@pytest.mark.slow
def test_each_plugin_has_its_load_time_and_the_mean_times_of_its_callbacks(start, tmp_path):
    site = PluginSite(tmp_path)
    text = as_text(
        plugin('Slow', 'slow', load_s=0.05, control_s=0.002),
        plugin('Motor', 'compiled'),
        plugin('Caller', 'all'),
    )
    _, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': text}, **site.environment)

    def after_a_step() -> dict[str, Any] | None:
        found = client.diagnostics()
        return found if int(found['simulation'][2]['steps']) else None

    diagnostics = wait_until(after_a_step, 'a step')

    slow, compiled, every = (diagnostics[f'plugin {n}'][2] for n in ('slow', 'compiled', 'all'))
    assert float(slow['load time (s)']) >= 0.05
    assert list(means(slow)) == list(means(compiled)) == ['control_callback']
    assert means(slow)['control_callback'] >= 2000
    assert means(compiled)['control_callback'] < means(slow)['control_callback']
    assert set(means(every)) == {'control_callback', 'passive_callback', 'last_stage_callback'}
    assert all(mean > 0 for mean in means(every).values())


@pytest.mark.slow
def test_the_time_that_the_newest_reset_took_is_there(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': as_text(plugin('Recorder', 'a'))}
    _, client = start(parameters, **site.environment)
    assert 'reset time (s)' not in client.diagnostics()['plugin a'][2]

    assert client.trigger('reset').success

    assert float(client.diagnostics()['plugin a'][2]['reset time (s)']) > 0


@pytest.mark.slow
def test_a_warning_of_mujoco_shows_until_the_reset(start):
    process, client = start({'mujoco_xml': UNSTABLE, 'unpause': False,
                             'initial_joint_velocities.joint_map.hinge': 1.0})  # fmt: skip
    for _ in range(50):
        assert client.trigger('step').success

    level, message, values = client.diagnostics()['simulation']
    assert level == DiagnosticStatus.WARN
    assert "joint 'hinge'" in message
    assert int(values['warnings']) >= 1
    process.wait_for_output('MuJoCo warns: ')

    assert client.trigger('reset').success
    level, message, values = client.diagnostics()['simulation']
    assert (level, message, values['warnings']) == (DiagnosticStatus.OK, 'paused', '0')


@pytest.mark.slow
def test_they_come_once_a_second_with_a_stamp(start):
    _, client = start({'mujoco_xml': PENDULUM})
    arrays = client.collect(DiagnosticArray, '/diagnostics')

    def gaps() -> list[float]:
        times = [seconds(array.header.stamp) for array in arrays[-3:]]
        return [later - earlier for earlier, later in pairwise(times)]

    wait_until(lambda: gaps() == pytest.approx([1.0, 1.0], abs=0.3), 'one a second, three times')
    assert arrays[0].status[0].name == '/mujoco_server: simulation'
