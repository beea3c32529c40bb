from __future__ import annotations

import re

import pytest

from .faults import (
    Counts,
    among_witnesses,
    between_witnesses,
    environment,
    log_entries,
    plugin_status,
    reload_with,
    with_plugins,
)
from .harness import Client, wait_until

pytestmark = pytest.mark.slow

STOPPED = 'the simulation stopped'
HINGE = r"joint 'hinge'.*body 'rod'|body 'rod'.*joint 'hinge'"


def simulation(client: Client) -> tuple[bytes, str, dict[str, str]]:
    return client.diagnostics()['simulation']


@pytest.mark.parametrize('stage', ['control_callback', 'last_stage_callback'])
def test_a_fatal_error_stops_the_simulation_and_a_reload_without_the_plugin_recovers(
    faulty, stage
):
    client, plugins = faulty.client, between_witnesses('faulty/Fatal', stage=stage, after=0.1)
    faulty.load(*plugins)
    faulty.wait_for_output(STOPPED)
    (entry,) = log_entries(faulty)
    level, message, values = simulation(client)
    assert (level, values['paused']) == (b'\x02', 'True')
    for text in (entry, message):
        assert 'invalid state signature' in text
        assert f"{stage} of plugin 'faulty'" in text
        assert re.search(r'time 0\.(098|1)', text)

    for refused in (client.pause(False), client.trigger('step')):
        assert not refused.success
        assert 'invalid state signature' in refused.message
        assert 'reset or reload' in refused.message
    assert client.pause(True).success
    assert float(simulation(client)[2]['time']) == pytest.approx(float(values['time']))
    assert len(log_entries(faulty)) == 1

    faulty.load(plugins[0], plugins[2])
    assert 'faulty unloads' in faulty.output
    assert simulation(client)[0] == b'\x00'
    Counts(client, 'first', 'last').wait_for_more()


def test_a_reset_recovers_from_a_fatal_error(faulty):
    client = faulty.client
    faulty.load(*between_witnesses('faulty/Fatal', stage='control_callback', after=0.2))
    faulty.wait_for_output(STOPPED)
    assert client.trigger('reset').success
    level, message, values = simulation(client)
    assert (level, message, values['paused']) == (b'\x00', 'paused', 'True')
    assert client.trigger('step').success
    counts = Counts(client, 'first', 'last')
    before = counts.now()
    assert client.pause(False).success
    counts.wait_for_more(than=before)
    wait_until(lambda: faulty.output.count(STOPPED) == 2, 'the plugin does it again')


def test_a_fatal_error_while_loading_leaves_a_server_that_answers_and_recovers(start):
    """The forward pass of the load calls the plugin first."""
    plugins = between_witnesses('faulty/Fatal', stage='control_callback', after=-1.0)
    process, client = start(with_plugins(*plugins), **environment())
    process.wait_for_output(STOPPED)
    assert simulation(client)[0] == b'\x02'
    for name in ('reset', 'reload'):
        answer = client.trigger(name)
        assert not answer.success
        assert 'but the simulation stopped: ' in answer.message
        assert 'invalid state signature' in answer.message

    assert reload_with(client, plugins[0], plugins[2]).success
    assert client.pause(False).success
    Counts(client, 'first', 'last').wait_for_more()


def test_a_fatal_error_from_a_python_callback_is_an_exception_of_that_plugin(faulty):
    """Whether the function of MuJoCo is guarded, or made to raise."""
    kinds = {'guarded': True, 'unguarded': False}
    plugins = [
        {'type': 'faulty/FatalFromPython', 'name': name, 'guarded': guarded, 'after': 0.1}
        for name, guarded in kinds.items()
    ]
    faulty.load(*among_witnesses(*plugins))
    for name in kinds:
        faulty.wait_for_output(f"plugin '{name}' is disabled")
    Counts(faulty.client, 'first', 'last').wait_for_more()
    told = faulty.client.diagnostics()
    assert told['simulation'][0] == b'\x00'
    for name in kinds:
        assert 'invalid state signature' in told[f'plugin {name}'][1]


@pytest.mark.parametrize(
    ('field', 'names'),
    [('qfrc_applied', HINGE), ('qpos', HINGE), ('qvel', HINGE), ('ctrl', r"actuator 'motor'")],
)
def test_nan_is_warned_of_once_with_time_and_place_and_the_simulation_goes_on(
    faulty, field, names
):
    client = faulty.client
    faulty.load(*between_witnesses('faulty/WritesNan', field=field, after=0.1))
    faulty.wait_for_output('MuJoCo warns')
    Counts(client, 'first', 'last').wait_for_more(by=200)
    (entry,) = [each for each in log_entries(faulty, 'WARN') if 'MuJoCo warns' in each]
    assert re.search(names, entry)
    assert re.search(r'[Tt]ime = 0\.1\d*', entry)
    level, message, values = simulation(client)
    assert level == b'\x01'
    assert re.search(names, message)
    assert int(values['warnings']) >= 1
    assert plugin_status(client)[2]['state'] == 'loaded'
    assert client.trigger('reset').success
