from __future__ import annotations

import pytest

from .faults import Counts, among_witnesses, environment, log_entries, with_plugins

pytestmark = pytest.mark.slow

WORD = {'raise': 'broken', 'exit': 'exit', 'interrupt': 'interrupt', 'raise unprintable': ''}
FAULTS = [('faulty/Compiled', 'raise'), *(('faulty/Python', fault) for fault in WORD)]
IMPORTS = {'Raises': 'raises.py', 'Exits': 'exits.py', 'Interrupts': 'interrupts.py'}


def plugins(*stages, healthy=False):
    """Returns a plugin of each kind and fault for each stage, by name."""
    faults = {
        f'{stage.strip("_")}{number}': {'type': kind, 'stage': stage, 'fault': fault}
        for stage in stages
        for number, (kind, fault) in enumerate(FAULTS)
    }
    return {
        name: {'name': name, **({'type': each['type']} if healthy else each)}
        for name, each in faults.items()
    }


def entry_of(server, name):
    """Returns the only error of a plugin in the log."""
    (entry,) = [each for each in log_entries(server) if f"plugin '{name}'" in each]
    return entry


def states(client, names):
    told = client.diagnostics()
    return {told[f'plugin {name}'][2]['state'] for name in names}


def test_plugins_that_cannot_be_imported_made_or_loaded_are_left_out_with_a_traceback(start):
    given = plugins('__init__', 'load')
    given |= {name: {'type': f'faulty/{name}', 'name': name} for name in IMPORTS}
    process, client = start(with_plugins(*among_witnesses(*given.values())), **environment())
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()
    assert f'2 of {len(given) + 2} plugins ready' in process.output
    told = client.diagnostics()
    for name, plugin in given.items():
        level, message, values = told[f'plugin {name}']
        assert (level, values['state']) == (b'\x02', 'refused'), name
        assert WORD[plugin.get('fault', 'raise unprintable')] in message
        entry = entry_of(process, name)
        assert 'Traceback' in entry
        assert (f'imports/{IMPORTS[name]}' if name in IMPORTS else 'faulty/faults.py') in entry
        assert (' in import' in entry) == (name in IMPORTS)

    assert client.trigger('reset').success
    counts.wait_for_more()
    told = client.diagnostics()
    assert not [name for name in given if 'reset time (s)' in told[f'plugin {name}'][2]]


def test_plugins_that_were_never_loaded_are_not_unloaded_and_may_be_loaded_by_a_reload(faulty):
    faulty.load(*among_witnesses(*plugins('__init__', 'load').values()))
    good = plugins('__init__', 'load', healthy=True)
    faulty.load(*among_witnesses(*good.values()))
    unloads = [line.split()[0] for line in faulty.lines if line.endswith(' unloads\n')]
    assert unloads == ['last', 'first']
    Counts(faulty.client, 'first', 'last').wait_for_more()
    assert states(faulty.client, good) == {'loaded'}


def test_plugins_that_raise_in_reset_are_taken_out_and_the_reset_is_completed(faulty):
    client, given = faulty.client, plugins('reset')
    faulty.load(*among_witnesses(*given.values()))
    counts = Counts(client, 'first', 'last')
    answer = client.trigger('reset')
    assert answer.success, answer.message
    counts.wait_for_more()
    assert [counts.latest(name)['reset'] for name in ('first', 'last')] == [1, 1]
    assert states(client, given) == {'failed'}
    for name in given:
        entry = entry_of(faulty, name)
        assert 'reset' in entry
        assert 'Traceback' in entry
    faulty.load(*among_witnesses(*plugins('reset', healthy=True).values()))
    assert states(client, given) == {'loaded'}


def test_plugins_that_raise_in_unload_keep_no_other_from_unloading(faulty):
    given = plugins('unload')
    faulty.load(*among_witnesses(*given.values()))
    faulty.load(*among_witnesses(*plugins('unload', healthy=True).values()))
    unloads = [line.split()[0] for line in faulty.lines if line.endswith(' unloads\n')]
    assert unloads == ['last', *reversed(given), 'first']
    for name in given:
        entry = entry_of(faulty, name)
        assert 'unload' in entry
        assert 'Traceback' in entry
    Counts(faulty.client, 'first', 'last').wait_for_more()
    assert states(faulty.client, given) == {'loaded'}


def test_plugins_that_raise_in_unload_let_the_server_end_well(faulty):
    faulty.load(*among_witnesses(*plugins('unload').values()))
    assert faulty.client.trigger('shutdown').success
    assert faulty.process.wait() == 0
    assert faulty.output.index('last unloads') < faulty.output.index('first unloads')
