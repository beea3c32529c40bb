from __future__ import annotations

import pytest

from .faults import (
    Counts,
    between_witnesses,
    environment,
    log_entries,
    plugin_status,
    with_plugins,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ('kind', 'wanted'),
    [
        ('faulty/NoPlugin', 'does not derive from MujocoPlugin'),
        ('faulty/NoClass', 'must be a class'),
        ('faulty/NotThere', "class 'NotThere'"),
        ('faulty/Unheard', "unknown plugin type 'faulty/Unheard'"),
        ('faulty/WrongArguments', 'must take (self, model, data)'),
        ('faulty/WrongConstructor', '__init__'),
        ('faulty/CallbackIsNoMethod', 'must be a method'),
        ('faulty/WrongCompiled', 'must take (state, model, data)'),
        ('faulty/NotCompilable', 'does not compile'),
        ('faulty/CompiledResult', 'must return nothing'),
        ('faulty/WrongState', 'state'),
    ],
)
def test_what_cannot_work_as_a_plugin_is_refused_with_the_reason(start, kind, wanted):
    process, client = start(with_plugins(*between_witnesses(kind)), **environment())
    Counts(client, 'first', 'last').wait_for_more()
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'refused')
    assert wanted in message
    (entry,) = log_entries(process)
    assert wanted in entry
    assert "plugin 'faulty'" in entry


@pytest.mark.parametrize('rubbish', ['text', 'array', 'unhelpful', 'generator'])
def test_what_a_plugin_returns_beyond_the_contract_is_ignored(start, rubbish):
    plugins = between_witnesses('faulty/Rubbish', rubbish=rubbish)
    process, client = start(with_plugins(*plugins), **environment())
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()
    assert client.trigger('reset').success
    assert client.trigger('reload').success
    counts.wait_for_more()
    assert plugin_status(client)[2]['state'] == 'loaded'
    assert log_entries(process) == []


def test_a_plugin_refuses_with_the_false_of_numpy_too(start):
    plugins = between_witnesses('faulty/Rubbish', rubbish='numpy false')
    _, client = start(with_plugins(*plugins), **environment())
    assert plugin_status(client)[2]['state'] == 'refused'


def test_entries_that_are_no_plugins_are_left_out_and_the_others_work(start):
    first, _, last = between_witnesses('-')
    entries = [
        first,
        None,
        7,
        'text',
        ['a', 'list'],
        {},
        {'name': 'no_type'},
        {'type': 7},
        {'type': 'no slash'},
        {'type': 'faulty/Python', 'name': 'first'},
        {'type': 'faulty/Python', 'name': 'two words'},
        last,
    ]
    process, client = start(with_plugins(*entries), **environment())
    Counts(client, 'first', 'last').wait_for_more()
    assert '2 of 2 plugins ready' in process.output
    refused = [entry for entry in log_entries(process) if 'not registered' in entry]
    assert len(refused) == len(entries) - 2
    for index in range(1, len(entries) - 1):
        assert sum(f'MujocoPlugins[{index}]' in entry for entry in refused) == 1
