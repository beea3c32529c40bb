"""A callback that does not return: whoever asks the server meanwhile is answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from std_srvs.srv import SetBool, Trigger

from .faults import Counts, between_witnesses, log_entries, sim_time
from .harness import Client, wait_until

pytestmark = pytest.mark.slow

Block = Callable[..., Callable[[], None]]


@pytest.fixture
def block(faulty, tmp_path) -> Iterator[Block]:
    """`block(fault)`: a plugin of the server does not return; it returns the end of that."""
    gate = tmp_path / 'end'

    def begin(fault: str = 'sleep') -> Callable[[], None]:
        gate.unlink(missing_ok=True)
        config = {'stage': 'control_callback', 'fault': fault, 'after': 0.05}
        faulty.load(*between_witnesses('faulty/Python', **config, end=str(gate)))
        faulty.wait_for_output('the block begins')
        return end

    def end() -> None:
        assert 'the block ends' not in faulty.output
        gate.touch()
        faulty.wait_for_output('the block ends')

    yield begin
    gate.touch()


def answers(client: Client, **calls: tuple) -> dict[str, Any]:
    """Calls all services at once; what each answered."""
    futures = {
        name: client.call_async(kind, name, request) for name, (kind, request) in calls.items()
    }
    for name, future in futures.items():
        wait_until(future.done, f'an answer of {name}')
    return {name: future.result() for name, future in futures.items()}


@pytest.mark.parametrize('fault', ['sleep', 'spin'])
def test_all_is_answered_while_a_callback_blocks_and_what_was_refused_is_never_done(
    faulty, block, fault
):
    client, end = faulty.client, block(fault)
    before = client.diagnostics()['simulation'][2]
    assert client.set_parameters(realtime=0.5)[0].successful
    assert not client.set_parameters(realtime=-3.0)[0].successful
    assert client.get_parameter('realtime').double_value == 0.5
    came = answers(
        client,
        set_pause=(SetBool, SetBool.Request(data=True)),
        reset=(Trigger, Trigger.Request()),
        step=(Trigger, Trigger.Request()),
        load_initial_joint_states=(Trigger, Trigger.Request()),
        reload=(Trigger, Trigger.Request()),
    )
    for name, answer in came.items():
        assert not answer.success, name
        assert "control_callback of plugin 'faulty'" in answer.message, (name, answer.message)

    end()
    Counts(client, 'first', 'last').wait_for_more()
    values = client.diagnostics()['simulation'][2]
    assert client.set_parameters(realtime=1.0)[0].successful
    assert values['real-time factor set'] == '0.5'
    for name in ('paused', 'resets', 'loads'):
        assert values[name] == before[name]
    assert client.pause(True).success
    for name in ('step', 'reset', 'reload'):
        assert client.trigger(name).success, name


def test_diagnostics_go_on_while_a_callback_blocks_and_the_block_is_not_caught_up(faulty, block):
    end, before = block(), sim_time(faulty.client)
    for _ in range(2):  # one a second
        assert sim_time(faulty.client) == before
    ends = time.monotonic()
    end()
    Counts(faulty.client, 'first', 'last').wait_for_more(by=200)
    assert sim_time(faulty.client) - before < time.monotonic() - ends + 1.0


def test_a_command_that_can_wait_until_the_block_ends_is_carried_out(faulty, block):
    client, end = faulty.client, block()
    pause = client.call_async(SetBool, 'set_pause', SetBool.Request(data=True))
    assert not pause.done()
    end()
    wait_until(pause.done, 'an answer')
    assert pause.result().success, pause.result().message
    assert client.diagnostics()['simulation'][2]['paused'] == 'True'
    assert log_entries(faulty) == []


def test_a_shutdown_while_a_callback_blocks_is_answered_and_the_server_ends(faulty, block):
    block()
    answer = faulty.client.trigger('shutdown')
    assert faulty.process.wait() == (0 if answer.success else 1)
    assert 'the block ends' not in faulty.output
    assert 'Traceback' not in faulty.output
