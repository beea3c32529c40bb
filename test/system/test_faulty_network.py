from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sensor_msgs.msg import JointState

from .faults import Counts, between_witnesses, environment, sim_time, with_plugins
from .harness import Client, Process, running_server, seconds, wait_until

pytestmark = pytest.mark.slow

Neighbour = Callable[..., Process]


@pytest.fixture
def neighbour(domain) -> Iterator[Neighbour]:
    """`neighbour('call', service)` or `neighbour('listen')`: another process in the domain."""
    with ExitStack() as stack:

        def begin(*args: str) -> Process:
            process = Process('faulty.neighbour', list(args), domain, **environment())
            stack.callback(process.kill)
            return process

        yield begin


def wait_for_more_joint_states(client: Client, count: int = 50) -> None:
    states = client.collect(JointState, '/joint_states')
    wait_until(lambda: len(states) >= count, f'{count} joint states')
    times = [seconds(state.header.stamp) for state in states]
    assert times == sorted(times)


def test_a_client_that_dies_during_its_call_holds_up_nobody(start, neighbour, tmp_path: Path):
    os.mkfifo(tmp_path / 'gate')
    process, client = start(with_plugins(*between_witnesses('faulty/Python')), **environment())
    fault = {'stage': '__init__', 'fault': 'wait', 'gate': str(tmp_path / 'gate')}
    text = with_plugins(*between_witnesses('faulty/Python', **fault))['MujocoPlugins']
    assert client.set_parameters(MujocoPlugins=text)[0].successful
    caller = neighbour('call', '/mujoco_server/reload')
    process.wait_for_output('waits at the gate')
    caller.signal(signal.SIGKILL)
    caller.wait()
    with (tmp_path / 'gate').open('w'):
        pass
    wait_until(lambda: process.output.count(' loaded ') == 2, 'the reload', process=process)
    assert client.trigger('reset').success
    Counts(client, 'first', 'last').wait_for_more()
    assert 'Traceback' not in process.output


def test_a_subscriber_that_dies_or_stands_still_does_not_stop_the_simulation(start, neighbour):
    """The second asked for reliable delivery and acknowledges nothing."""
    process, client = start(with_plugins(*between_witnesses('faulty/Python')), **environment())
    dying, frozen = neighbour('listen'), neighbour('listen')
    for listener, number in [(dying, signal.SIGKILL), (frozen, signal.SIGSTOP)]:
        listener.wait_for_output('heard')
        listener.signal(number)
    try:
        before = sim_time(client)
        wait_for_more_joint_states(client, count=200)
        Counts(client, 'first', 'last').wait_for_more(by=200)
        assert sim_time(client) > before
        assert client.trigger('reset').success
        assert client.trigger('reload').success
        wait_for_more_joint_states(client)
    finally:
        frozen.signal(signal.SIGCONT)
    heard = len(frozen.lines)
    wait_until(lambda: len(frozen.lines) > heard, 'it hears again')
    assert 'Traceback' not in process.output


@pytest.fixture
def start_twin(tmp_path: Path, domain: int) -> Iterator[Callable[..., tuple[Process, Client]]]:
    """As `start`, with files of its own."""
    folder = tmp_path / 'twin'
    folder.mkdir()
    with ExitStack() as stack:

        def begin(parameters: dict[str, Any], **env: str) -> tuple[Process, Client]:
            return stack.enter_context(running_server(folder, domain, parameters, **env))

        yield begin


def test_two_servers_with_one_name_both_live_and_the_second_outlives_the_first(start, start_twin):
    parameters = with_plugins(*between_witnesses('faulty/Python'))
    first, client = start(parameters, **environment())
    second, other = start_twin(parameters, **environment())
    for asking in (client, other):
        assert asking.trigger('reset').success
        assert asking.trigger('reload').success
    assert first.running()
    assert second.running()
    first.signal(signal.SIGINT)
    assert first.wait() == 0
    assert other.trigger('reset').success
    Counts(other, 'first', 'last').wait_for_more()
    assert 'Traceback' not in first.output + second.output
