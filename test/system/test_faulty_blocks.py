from __future__ import annotations

import re
import time

import pytest
from std_srvs.srv import SetBool, Trigger

from .faults import Counts, between_witnesses, environment, log_entries, sim_time, with_plugins
from .harness import Client, Process, wait_until

pytestmark = pytest.mark.slow

ANSWER_S = 3.0
BLAME = re.compile(r"control_callback of plugin 'faulty'")


def blocked(start, fault: str = 'sleep') -> tuple[Process, Client]:
    """A server whose plugin has just begun to block for 5 s."""
    plugins = between_witnesses('faulty/Python', stage='control_callback', fault=fault, after=0.05)
    process, client = start(with_plugins(*plugins, unpause=False), **environment())
    assert client.pause(False).success
    process.wait_for_output('the block begins')
    return process, client


def answers(client: Client, **calls: tuple) -> dict[str, tuple[float, object]]:
    """Calls all services at once; when each answered, and what."""
    begin = time.monotonic()
    futures = {
        name: client.call_async(kind, name, request) for name, (kind, request) in calls.items()
    }
    came = {}
    while len(came) < len(futures):
        for name, future in futures.items():
            if future.done() and name not in came:
                came[name] = (time.monotonic() - begin, future.result())
        assert time.monotonic() - begin < 20.0, f'no answer of {set(futures) - set(came)}'
        time.sleep(0.005)
    return came


@pytest.mark.parametrize('fault', ['sleep', 'spin'])
def test_services_answer_while_a_callback_blocks_and_what_they_refused_is_never_done(start, fault):
    process, client = blocked(start, fault)
    came = answers(
        client,
        set_pause=(SetBool, SetBool.Request(data=True)),
        reset=(Trigger, Trigger.Request()),
        step=(Trigger, Trigger.Request()),
        load_initial_joint_states=(Trigger, Trigger.Request()),
    )
    assert 'the block ends' not in process.output, 'the answers came too late to say anything'
    for name, (after_s, answer) in came.items():
        assert after_s < ANSWER_S, name
        assert not answer.success, name
        assert BLAME.search(answer.message), (name, answer.message)

    process.wait_for_output('the block ends')
    Counts(client, 'first', 'last').wait_for_more()
    values = client.diagnostics()['simulation'][2]
    assert (values['paused'], values['resets']) == ('False', '0')
    assert client.pause(True).success
    assert client.trigger('step').success
    assert client.trigger('reset').success
    assert client.pause(False).success


def test_a_reload_that_a_blocking_callback_holds_up_is_answered_too(start):
    process, client = blocked(start)
    ((after_s, answer),) = answers(client, reload=(Trigger, Trigger.Request())).values()
    assert after_s < ANSWER_S
    assert not answer.success
    assert BLAME.search(answer.message)
    process.wait_for_output('the block ends')
    Counts(client, 'first', 'last').wait_for_more()
    assert client.diagnostics()['simulation'][2]['loads'] == '1', 'what was refused was done'
    assert client.trigger('reload').success


@pytest.mark.parametrize('fault', ['sleep', 'spin'])
def test_parameters_are_read_and_set_at_once_while_a_callback_blocks(start, fault):
    process, client = blocked(start, fault)
    begin = time.monotonic()
    assert client.get_parameter('realtime').double_value == 1.0
    assert client.set_parameters(realtime=0.5)[0].successful
    assert not client.set_parameters(realtime=-3.0)[0].successful
    assert client.get_parameter('realtime').double_value == 0.5
    assert time.monotonic() - begin < ANSWER_S
    assert 'the block ends' not in process.output
    process.wait_for_output('the block ends')
    Counts(client, 'first', 'last').wait_for_more()
    assert client.diagnostics()['simulation'][2]['real-time factor set'] == '0.5'


def test_diagnostics_go_on_while_a_callback_blocks_and_the_block_is_not_caught_up(start):
    process, client = blocked(start)
    before = sim_time(client)
    assert sim_time(client) == before
    assert 'the block ends' not in process.output
    process.wait_for_output('the block ends')
    Counts(client, 'first', 'last').wait_for_more(by=200)
    assert sim_time(client) - before < 4.0


def test_a_command_that_can_wait_until_the_block_ends_is_carried_out(start):
    process, client = blocked(start)
    late = time.monotonic() + 3.5
    wait_until(lambda: time.monotonic() > late, 'most of the block')
    answer = client.pause(True)
    assert answer.success, answer.message
    assert 'the block ends' in process.output
    assert client.diagnostics()['simulation'][2]['paused'] == 'True'
    assert log_entries(process) == []


def test_a_shutdown_while_a_callback_blocks_is_answered_and_the_server_ends(start):
    process, client = blocked(start)
    begin = time.monotonic()
    answer = client.trigger('shutdown')
    assert time.monotonic() - begin < ANSWER_S
    assert process.wait(ANSWER_S) == (0 if answer.success else 1)
    assert 'Traceback' not in process.output
