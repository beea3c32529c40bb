from __future__ import annotations

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

pytestmark = pytest.mark.slow

CALLBACKS = ('control_callback', 'passive_callback', 'last_stage_callback')
KINDS = ('faulty/Python', 'faulty/Compiled')


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('callback', CALLBACKS)
def test_a_callback_that_raises_takes_out_its_plugin_and_nothing_else(start, kind, callback):
    faulty = between_witnesses(kind, stage=callback, fault='raise', after=0.05)
    process, client = start(with_plugins(*faulty), **environment())
    counts = Counts(client, 'first', 'last')
    process.wait_for_output('is taken out')
    counts.wait_for_more()

    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'failed')
    assert f'broken in {callback}' in message
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry
    assert callback in entry
    assert 'Traceback' in entry
    assert 'faulty/faults.py' in entry

    assert reload_with(client, *between_witnesses(kind)).success
    counts.wait_for_more()
    assert plugin_status(client)[2]['state'] == 'loaded'
    assert len(log_entries(process)) == 1


@pytest.mark.parametrize('kind', KINDS)
def test_a_plugin_that_failed_is_unloaded_and_after_a_reload_fails_anew(start, kind):
    faulty = between_witnesses(kind, stage='control_callback', fault='raise')
    process, client = start(with_plugins(*faulty), **environment())
    process.wait_for_output('is taken out')
    assert client.trigger('reload').success
    assert 'faulty unloads' in process.output
    assert plugin_status(client)[2]['state'] == 'failed'
    assert len(log_entries(process)) == 2


def test_a_plugin_that_failed_gets_no_other_callback_and_no_reset(start):
    faulty = between_witnesses('faulty/Python', stage='last_stage_callback', fault='raise')
    process, client = start(with_plugins(*faulty), **environment())
    process.wait_for_output('is taken out')
    counts = Counts(client, 'first', 'last')
    counts.wait_for_more()  # the time of the failed call has been noted
    status = plugin_status(client)[2]
    assert client.trigger('reset').success
    counts.wait_for_more()
    after = plugin_status(client)[2]
    assert 'reset time (s)' not in after
    assert after == status


@pytest.mark.parametrize(
    ('fault', 'callback'),
    [
        *(('exit', callback) for callback in CALLBACKS),
        ('interrupt', 'control_callback'),
        ('raise unprintable', 'control_callback'),
    ],
)
def test_whatever_a_callback_raises_the_simulation_and_the_other_plugins_go_on(
    start, fault, callback
):
    faulty = between_witnesses('faulty/Python', stage=callback, fault=fault)
    process, client = start(with_plugins(*faulty), **environment())
    Counts(client, 'first', 'last').wait_for_more()
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'failed')
    assert callback in message
    (entry,) = log_entries(process)
    assert "plugin 'faulty'" in entry
    assert 'Exception ignored' not in process.output


@pytest.mark.parametrize('kind', KINDS)
def test_a_callback_that_recurses_without_end_takes_out_its_plugin_and_nothing_else(start, kind):
    faulty = between_witnesses(kind, stage='control_callback', fault='recurse', after=0.05)
    process, client = start(with_plugins(*faulty), **environment())
    process.wait_for_output('is taken out')
    Counts(client, 'first', 'last').wait_for_more()
    level, message, values = plugin_status(client)
    assert (level, values['state']) == (b'\x02', 'failed')
    assert 'control_callback' in message
    (entry,) = log_entries(process)
    assert 'RecursionError' in entry
    assert 'faulty/faults.py' in entry


@pytest.mark.parametrize('kind', KINDS)
def test_callbacks_that_raise_while_the_server_is_paused_take_out_their_plugin(start, kind):
    faulty = between_witnesses(kind, stage='passive_callback', fault='raise')
    process, client = start(with_plugins(*faulty, unpause=False), **environment())
    Counts(client, 'first', 'last').wait_for_more('control', 'passive')
    assert plugin_status(client)[2]['state'] == 'failed'
    assert client.trigger('step').success
    assert len(log_entries(process)) == 1
