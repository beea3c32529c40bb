from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest
from std_srvs.srv import Trigger

from .faults import Counts, between_witnesses, environment, starting, with_plugins
from .harness import PENDULUM, Client, Process, wait_until

GIVES_UP_S = 1.5
"""After so long the server ends without the plugin: on a slow machine, before a second signal."""


def end(process: Process, number: signal.Signals) -> int:
    """The exit code after a signal; how the end looks is checked."""
    process.signal(number)
    code = process.wait()
    for trace in ('Traceback', 'Exception', 'Fatal Python error', 'terminate called'):
        assert trace not in process.output
    return code


def unloads(process: Process) -> list[str]:
    """The names of the plugins that said so, in order."""
    return re.findall(r'(\w+) unloads', process.output)


def slow_model(folder: Path) -> str:
    """A model whose compilation waits for a pipe that nobody writes to.

    It is named behind an entity that only MuJoCo takes: nobody looks for it beforehand.
    """
    os.mkfifo(folder / 'never.xml')
    model = folder / 'slow.xml'
    model.write_text('<mujoco model="&none;"><include file="never.xml"/></mujoco>')
    return str(model)


@pytest.mark.parametrize(
    ('state', 'number'),
    [
        pytest.param({'unpause': True}, signal.SIGINT, id='running'),
        pytest.param({'unpause': False}, signal.SIGTERM, id='paused', marks=pytest.mark.slow),
        pytest.param(
            {'realtime': -1.0}, signal.SIGINT, id='unthrottled', marks=pytest.mark.nightly
        ),
        pytest.param({'realtime': 0.01}, signal.SIGTERM, id='slow', marks=pytest.mark.nightly),
    ],
)
def test_a_signal_ends_the_server_well_and_unloads_in_reverse_order(start, number, state):
    plugins = between_witnesses('faulty/Python')
    process, client = start(with_plugins(*plugins, **state), fresh=True, **environment())
    Counts(client, 'first', 'last').wait_for_more('control', by=2)
    begin = time.monotonic()
    assert end(process, number) == 0
    assert time.monotonic() - begin < process.start_s, 'nothing is waited for'
    assert unloads(process) == ['last', 'faulty', 'first']


@pytest.mark.slow
def test_a_signal_during_a_reload_of_a_slow_model_ends_the_server_well(start, tmp_path):
    plugins = between_witnesses('faulty/Python')
    process, client = start(with_plugins(*plugins), **environment())
    assert client.set_parameters(mujoco_xml='', modelfile=slow_model(tmp_path))[1].successful
    reload = client.call_async(Trigger, 'reload', Trigger.Request())
    assert client.trigger('reset').success
    assert not reload.done()
    assert end(process, signal.SIGTERM) == 0
    assert unloads(process) == ['last', 'faulty', 'first']


@pytest.mark.slow
def test_a_signal_during_a_reload_that_makes_plugins_ends_the_server_well(start, tmp_path):
    plugins = between_witnesses('faulty/Python')
    process, client = start(with_plugins(*plugins), **environment())
    os.mkfifo(tmp_path / 'gate')
    plugins[1].update(stage='__init__', fault='wait', gate=str(tmp_path / 'gate'))
    parameters = with_plugins(*plugins)
    assert client.set_parameters(MujocoPlugins=parameters['MujocoPlugins'])[0].successful
    client.call_async(Trigger, 'reload', Trigger.Request())
    process.wait_for_output('waits at the gate')
    assert end(process, signal.SIGINT) == 0
    assert unloads(process) == ['last', 'faulty', 'first']


@pytest.mark.slow
def test_a_signal_before_the_first_model_is_compiled_ends_the_server_well(tmp_path, domain):
    parameters = {'MujocoPlugins': '[]', 'modelfile': slow_model(tmp_path)}
    with starting(tmp_path, domain, parameters, copied=True) as process:
        client = Client(domain)
        try:
            reset = client.node.create_client(Trigger, '/mujoco_server/reset')
            wait_until(reset.service_is_ready, 'the server offers its services')
        finally:
            client.close()
        assert end(process, signal.SIGINT) == 0


@pytest.mark.slow
def test_a_signal_while_the_first_plugins_are_made_ends_the_server_well(tmp_path, domain):
    os.mkfifo(tmp_path / 'gate')
    fault = {'stage': '__init__', 'fault': 'wait', 'gate': str(tmp_path / 'gate')}
    parameters = with_plugins(*between_witnesses('faulty/Python', **fault))
    with starting(tmp_path, domain, parameters, copied=True) as process:
        process.wait_for_output('waits at the gate')
        assert end(process, signal.SIGTERM) == 0
        assert unloads(process) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ('library', 'number'), [('libmujoco', signal.SIGINT), ('_rclpy', signal.SIGTERM)]
)
def test_a_signal_while_the_server_is_imported_ends_it_without_noise(
    number, library, tmp_path, domain
):
    with starting(tmp_path, domain, {'MujocoPlugins': '[]'}) as process:
        maps = Path(f'/proc/{process.pid}/maps')
        wait_until(lambda: library in maps.read_text(), f'{library} is loaded')
        assert end(process, number) in (0, -number, 128 + number)


@pytest.mark.slow
@pytest.mark.parametrize(
    ('stage', 'number'),
    [
        ('control_callback', signal.SIGINT),
        ('reset', signal.SIGTERM),
        ('unload', signal.SIGINT),
    ],
)
def test_a_signal_while_a_plugin_never_returns_ends_the_server(start, number, stage, tmp_path):
    os.mkfifo(tmp_path / 'gate')
    fault = {'stage': stage, 'fault': 'wait', 'after': 0.05, 'gate': str(tmp_path / 'gate')}
    plugins = between_witnesses('faulty/Python', **fault)
    process, client = start(with_plugins(*plugins, unpause=False), **environment())
    assert client.pause(False).success
    if stage == 'reset':
        client.call_async(Trigger, 'reset', Trigger.Request())
    if stage != 'unload':
        process.wait_for_output('waits at the gate')
        client.call_async(Trigger, 'reload', Trigger.Request())
    assert end(process, number) in (0, 1)


@pytest.mark.slow
def test_a_signal_while_a_plugin_computes_for_ever_ends_the_server(start, tmp_path):
    fault = {'stage': 'control_callback', 'fault': 'spin', 'after': 0.05}
    fault['end'] = str(tmp_path / 'never')
    process, _ = start(with_plugins(*between_witnesses('faulty/Python', **fault)), **environment())
    process.wait_for_output('the block begins')
    assert end(process, signal.SIGINT) in (0, 1)


@pytest.mark.slow
def test_a_signal_while_a_plugin_is_made_in_ros_code_ends_the_server_well(start):
    """The plugin's thread comes back from there while the process ends."""
    process, client = start(with_plugins(), **environment())
    fault = {'stage': '__init__', 'fault': 'sleep in ROS'}
    parameters = with_plugins({'type': 'faulty/Python', **fault})
    assert client.set_parameters(MujocoPlugins=parameters['MujocoPlugins'])[0].successful
    client.call_async(Trigger, 'reload', Trigger.Request())
    process.wait_for_output('the block begins')
    assert end(process, signal.SIGTERM) == 0


@pytest.mark.slow
def test_the_interpreter_comes_to_its_own_end_where_no_plugin_keeps_it(start):
    fault = {'stage': '__init__', 'fault': 'end with Python'}
    process, _ = start(with_plugins(*between_witnesses('faulty/Python', **fault)), **environment())
    assert end(process, signal.SIGINT) == 0
    assert 'the interpreter ends' in process.output


@pytest.mark.slow
def test_a_signal_that_comes_twice_ends_the_server_well(start):
    """From the terminal, and from the launcher that got it too."""
    process, _ = start(with_plugins(*between_witnesses('faulty/Python')), **environment())
    for pause_s in (0.0, 0.005, 0.02):
        time.sleep(pause_s)
        if process.running():
            process.signal(signal.SIGINT)
    assert process.wait() == 0, process.output
    assert 'first unloads' in process.output


@pytest.mark.slow
def test_a_second_signal_kills_at_once(start, tmp_path):
    os.mkfifo(tmp_path / 'gate')
    fault = {'stage': 'unload', 'fault': 'wait', 'gate': str(tmp_path / 'gate')}
    process, _ = start(with_plugins(*between_witnesses('faulty/Python', **fault)), **environment())
    process.signal(signal.SIGTERM)
    first = time.monotonic()
    process.wait_for_output('unload waits at the gate')
    wait_until(lambda: time.monotonic() - first > 0.6, 'no echo of the first any more')
    process.signal(signal.SIGTERM)
    code, waited_s = process.wait(), time.monotonic() - first
    gave_up = code == 1 and waited_s > GIVES_UP_S
    assert code == -signal.SIGTERM or gave_up, process.output


@pytest.mark.slow
def test_after_a_kill_a_server_with_the_same_names_works_at_once(start):
    parameters = with_plugins(*between_witnesses('faulty/Python'))
    first, old_client = start(parameters, **environment())
    told = Counts(old_client, 'first', 'last')
    told.wait_for_more()
    first.signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    _, client = start(parameters, **environment())
    assert client.trigger('reset').success
    Counts(client, 'first', 'last').wait_for_more()
    told.wait_for_more()
    assert old_client.trigger('reload').success
    assert client.diagnostics()['simulation'][2]['reloads'] == '1'


@pytest.mark.slow
def test_a_signal_at_the_moment_of_a_shutdown_by_service_changes_nothing(start):
    process, client = start({'mujoco_xml': PENDULUM, 'MujocoPlugins': '[]'})
    assert client.trigger('shutdown').success
    if process.running():
        process.signal(signal.SIGINT)
    assert process.wait() == 0
    assert 'Traceback' not in process.output
