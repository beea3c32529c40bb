from __future__ import annotations

from pathlib import Path

import pytest

from .faults import (
    Counts,
    between_witnesses,
    environment,
    log_entries,
    plugin_status,
    reload_with,
    with_plugins,
)
from .harness import PENDULUM

pytestmark = pytest.mark.slow

WORD = {'raise': 'broken', 'exit': 'exit', 'interrupt': 'interrupt', 'raise unprintable': ''}
any_exception = pytest.mark.parametrize(
    ('kind', 'fault'),
    [('faulty/Compiled', 'raise'), *(('faulty/Python', fault) for fault in WORD)],
)


@any_exception
@pytest.mark.parametrize('stage', ['__init__', 'load'])
def test_a_plugin_that_cannot_be_made_or_loaded_is_left_out_until_a_reload(
    start, stage, kind, fault
):
    faulty = between_witnesses(kind, stage=stage, fault=fault)
    process, client = start(with_plugins(*faulty), **environment())
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()
    assert '2 of 3 plugins ready' in process.output
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'refused')
    assert WORD[fault] in message
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry

    assert client.trigger('reset').success
    assert 'reset time (s)' not in plugin_status(client)[2]
    assert reload_with(client, *between_witnesses(kind)).success
    assert 'faulty unloads' not in process.output, 'it was never loaded'
    counts.wait_for_more()
    assert plugin_status(client)[2]['state'] == 'loaded'


@any_exception
def test_a_plugin_that_raises_in_reset_is_taken_out_and_the_reset_is_completed(start, kind, fault):
    faulty = between_witnesses(kind, stage='reset', fault=fault)
    process, client = start(with_plugins(*faulty), **environment())
    counts = Counts(client, 'first', 'last')
    answer = client.trigger('reset')
    assert answer.success, answer.message
    counts.wait_for_more()
    assert [counts.latest(name)['reset'] for name in ('first', 'last')] == [1, 1]
    assert plugin_status(client)[2]['state'] == 'failed'
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry
    assert 'reset' in entry
    assert 'Traceback' in entry
    assert reload_with(client, *between_witnesses(kind)).success
    assert plugin_status(client)[2]['state'] == 'loaded'


@any_exception
def test_a_plugin_that_raises_in_unload_keeps_no_other_from_unloading(start, kind, fault):
    faulty = between_witnesses(kind, stage='unload', fault=fault)
    process, client = start(with_plugins(*faulty), **environment())
    answer = reload_with(client, *between_witnesses(kind))
    assert answer.success, answer.message
    unloads = [line.split()[0] for line in process.lines if line.endswith(' unloads\n')]
    assert unloads == ['last', 'faulty', 'first']
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry
    assert 'unload' in entry
    assert 'Traceback' in entry
    Counts(client, 'first', 'last').wait_for_more()
    assert plugin_status(client)[2]['state'] == 'loaded'


@pytest.mark.parametrize('fault', WORD)
def test_a_plugin_that_raises_in_unload_lets_the_server_end_well(start, fault):
    faulty = between_witnesses('faulty/Python', stage='unload', fault=fault)
    process, client = start(with_plugins(*faulty), **environment())
    assert client.trigger('shutdown').success
    assert process.wait() == 0
    assert process.output.index('last unloads') < process.output.index('first unloads')


@pytest.mark.parametrize('kind', ['faulty/Raises', 'faulty/Exits', 'faulty/Interrupts'])
def test_a_plugin_whose_module_cannot_be_imported_is_left_out(start, kind):
    process, client = start(with_plugins(*between_witnesses(kind)), **environment())
    Counts(client, 'first', 'last').wait_for_more()
    assert plugin_status(client)[2]['state'] == 'refused'
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry
    assert ' in import' in entry


@pytest.mark.parametrize(
    ('plugin', 'file'),
    [
        ({'type': 'faulty/Raises'}, 'faulty/imports/raises.py'),
        ({'type': 'faulty/Python', 'stage': '__init__', 'fault': 'raise'}, 'faulty/faults.py'),
        ({'type': 'faulty/Python', 'stage': 'load', 'fault': 'raise'}, 'faulty/faults.py'),
    ],
)
def test_the_log_shows_where_a_plugin_raised_that_could_not_be_made_or_loaded(start, plugin, file):
    process, _ = start(with_plugins(plugin), **environment())
    (entry,) = log_entries(process)
    assert 'Traceback' in entry
    assert file in entry


def test_a_module_that_is_corrected_is_imported_by_a_reload(start, tmp_path: Path):
    index = tmp_path / 'share/ament_index/resource_index/mujoco_ros_py__pluginlib__plugin'
    index.mkdir(parents=True)
    (index / 'mended').write_text('mended.xml')
    (tmp_path / 'mended.xml').write_text(
        '<library path="mended"><class name="mended/Plugin" type="Plugin"'
        ' base_class_type="mujoco_ros_py::MujocoPlugin"/></library>'
    )
    module = tmp_path / 'mended.py'
    module.write_text('class Plugin(:\n')
    parameters = {'mujoco_xml': PENDULUM, 'MujocoPlugins': '[{type: mended/Plugin, name: faulty}]'}
    _, client = start(parameters, **environment(tmp_path))
    status = plugin_status(client)
    assert status[2]['state'] == 'refused'
    assert 'SyntaxError' in status[1]
    module.write_text(
        'from mujoco_ros_py.plugins import MujocoPlugin\nclass Plugin(MujocoPlugin): 1\n'
    )
    assert client.trigger('reload').success
    assert plugin_status(client)[2]['state'] == 'loaded'
