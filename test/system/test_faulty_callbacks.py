from __future__ import annotations

from itertools import product

import pytest

from .faults import Counts, among_witnesses, log_entries

pytestmark = pytest.mark.slow

CALLBACKS = ('control_callback', 'passive_callback', 'last_stage_callback')
KINDS = ('faulty/Python', 'faulty/Compiled')
RAISING = [
    *product(KINDS, CALLBACKS, ['raise']),
    *product(['faulty/Python'], CALLBACKS, ['exit']),
    *product(['faulty/Python'], ['control_callback'], ['interrupt', 'raise unprintable']),
    *product(KINDS, ['control_callback'], ['recurse']),
]
WORDS = {'exit': 'exit', 'interrupt': 'interrupt', 'recurse': 'RecursionError'}


def plugins(rows=RAISING, **config):
    """Returns a plugin for each kind, callback and fault, which is named after them."""
    return among_witnesses(
        *({'type': kind, 'name': name_of(kind, callback, fault), 'stage': callback,
           'fault': fault, **config} for kind, callback, fault in rows)
    )  # fmt: skip


def name_of(*row):
    return '_'.join(row).partition('/')[2].replace(' ', '_')


def entry_of(server, name):
    """Returns the only error of a plugin in the log."""
    (entry,) = [each for each in log_entries(server) if f"plugin '{name}'" in each]
    return entry


def wait_until_all_are_out(server, rows=RAISING):
    for row in rows:
        server.wait_for_output(f"plugin '{name_of(*row)}' is disabled")


def test_whatever_a_callback_raises_takes_out_its_plugin_and_nothing_else(faulty):
    faulty.load(*plugins(after=0.05))
    wait_until_all_are_out(faulty)
    Counts(faulty.client, 'first', 'last').wait_for_more()
    told = faulty.client.diagnostics()
    for row in RAISING:
        name, (_, callback, fault) = name_of(*row), row
        level, message, values = told[f'plugin {name}']
        assert (level, values['state']) == (b'\x02', 'failed'), name
        assert callback in message
        entry = entry_of(faulty, name)
        assert callback in entry
        assert 'Traceback' in entry
        assert 'faulty/faults.py' in entry
        if fault == 'raise':
            assert f'broken in {callback}' in message
        assert WORDS.get(fault, '') in entry
    assert 'Exception ignored' not in faulty.output


def test_plugins_that_failed_get_no_reset_are_unloaded_by_a_reload_and_fail_anew(faulty):
    client, rows = faulty.client, list(product(KINDS, ['last_stage_callback'], ['raise']))
    names = [name_of(*row) for row in rows]
    faulty.load(*plugins(rows))
    wait_until_all_are_out(faulty, rows)
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()  # the time of the failed call has been noted
    before = client.diagnostics()
    assert client.trigger('reset').success
    counts.wait_for_more()
    after = client.diagnostics()
    for name in names:
        assert 'reset time (s)' not in after[f'plugin {name}'][2]
        assert after[f'plugin {name}'][2] == before[f'plugin {name}'][2]

    faulty.load(*plugins(rows))
    wait_until_all_are_out(faulty, rows)
    for name in names:
        assert f'{name} unloads' in faulty.output
        entry_of(faulty, name)

    faulty.load(*plugins(rows, after=1e9))
    counts.wait_for_more()
    told = client.diagnostics()
    assert {told[f'plugin {name}'][2]['state'] for name in names} == {'loaded'}
    assert log_entries(faulty) == []


def test_callbacks_that_raise_while_the_server_is_paused_take_out_their_plugin(faulty):
    client, rows = faulty.client, list(product(KINDS, ['passive_callback'], ['raise']))
    faulty.load(*plugins(rows), run=False)
    Counts(client, 'first', 'last').wait_for_more('control', 'passive')
    told = client.diagnostics()
    assert client.trigger('step').success
    for row in rows:
        assert told[f'plugin {name_of(*row)}'][2]['state'] == 'failed'
        entry_of(faulty, name_of(*row))
