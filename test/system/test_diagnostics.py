from __future__ import annotations

from itertools import pairwise

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus

from .harness import PENDULUM, seconds, wait_until
from .plugin_site import PluginSite, as_text, plugin

UNSTABLE = PENDULUM.replace('axis="0 1 0"', 'axis="0 1 0" damping="-1e9"').replace(
    '<body name="rod"', '<body name="rod" euler="0 10 0"'
)


def means(values) -> dict[str, float]:
    """Mean times of callbacks in microseconds."""
    times = {key.partition(' mean (us)'): value for key, value in values.items()}
    return {name: float(value) for (name, unit, _), value in times.items() if unit}


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('diagnostics'))


@pytest.fixture
def load(share, site):
    """`load(**parameters)`: the process and a client of a paused server with these."""

    def load(**given):
        base = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'realtime': 1.0}
        return share(base, given=given, **site.environment)

    return load


@pytest.mark.slow
def test_they_come_once_a_second_with_a_stamp_and_the_factors_that_are_set_and_measured(load):
    _, client = load(realtime=0.5)
    assert client.pause(False).success
    arrays = client.collect(DiagnosticArray, '/diagnostics')

    def values(array: DiagnosticArray) -> dict[str, str]:
        assert array.status[0].name == '/mujoco_server: simulation'
        return {pair.key: pair.value for pair in array.status[0].values}

    def measured() -> bool:
        factor = values(arrays[-1])['real-time factor measured'] if arrays else 'nan'
        return abs(float(factor) - 0.5) < 0.1

    def gaps() -> list[float]:
        times = [seconds(array.header.stamp) for array in arrays[-3:]]
        return [later - earlier for earlier, later in pairwise(times)]

    wait_until(measured, 'a measured factor near 0.5')
    assert values(arrays[-1])['real-time factor set'] == '0.5'
    wait_until(lambda: gaps() == pytest.approx([1.0, 1.0], abs=0.3), 'one a second, three times')
    assert client.set_parameters(realtime=4.0)[0].successful
    wait_until(lambda: values(arrays[-1])['real-time factor set'] == '4.0', 'the new factor')


@pytest.mark.slow
def test_steps_time_loads_and_states_are_counted(load):
    _, client = load()
    _, _, before = client.diagnostics()['simulation']
    assert client.pause(True).success
    assert client.trigger('reload').success
    assert client.trigger('reload').success
    for _ in range(7):
        assert client.trigger('step').success

    level, message, values = client.diagnostics()['simulation']

    assert (level, message) == (DiagnosticStatus.OK, 'paused')
    assert (values['steps'], values['time']) == ('7', '0.014000')
    grown = {key: int(values[key]) - int(before[key]) for key in ('loads', 'reloads', 'resets')}
    assert grown == {'loads': 2, 'reloads': 2, 'resets': 0}
    assert (values['paused'], values['warnings']) == ('True', '0')


@pytest.mark.slow
def test_each_plugin_has_its_times_of_load_and_callbacks_and_of_the_newest_reset(load):
    text = as_text(
        plugin('Slow', 'slow', load_s=0.05, control_s=0.002),
        plugin('Motor', 'compiled'),
        plugin('Caller', 'all'),
        plugin('Gate', 'gate'),
    )
    _, client = load(MujocoPlugins=text)
    assert client.trigger('step').success
    diagnostics = client.diagnostics()

    slow, compiled, every, gate = (
        diagnostics[f'plugin {name}'][2] for name in ('slow', 'compiled', 'all', 'gate')
    )
    assert float(slow['load time (s)']) >= 0.05
    assert list(means(slow)) == list(means(compiled)) == ['control_callback']
    assert means(slow)['control_callback'] >= 2000
    assert means(compiled)['control_callback'] < means(slow)['control_callback']
    assert set(means(every)) == {'control_callback', 'passive_callback', 'last_stage_callback'}
    assert set(means(gate)) == {'read_callback', 'write_callback'}
    assert all(mean > 0 for mean in (*means(every).values(), *means(gate).values()))

    assert 'reset time (s)' not in slow
    assert client.trigger('reset').success
    assert float(client.diagnostics()['plugin slow'][2]['reset time (s)']) > 0


@pytest.mark.slow
def test_a_warning_of_mujoco_shows_until_the_reset(load):
    process, client = load(mujoco_xml=UNSTABLE)
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
