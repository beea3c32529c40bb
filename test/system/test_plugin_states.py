from __future__ import annotations

import pytest

from .harness import PENDULUM
from .plugin_site import PluginSite, as_text, data_of, plugin

pytestmark = pytest.mark.slow


def native(*plugins):
    """MujocoPlugins as native parameters."""
    structs = {struct['name']: {**struct} for struct in plugins}
    for struct in structs.values():
        del struct['name']
    return {'names': list(structs), **structs}


WITH_CAMERA = PENDULUM.replace('<worldbody>', '<worldbody><camera name="eye"/>')


@pytest.fixture
def begin(start, tmp_path):
    """`begin(*plugins)`: a paused server with these, its client, and the plugins' record."""

    def begin(*plugins, model=PENDULUM):
        site = PluginSite(tmp_path)
        parameters = {'mujoco_xml': model, 'unpause': False, 'MujocoPlugins': native(*plugins)}
        return *start(parameters, **site.environment), site

    return begin


def counts(diagnostics) -> tuple[str, str]:
    values = diagnostics['simulation'][2]
    return values['plugins registered'], values['plugins ready']


@pytest.mark.parametrize('model', [PENDULUM, WITH_CAMERA], ids=['', 'with a camera'])
def test_one_plugin_configured_is_one_registered_and_one_ready(begin, model):
    process, client, _ = begin(plugin('Recorder', 'only'), model=model)

    diagnostics = client.diagnostics()

    assert counts(diagnostics) == ('1', '1')
    level, message, values = diagnostics['plugin only']
    assert (level, message, values['state']) == (b'\0', 'loaded', 'loaded')
    assert values['type'] == 'recording/Recorder'
    assert '1 of 1 plugins ready' in process.output


@pytest.mark.parametrize(
    ('refusal', 'reason'),
    [
        ('returns False', 'refused to load'),
        ('raises', 'refused to load: RuntimeError: there is no gripper'),
    ],
)
def test_a_plugin_that_refuses_gets_nothing_until_it_is_corrected(begin, refusal, reason):
    process, client, site = begin(
        plugin('Caller', 'picky', refusal=refusal), plugin('Caller', 'easy')
    )
    diagnostics = client.diagnostics()
    assert counts(diagnostics) == ('2', '1')
    assert diagnostics['plugin picky'][:2] == (b'\2', f'refused: {reason}')
    assert "plugin 'picky' (recording/Caller) refused to load" in process.output

    assert client.trigger('step').success
    assert client.trigger('reset').success
    site.wait_for('last_stage', who='easy')
    site.wait_for('reset', who='easy')
    site.wait_for('control', who='easy')
    assert [event.what for event in site.events(who='picky')] == ['construct', 'load']

    assert client.set_parameters(MujocoPlugins__picky__refusal='')[0].successful
    assert client.trigger('reload').success
    assert counts(client.diagnostics()) == ('2', '2')
    assert client.trigger('step').success
    assert client.trigger('reset').success
    assert [event.what for event in site.events('last_stage', 'reset', who='picky')] == [
        'last_stage',
        'reset',
    ]
    assert site.names('unload') == ['unload easy'], 'what refused has nothing to unload'


def test_a_plugin_that_cannot_be_constructed_is_registered_and_not_ready(begin):
    _, client, site = begin(plugin('Unmakable', 'broken'), plugin('Recorder', 'whole'))

    diagnostics = client.diagnostics()

    assert counts(diagnostics) == ('2', '1')
    level, message, _ = diagnostics['plugin broken']
    assert level == b'\2'
    assert 'ValueError: no licence found' in message
    assert site.names('load') == ['load whole']


def test_an_unknown_type_is_reported_with_the_known_ones_and_the_others_load(begin):
    process, client, site = begin(plugin('Recordr', 'typo'), plugin('Recorder', 'right'))

    assert counts(client.diagnostics()) == ('2', '1')
    process.wait_for_output(
        "unknown plugin type 'recording/Recordr' (did you mean 'recording/Recorder'?); known: "
    )
    assert 'mujoco_ros_py/JointController' in process.output
    assert site.names('load') == ['load right']


def test_entries_that_are_no_plugins_are_refused_one_by_one(start, tmp_path):
    site = PluginSite(tmp_path)
    text = as_text('just a string', {'gain': 1.0}, plugin('Recorder', 'good'), {'type': 'good'})
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': text}
    process, client = start(parameters, **site.environment)

    assert counts(client.diagnostics()) == ('1', '1')
    assert site.names('load') == ['load good']
    for refusal in (
        "MujocoPlugins[0]: must be a struct with a 'type', got 'just a string'",
        "MujocoPlugins[1]: must have a 'type', got only: gain",
        "MujocoPlugins[3]: type must have the form package/Class, got 'good'",
    ):
        assert f'not registered: {refusal}' in process.output


def test_a_plugin_added_at_run_time_is_loaded_at_the_reload(begin):
    _, client, site = begin(plugin('Recorder', 'first'), plugin('Probe', 'probe'))
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
