from __future__ import annotations

import pytest

from .faults import (
    Counts,
    among_witnesses,
    between_witnesses,
    environment,
    log_entries,
    plugin_status,
    with_plugins,
)

pytestmark = pytest.mark.slow

REFUSED = {
    'NoPlugin': 'does not derive from MujocoPlugin',
    'NoClass': 'must be a class',
    'NotThere': "class 'NotThere'",
    'Unheard': "unknown plugin type 'faulty/Unheard'",
    'WrongArguments': 'must take (self, model, data)',
    'WrongConstructor': '__init__',
    'CallbackIsNoMethod': 'must be a method',
    'WrongCompiled': 'must take (state, model, data)',
    'NotCompilable': 'does not compile',
    'CompiledResult': 'must return nothing',
    'WrongState': 'state',
}
RUBBISH = 'text', 'array', 'unhelpful', 'generator'


def test_what_cannot_work_as_a_plugin_is_refused_with_the_reason(faulty):
    plugins = [{'type': f'faulty/{name}', 'name': name} for name in REFUSED]
    faulty.load(*among_witnesses(*plugins))
    Counts(faulty.client, 'first', 'last').wait_for_more()
    told = faulty.client.diagnostics()
    for name, wanted in REFUSED.items():
        level, message, values = told[f'plugin {name}']
        assert (level, values['state']) == (b'\x02', 'refused'), name
        assert wanted in message
        (entry,) = [each for each in log_entries(faulty) if f"plugin '{name}'" in each]
        assert wanted in entry


def test_what_a_plugin_returns_beyond_the_contract_is_ignored(faulty):
    client = faulty.client
    plugins = [{'type': 'faulty/Rubbish', 'name': each, 'rubbish': each} for each in RUBBISH]
    faulty.load(*among_witnesses(*plugins))
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()
    assert client.trigger('reset').success
    assert client.trigger('reload').success
    counts.wait_for_more()
    told = client.diagnostics()
    for each in RUBBISH:
        assert told[f'plugin {each}'][2]['state'] == 'loaded', each
    assert log_entries(faulty) == []


def test_a_plugin_refuses_with_the_false_of_numpy_too(faulty):
    faulty.load(*between_witnesses('faulty/Rubbish', rubbish='numpy false'))
    assert plugin_status(faulty.client)[2]['state'] == 'refused'


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
    assert f'2 of {len(entries)} plugins ready' in process.output
    refused = [entry for entry in log_entries(process) if 'not registered' in entry]
    assert len(refused) == len(entries) - 2
    for index in range(1, len(entries) - 1):
        assert sum(f'MujocoPlugins[{index}]' in entry for entry in refused) == 1
