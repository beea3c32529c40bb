from __future__ import annotations

import pytest

from .harness import PENDULUM
from .plugin_site import PluginSite, as_text, plugin

TWO = [plugin('Recorder', 'a'), plugin('Recorder', 'b')]
PAUSED = {'mujoco_xml': PENDULUM, 'unpause': False}


def test_plugins_live_in_the_order_of_their_list_and_end_in_reverse(start, tmp_path):
    site = PluginSite(tmp_path)
    process, client = start({**PAUSED, 'MujocoPlugins': as_text(*TWO)}, **site.environment)
    born = ['construct a', 'construct b', 'load a', 'load b']
    assert site.names() == born

    assert client.trigger('reset').success
    lived = [*born, 'reset a', 'reset b']
    assert site.names() == lived

    assert client.trigger('reload').success
    reborn = ['construct a', 'construct b', 'unload b', 'unload a', 'load a', 'load b']
    assert site.names() == [*lived, *reborn]

    assert client.trigger('shutdown').success
    assert process.wait() == 0, process.output
    assert site.names() == [*lived, *reborn, 'unload b', 'unload a']


def test_callbacks_come_after_every_load_and_passive_before_control(start, tmp_path):
    site = PluginSite(tmp_path)
    text = as_text(plugin('Caller', 'a'), plugin('Caller', 'b'))
    start({**PAUSED, 'MujocoPlugins': text}, **site.environment)

    assert site.names()[:8] == [
        'construct a', 'construct b', 'load a', 'load b',
        'passive a', 'passive b', 'control a', 'control b',
    ]  # fmt: skip


@pytest.mark.slow
def test_a_reload_reads_native_parameters_that_were_set_meanwhile(start, tmp_path):
    site = PluginSite(tmp_path)
    native = {'names': ['a'], 'a': {'type': 'recording/Recorder', 'gain': 1.0}}
    _, client = start({**PAUSED, 'MujocoPlugins': native}, **site.environment)

    changes = client.set_parameters(MujocoPlugins__a__gain=2.0, MujocoPlugins__a__frame='tool')
    assert all(result.successful for result in changes)
    assert client.trigger('reload').success

    before, after = site.events('load')
    assert before.config == {'gain': 1.0}
    assert after.config == {'gain': 2.0, 'frame': 'tool'}


def test_a_reload_reads_the_edited_file_and_load_sees_the_initial_joint_states(start, tmp_path):
    site = PluginSite(tmp_path)
    file = tmp_path / 'plugins.yaml'
    file.write_text(as_text(plugin('Recorder', 'a', gain=1)))
    initial = {
        'initial_joint_positions.joint_map.hinge': 0.5,
        'initial_joint_velocities.joint_map.hinge': -0.25,
    }
    _, client = start({**PAUSED, 'MujocoPlugins': str(file), **initial}, **site.environment)

    file.write_text(as_text(plugin('Recorder', 'a', gain=2)))
    assert client.trigger('reload').success

    assert [load.config['gain'] for load in site.events('load')] == [1, 2]
    for load in site.events('load'):
        assert (load.nq, load.time, load.qpos, load.qvel) == (1, 0, [0.5], [-0.25])


def test_a_plugin_is_found_by_its_description_too(start, tmp_path):
    site = PluginSite(tmp_path)
    environment = {**site.environment, **site.describe_instead()}

    _, client = start({**PAUSED, 'MujocoPlugins': as_text(*TWO)}, **environment)

    assert site.names('load') == ['load a', 'load b']
    assert client.diagnostics()['plugin a'][2]['type'] == 'recording/Recorder'


@pytest.mark.slow
def test_nothing_is_imported_that_is_not_asked_for(start, tmp_path):
    site = PluginSite(tmp_path)
    imported = tmp_path / 'imported'
    site.add_module('unwanted', f"open({str(imported)!r}, 'w')\nclass Plugin: pass\n")

    _, client = start({**PAUSED, 'MujocoPlugins': as_text(*TWO)}, **site.environment)
    assert site.names('load') == ['load a', 'load b']
    assert not imported.exists()

    both = as_text(*TWO, {'type': 'unwanted/Plugin'})
    assert client.set_parameters(MujocoPlugins=both)[0].successful
    assert client.trigger('reload').success
    assert imported.exists(), 'or this test says nothing'
