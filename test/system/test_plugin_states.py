from __future__ import annotations

import pytest

from .harness import PENDULUM
from .plugin_site import PluginSite, as_text, data_of, plugin

pytestmark = pytest.mark.slow


NONE = {'mujoco_xml': PENDULUM, 'unpause': False, 'MujocoPlugins': '[]'}
WITH_CAMERA = PENDULUM.replace('<worldbody>', '<worldbody><camera name="eye"/>')


@pytest.fixture(scope='module')
def site(tmp_path_factory) -> PluginSite:
    return PluginSite(tmp_path_factory.mktemp('plugins'))


@pytest.fixture
def begin(share, site):
    """`begin(*plugins)`: a paused server with these, its client, and what they wrote since."""

    def begin(*plugins, model=PENDULUM):
        given = {'mujoco_xml': model, 'MujocoPlugins': as_text(*plugins)}
        before = len(site.events())
        server = share(NONE, given=given, **site.environment)
        return *server, lambda who: [e.what for e in site.events()[before:] if e.who == who]

    return begin


def counts(diagnostics) -> tuple[str, str]:
    values = diagnostics['simulation'][2]
    return values['plugins configured'], values['plugins ready']


def test_one_plugin_configured_is_one_registered_and_one_ready(begin):
    process, client, _ = begin(plugin('Recorder', 'only'), model=WITH_CAMERA)

    diagnostics = client.diagnostics()

    assert counts(diagnostics) == ('1', '1')
    level, message, values = diagnostics['plugin only']
    assert (level, message, values['state']) == (b'\0', 'loaded', 'loaded')
    assert values['type'] == 'recording/Recorder'
    assert '1 of 1 plugins ready' in process.output


def test_a_plugin_that_refuses_gets_nothing_until_it_is_corrected(begin):
    process, client, written = begin(
        plugin('Caller', 'picky', refusal='returns False'),
        plugin('Caller', 'choosy', refusal='raises'),
        plugin('Caller', 'easy'),
    )
    diagnostics = client.diagnostics()
    assert counts(diagnostics) == ('3', '1')
    assert diagnostics['plugin picky'][:2] == (b'\2', 'refused: refused to load')
    reason = 'refused to load: RuntimeError: there is no gripper'
    assert diagnostics['plugin choosy'][:2] == (b'\2', f'refused: {reason}')
    for name in 'picky', 'choosy':
        assert f"plugin '{name}' (recording/Caller) refused to load" in process.output

    assert client.trigger('step').success
    assert client.trigger('reset').success
    assert {'load', 'last_stage', 'reset', 'control'} <= {*written('easy')}
    assert written('picky') == written('choosy') == ['construct', 'load']

    _, client, corrected = begin(plugin('Caller', 'picky'), plugin('Caller', 'easy'))
    assert counts(client.diagnostics()) == ('2', '2')
    assert client.trigger('step').success
    assert client.trigger('reset').success
    assert {'last_stage', 'reset'} <= {*corrected('picky')}
    assert 'unload' not in corrected('picky'), 'what refused has nothing to unload'
    assert 'unload' in corrected('easy')


def test_what_cannot_be_constructed_or_is_unknown_is_reported_and_the_others_load(begin):
    process, client, written = begin(
        plugin('Unmakable', 'broken'), plugin('Recordr', 'typo'), plugin('Recorder', 'whole')
    )

    diagnostics = client.diagnostics()

    assert counts(diagnostics) == ('3', '1')
    level, message, _ = diagnostics['plugin broken']
    assert level == b'\2'
    assert 'ValueError: no licence found' in message
    process.wait_for_output(
        "unknown plugin type 'recording/Recordr' (did you mean 'recording/Recorder'?); known: "
    )
    assert 'mujoco_ros_py/JointController' in process.output
    assert written('whole') == ['construct', 'load']


def test_entries_that_are_no_plugins_are_refused_one_by_one(begin):
    good = plugin('Recorder', 'good')
    process, client, written = begin('just a string', {'gain': 1.0}, good, {'type': 'good'})

    assert counts(client.diagnostics()) == ('4', '1')
    assert written('good') == ['construct', 'load']
    for refusal in (
        "MujocoPlugins[0]: must be a struct with a 'type', got 'just a string'",
        "MujocoPlugins[1]: must have a 'type', got only: gain",
        "MujocoPlugins[3]: type must have the form package/Class, got 'good'",
    ):
        assert f'not registered: {refusal}' in process.output


def test_a_plugin_added_at_run_time_is_loaded_at_the_reload(start, tmp_path):
    site = PluginSite(tmp_path)
    first, probe = plugin('Recorder', 'first'), plugin('Probe', 'probe')
    structs = {'first': first, 'probe': probe}
    for struct in structs.values():
        del struct['name']
    plugins = {'names': ['first', 'probe'], **structs}
    _, client = start({**NONE, 'MujocoPlugins': plugins}, **site.environment)
    added = {
        'MujocoPlugins.second.type': 'recording/Recorder',
        'MujocoPlugins.second.label': 'second',
        'MujocoPlugins.names': ['second', 'first', 'probe'],
    }

    assert all(result.successful for result in client.set_parameters(**added))
    assert data_of(client).time == 0
    assert site.names('load') == ['load first'], 'nothing happens before the reload'
    assert client.trigger('reload').success

    assert site.names('load') == ['load first', 'load second', 'load first']
    assert counts(client.diagnostics()) == ('3', '3')


FAILING = '''
from mujoco_ros_py.plugins import MujocoPlugin


class Failing(MujocoPlugin):
    """Fails in the first forward pass."""

    def control_callback(self, model, data):
        raise ValueError('no hands')
'''


def test_the_log_the_answer_and_the_diagnostics_count_the_same_plugins(share, tmp_path):
    site = PluginSite(tmp_path)
    site.add_module('failing', FAILING)
    plugins = '[{type: failing/Failing}, {type: recording/Recorder, label: a}, {name: none}]'
    process, client = share({'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins}, **site.environment)
    lines = len(process.lines)
    answer = client.trigger('reload')
    assert answer.message.startswith('reloaded; 1 of 3 plugins ready; ')
    assert 'no hands' in answer.message
    assert "must have a 'type'" in answer.message
    loaded = [line for line in process.lines[lines:] if 'plugins ready' in line]
    assert ['1 of 3 plugins ready' in line for line in loaded] == [True]
    assert counts(client.diagnostics()) == ('3', '1')
