from __future__ import annotations

import pytest
import yaml

from .harness import PENDULUM, refusal_at_start
from .plugin_site import PluginSite, as_text, plugin

pytestmark = pytest.mark.slow

CONFIG = {
    'gain': 1.5,
    'count': 3,
    'enabled': True,
    'frame': 'tool0',
    'gains': [1.0, 2.5],
    'joints': ['a', 'b'],
    'limits': {'force': 10, 'inner': {'name': 'x', 'soft': False}},
}
NESTED = {'rows': [[0, 0, 0], [1, 2, 3]], 'deep': [[[1.5]], []], 'mixed': [{'a': [1]}, 'b', None]}


@pytest.fixture
def forms(tmp_path):
    """MujocoPlugins with this configuration, in each form that a parameter can have."""
    entry = plugin('Recorder', 'arm', **CONFIG)
    bare = {key: value for key, value in entry.items() if key != 'name'}
    (tmp_path / 'list.yaml').write_text(as_text(entry))
    (tmp_path / 'keyed.yaml').write_text(yaml.safe_dump({'MujocoPlugins': [entry]}))
    return {
        'native parameters': {'names': ['arm'], 'arm': bare},
        'text': as_text(entry),
        'a file': str(tmp_path / 'list.yaml'),
        'a file with the key': str(tmp_path / 'keyed.yaml'),
    }


@pytest.mark.parametrize('form', ['native parameters', 'text', 'a file', 'a file with the key'])
def test_values_lists_and_structs_arrive_alike_by_every_form(start, tmp_path, forms, form):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': forms[form]}

    _, client = start(parameters, **site.environment)

    (load,) = site.events('load')
    assert load.config == {'label': 'arm', **CONFIG}
    assert type(load.config['count']) is int
    assert 'plugin arm' in client.diagnostics()


def test_lists_of_lists_and_of_structs_arrive_by_text(start, tmp_path):
    site = PluginSite(tmp_path)
    text = as_text(plugin('Recorder', 'arm', **NESTED))

    start({'mujoco_xml': PENDULUM, 'MujocoPlugins': text}, **site.environment)

    (load,) = site.events('load')
    assert load.config == {'label': 'arm', **NESTED}


def test_plugins_load_in_the_order_of_names(start, tmp_path):
    site = PluginSite(tmp_path)
    structs = {
        name: {'type': 'recording/Recorder', 'label': name} for name in ('ant', 'bee', 'cat')
    }
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': structs}
    parameters['MujocoPlugins']['names'] = ['cat', 'ant', 'bee']

    start(parameters, **site.environment)

    assert site.names('load') == ['load cat', 'load ant', 'load bee']


def test_a_list_of_structs_as_parameters_is_refused_with_what_to_write(tmp_path, domain):
    plugins = [{'type': 'recording/Recorder'}, {'type': 'recording/Probe'}]

    said = refusal_at_start(tmp_path, domain, {'MujocoPlugins': plugins})

    assert 'ROS parameters hold no list of structs' in said
    assert 'names: [first, second]' in said
    assert 'MujocoPlugins: |' in said


def test_a_list_of_structs_can_be_corrected_while_the_server_runs(start, tmp_path):
    site = PluginSite(tmp_path)
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': None}
    process, client = start(parameters, **site.environment)
    merged = {'MujocoPlugins.type.type': ['recording/Recorder', 'recording/Probe']}
    assert client.set_parameters(**merged)[0].successful

    answer = client.trigger('reload')
    assert not answer.success
    assert 'ROS parameters hold no list of structs' in answer.message
    assert process.running()

    assert client.set_parameters(MujocoPlugins=as_text(plugin('Recorder', 'arm')))[0].successful
    assert client.trigger('reload').success
    assert site.names('load') == ['load arm']


def test_plugins_that_are_not_in_names_are_reported_and_not_loaded(start, tmp_path):
    site = PluginSite(tmp_path)
    structs = {name: {'type': 'recording/Recorder', 'label': name} for name in ('ant', 'bee')}
    plugins = {'names': ['bee', 'dog'], **structs}

    process, _ = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins}, **site.environment)

    assert site.names('load') == ['load bee']
    assert 'MujocoPlugins.ant: must be listed in MujocoPlugins.names' in process.output
    assert "MujocoPlugins.names[1]: unknown struct 'dog'" in process.output


def test_names_must_be_given_for_native_parameters(tmp_path, domain):
    plugins = {'arm': {'type': 'recording/Recorder'}, 'imu': {'type': 'recording/Probe'}}

    said = refusal_at_start(tmp_path, domain, {'MujocoPlugins': plugins})

    assert 'MujocoPlugins.names must list the plugins in order: names: [arm, imu]' in said
