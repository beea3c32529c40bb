from __future__ import annotations

from copy import deepcopy

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


def test_values_lists_and_structs_arrive_alike_as_text_and_by_files(share, tmp_path):
    site = PluginSite(tmp_path)
    entry = plugin('Recorder', 'arm', **CONFIG)
    (tmp_path / 'list.yaml').write_text(as_text(entry))
    (tmp_path / 'keyed.yaml').write_text(yaml.safe_dump({'MujocoPlugins': [entry]}))
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]', 'trust_network': True}

    for form, config in (
        (as_text(entry), CONFIG),
        (str(tmp_path / 'list.yaml'), CONFIG),
        (str(tmp_path / 'keyed.yaml'), CONFIG),
        (as_text(plugin('Recorder', 'arm', **NESTED)), NESTED),
    ):
        share(parameters, given={'MujocoPlugins': form}, **site.environment)
        load = site.events('load')[-1]
        assert load.config == {'label': 'arm', **config}, form
    assert len(site.events('load')) == 4


def test_native_parameters_arrive_alike_and_load_in_the_order_of_names(start, tmp_path):
    site = PluginSite(tmp_path)
    structs = {
        name: {'type': 'recording/Recorder', 'label': name, **deepcopy(CONFIG)}
        for name in ('ant', 'bee', 'cat')
    }
    plugins = {**structs, 'names': ['cat', 'dog', 'ant']}

    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': plugins}, **site.environment)

    assert site.names('load') == ['load cat', 'load ant']
    for load in site.events('load'):
        assert load.config == {'label': load.who, **CONFIG}
        assert type(load.config['count']) is int
    assert 'plugin cat' in client.diagnostics()
    assert 'MujocoPlugins.bee: must be listed in MujocoPlugins.names' in process.output
    assert "MujocoPlugins.names[1]: unknown struct 'dog'" in process.output


def test_a_list_of_structs_as_parameters_is_refused_with_what_to_write(tmp_path, domain):
    plugins = [{'type': 'recording/Recorder'}, {'type': 'recording/Probe'}]

    said = refusal_at_start(tmp_path, domain, {'MujocoPlugins': plugins})

    assert 'ROS parameters cannot hold a list of structs' in said
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
    assert 'ROS parameters cannot hold a list of structs' in answer.message
    assert process.running()

    assert client.set_parameters(MujocoPlugins=as_text(plugin('Recorder', 'arm')))[0].successful
    assert client.trigger('reload').success
    assert site.names('load') == ['load arm']
