from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from std_srvs.srv import SetBool, Trigger

from .faults import (
    BusyClient,
    Counts,
    between_witnesses,
    environment,
    plugin_list,
    plugin_state,
    with_plugins,
)
from .harness import Client, wait_until

pytestmark = pytest.mark.slow

CLIENTS = 4


Made = Callable[[Client], list[Client]]


@pytest.fixture
def more() -> Iterator[Made]:
    """`more(client)`: other clients of the same server."""
    made: list[Client] = []

    def make(client: Client) -> list[Client]:
        domain = client.node.context.get_domain_id()
        made.extend(BusyClient(domain) for _ in range(CLIENTS))
        return made

    yield make
    for client in made:
        client.close()


@pytest.fixture
def load(share) -> Callable[..., tuple[Any, Client]]:
    """`load(*plugins)`: the process and a client of a running server with these."""

    def load(*plugins: Any) -> tuple[Any, Client]:
        given = {'MujocoPlugins': plugin_list(*plugins)}
        process, client = share(with_plugins(), given=given, **environment())
        assert client.pause(False).success
        return process, client

    return load


class Gate:
    """Where a plugin waits in one of its methods, until it is opened; then all pass."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)

    def plugins(self, stage: str) -> list[dict[str, Any]]:
        config = {'stage': stage, 'fault': 'wait', 'after': 0.05, 'gate': str(self.path)}
        return between_witnesses('faulty/Python', **config)

    def open(self) -> None:
        with self.path.open('w'):
            passage = self.path.with_suffix('.open')
            passage.touch()
            passage.replace(self.path)


@pytest.fixture
def gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path / 'gate')


def trigger(client: Client, name: str) -> Any:
    """The future of a call that has arrived: what the client asked for later is answered."""
    future = client.call_async(Trigger, name, Trigger.Request())
    client.get_parameter('realtime')
    return future


def shut_down(client: Client) -> Any:
    return client.call_async(Trigger, 'shutdown', Trigger.Request())


def answers(*futures: Any) -> list[Any]:
    try:
        wait_until(lambda: all(future.done() for future in futures), 'answers')
    except AssertionError:
        missing = [number for number, future in enumerate(futures) if not future.done()]
        raise AssertionError(f'callers {missing} of {len(futures)} get no answer') from None
    return [future.result() for future in futures]


def at_once(work: Callable[[Client], Any], clients: list[Client]) -> list[Any]:
    """The work of all clients, begun together on threads."""
    barrier = threading.Barrier(len(clients))

    def begin(client: Client) -> Any:
        barrier.wait()
        return work(client)

    with ThreadPoolExecutor(len(clients)) as pool:
        return list(pool.map(begin, clients))


def simulation(client: Client) -> dict[str, str]:
    return client.diagnostics()['simulation'][2]


def counts_of(client: Client) -> dict[str, int]:
    values = simulation(client)
    return {name: int(values[name]) for name in ('reloads', 'resets')}


def begin_reload(client: Client, process: Any, gate: Gate, stage: str) -> Any:
    """The future of a reload that waits at the gate."""
    text = with_plugins(*gate.plugins(stage))['MujocoPlugins']
    assert client.set_parameters(MujocoPlugins=text)[0].successful
    said = len(process.output)
    reload = trigger(client, 'reload')
    wait_until(lambda: f'{stage} waits at the gate' in process.output[said:], stage)
    return reload


def test_reloads_during_a_reload_come_one_after_the_other(load, gate, more):
    process, client = load()
    before = counts_of(client)
    first = begin_reload(client, process, gate, '__init__')
    others = [trigger(other, 'reload') for other in more(client)]
    assert client.pause(True).success, 'what runs goes on meanwhile'
    assert client.pause(False).success
    assert not any(future.done() for future in [first, *others])
    gate.open()
    assert all(answer.success for answer in answers(first, *others))
    assert counts_of(client)['reloads'] == before['reloads'] + 1 + CLIENTS
    assert plugin_state(client) == 'loaded'
    Counts(client, 'first', 'last').wait_for_more()


def test_resets_while_a_reload_makes_its_plugins_reset_what_runs(load, gate, more):
    process, client = load(*between_witnesses('faulty/Python'))
    before, counts = counts_of(client), Counts(client, 'first', 'last')
    reload = begin_reload(client, process, gate, '__init__')
    assert all(answer.success for answer in answers(*(trigger(c, 'reset') for c in more(client))))
    assert not reload.done()
    counts.wait_for_more()
    assert counts.latest('first')['reset'] == CLIENTS
    gate.open()
    assert answers(reload)[0].success
    counts.wait_for_more()
    wait_until(lambda: counts.latest('last')['reset'] == 0, 'the counts of the new plugins')
    assert counts_of(client)['reloads'] == before['reloads'] + 1


def test_commands_while_a_reload_loads_its_plugins_are_answered(load, gate, more):
    """`load` runs on the physics thread: what cannot wait for it says so."""
    process, client = load()
    before, clients = counts_of(client), more(client)
    reload = begin_reload(client, process, gate, 'load')
    refused = answers(*(trigger(other, 'reset') for other in clients))
    assert not any(answer.success for answer in refused)
    assert all('nothing was done' in answer.message for answer in refused)
    reset = trigger(client, 'reset')
    pause = client.call_async(SetBool, 'set_pause', SetBool.Request(data=True))
    gate.open()
    assert all(answer.success for answer in answers(reload, reset, pause))
    assert counts_of(client) == {name: count + 1 for name, count in before.items()}
    assert simulation(client)['paused'] == 'True'
    assert plugin_state(client) == 'loaded'


def test_a_reload_and_those_that_wait_for_it_are_answered_at_a_shutdown(start, gate, more):
    """Nobody knows how long a model compiles or a plugin is made: the end does not wait for it."""
    process, client = start(with_plugins(*between_witnesses('faulty/Python')), **environment())
    reload = begin_reload(client, process, gate, '__init__')
    waiting = [trigger(other, 'reload') for other in more(client)]
    shutdown, *reloads = answers(shut_down(client), reload, *waiting)
    assert shutdown.success
    assert not any(answer.success for answer in reloads)
    assert all('shutting down' in answer.message for answer in reloads)
    assert process.wait() == 0
    assert 'Traceback' not in process.output


@pytest.mark.parametrize('stage', ['load', 'reset'])
def test_a_shutdown_while_a_plugin_holds_up_the_physics_answers_every_caller(
    start, gate, more, stage
):
    process, client = start(with_plugins(), **environment())
    if stage == 'load':
        held_up = begin_reload(client, process, gate, stage)
    else:
        text = with_plugins(*gate.plugins(stage))['MujocoPlugins']
        assert client.set_parameters(MujocoPlugins=text)[0].successful
        assert client.trigger('reload').success
        held_up = trigger(client, 'reset')
        process.wait_for_output('reset waits at the gate')
    names = ['reset', 'step', 'reload', 'load_initial_joint_states']
    waiting = [trigger(other, name) for other, name in zip(more(client), names, strict=True)]
    shutdown = shut_down(client)
    gate.open()
    answers(held_up, *waiting, shutdown)
    assert shutdown.result().success
    assert process.wait() == 0
    assert process.output.index('last unloads') < process.output.index('first unloads')
    assert 'Traceback' not in process.output


def test_a_storm_of_pauses_from_four_clients_ends_as_the_last_one_says(load, more):
    _, client = load(*between_witnesses('faulty/Python'))

    def storm(client: Client) -> bool:
        return all(client.pause(number % 2 == 0).success for number in range(20))

    assert all(at_once(storm, more(client)))
    assert client.pause(True).success
    before = simulation(client)
    assert before['paused'] == 'True'
    assert simulation(client)['time'] == before['time']
    assert client.pause(False).success
    Counts(client, 'first', 'last').wait_for_more()


def test_steps_from_four_clients_at_once_all_count(load, more):
    _, client = load()
    assert client.pause(True).success
    before, each = simulation(client), 20
    at_once(lambda client: [client.trigger('step') for _ in range(each)], more(client))
    values = simulation(client)
    assert int(values['steps']) - int(before['steps']) == each * CLIENTS
    assert float(values['time']) == pytest.approx(float(before['time']) + each * CLIENTS * 0.002)


def test_calls_that_come_in_one_moment_are_all_carried_out(load):
    """A server that is stopped meanwhile gets them at once; rclpy alone would keep ten."""
    process, client = load()
    assert client.pause(True).success
    name, count = '/mujoco_server/step', 40
    steps = int(simulation(client)['steps'])
    clients = [client.node.create_client(Trigger, name) for _ in range(count)]
    try:
        wait_until(lambda: all(each.service_is_ready() for each in clients), 'the service')
        assert client.trigger('step').success
        process.signal(signal.SIGSTOP)
        try:
            for each in clients:
                each.call_async(Trigger.Request())
        finally:
            process.signal(signal.SIGCONT)
        wait_until(lambda: int(simulation(client)['steps']) == steps + 1 + count, 'all steps')
    finally:
        for each in clients:
            client.node.destroy_client(each)


def test_everything_from_four_clients_at_once_is_answered_and_counted(load, more):
    process, client = load(*between_witnesses('faulty/Compiled'))
    rounds, before, said = 4, counts_of(client), len(process.output)

    def work(client: Client) -> list[bool]:
        done = []
        for number in range(rounds):
            done += [
                client.trigger('reset').success,
                client.pause(number % 2 == 0).success,
                client.trigger('reload').success,
                client.set_parameters(realtime=1.0 + number)[0].successful,
                client.trigger('load_initial_joint_states').success,
            ]
        return done

    assert all(all(done) for done in at_once(work, more(client)))
    values = simulation(client)
    assert int(values['reloads']) == before['reloads'] + rounds * CLIENTS
    assert int(values['resets']) == before['resets'] + rounds * CLIENTS
    assert values['real-time factor set'] == str(float(rounds))
    assert client.set_parameters(realtime=1.0)[0].successful
    assert client.pause(False).success
    Counts(client, 'first', 'last').wait_for_more()
    assert plugin_state(client) == 'loaded'
    assert process.output[said:].count('first unloads') == rounds * CLIENTS
    assert 'Traceback' not in process.output
