"""A callback that does not return: whoever asks the server meanwhile is answered."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from std_srvs.srv import SetBool, Trigger

from .faults import Counts, between_witnesses, environment, log_entries, sim_time, with_plugins
from .harness import Client, Process, wait_until

pytestmark = pytest.mark.slow

BLAME = re.compile(r"control_callback of plugin 'faulty'")


class Blocked:
    """A server whose plugin has just begun to block, until `end`."""

    def __init__(self, process: Process, client: Client, gate: Path) -> None:
        self.process, self.client, self._gate = process, client, gate

    def end(self) -> None:
        assert 'the block ends' not in self.process.output
        self._gate.touch()
        self.process.wait_for_output('the block ends')


@pytest.fixture
def block(start, tmp_path) -> Callable[..., Blocked]:
    """`block(fault)`: a server whose plugin does not return."""

    def begin(fault: str = 'sleep') -> Blocked:
        config = {'stage': 'control_callback', 'fault': fault, 'after': 0.05}
        plugins = between_witnesses('faulty/Python', **config, end=str(tmp_path / 'end'))
        process, client = start(with_plugins(*plugins, unpause=False), **environment())
        assert client.pause(False).success
        process.wait_for_output('the block begins')
        return Blocked(process, client, tmp_path / 'end')

    return begin


def answers(client: Client, **calls: tuple) -> dict[str, object]:
    """Calls all services at once; what each answered."""
    futures = {
        name: client.call_async(kind, name, request) for name, (kind, request) in calls.items()
    }
    for name, future in futures.items():
        wait_until(future.done, f'an answer of {name}')
    return {name: future.result() for name, future in futures.items()}


@pytest.mark.parametrize('fault', ['sleep', 'spin'])
def test_services_answer_while_a_callback_blocks_and_what_they_refused_is_never_done(block, fault):
    blocked = block(fault)
    client = blocked.client
    came = answers(
        client,
        set_pause=(SetBool, SetBool.Request(data=True)),
        reset=(Trigger, Trigger.Request()),
        step=(Trigger, Trigger.Request()),
        load_initial_joint_states=(Trigger, Trigger.Request()),
    )
    for name, answer in came.items():
        assert not answer.success, name
        assert BLAME.search(answer.message), (name, answer.message)

    blocked.end()
    Counts(client, 'first', 'last').wait_for_more()
    values = client.diagnostics()['simulation'][2]
    assert (values['paused'], values['resets']) == ('False', '0')
    assert client.pause(True).success
    assert client.trigger('step').success
    assert client.trigger('reset').success
    assert client.pause(False).success


def test_a_reload_that_a_blocking_callback_holds_up_is_answered_too(block):
    blocked = block()
    client = blocked.client
    answer = client.trigger('reload')
    assert not answer.success
    assert BLAME.search(answer.message)
    blocked.end()
    Counts(client, 'first', 'last').wait_for_more()
    assert client.diagnostics()['simulation'][2]['loads'] == '1', 'what was refused was done'
    assert client.trigger('reload').success


@pytest.mark.parametrize('fault', ['sleep', 'spin'])
def test_parameters_are_read_and_set_while_a_callback_blocks(block, fault):
    blocked = block(fault)
    client = blocked.client
    assert client.get_parameter('realtime').double_value == 1.0
    assert client.set_parameters(realtime=0.5)[0].successful
    assert not client.set_parameters(realtime=-3.0)[0].successful
    assert client.get_parameter('realtime').double_value == 0.5
    blocked.end()
    Counts(client, 'first', 'last').wait_for_more()
    assert client.diagnostics()['simulation'][2]['real-time factor set'] == '0.5'


def test_diagnostics_go_on_while_a_callback_blocks_and_the_block_is_not_caught_up(block):
    blocked = block()
    client, before = blocked.client, sim_time(blocked.client)
    for _ in range(3):  # one a second
        assert sim_time(client) == before
    ends = time.monotonic()
    blocked.end()
    Counts(client, 'first', 'last').wait_for_more(by=200)
    assert sim_time(client) - before < time.monotonic() - ends + 1.0


def test_a_command_that_can_wait_until_the_block_ends_is_carried_out(block):
    blocked = block()
    client = blocked.client
    pause = client.call_async(SetBool, 'set_pause', SetBool.Request(data=True))
    assert not pause.done()
    blocked.end()
    wait_until(pause.done, 'an answer')
    assert pause.result().success, pause.result().message
    assert client.diagnostics()['simulation'][2]['paused'] == 'True'
    assert log_entries(blocked.process) == []


def test_a_shutdown_while_a_callback_blocks_is_answered_and_the_server_ends(block):
    blocked = block()
    answer = blocked.client.trigger('shutdown')
    assert blocked.process.wait() == (0 if answer.success else 1)
    assert 'the block ends' not in blocked.process.output
    assert 'Traceback' not in blocked.process.output
