from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from .faults import BusyClient, Counts, between_witnesses, environment, plugin_state, with_plugins
from .harness import PENDULUM, wait_until

pytestmark = pytest.mark.slow

CLIENTS = 4
ROUNDS = 25 * int(os.environ.get('MUJOCO_ROS_PY_SOAK', '1'))
"""Of each client: a reload and ten resets; together 100 and 1,000, or as many times more."""
WARM_UP_ROUNDS = 2
FLAT_MIB = 5.0


@dataclass(frozen=True)
class Use:
    """What a process has of the machine."""

    memory_mib: float
    """Without what the system may drop when it wants to, and read from files again."""
    threads: int
    files: int


def use_of(pid: int) -> Use:
    process = Path(f'/proc/{pid}')
    status = dict(line.split(':', 1) for line in (process / 'status').read_text().splitlines())
    own = sum(int(status[kind].split()[0]) for kind in ('RssAnon', 'RssShmem'))
    return Use(
        memory_mib=own / 1024,
        threads=int(status['Threads']),
        files=len(list((process / 'fd').iterdir())),
    )


@pytest.fixture
def clients(domain) -> Iterator[list[BusyClient]]:
    made = [BusyClient(domain) for _ in range(CLIENTS)]
    yield made
    for client in made:
        client.close()


def at_once(work: Callable[[BusyClient], None], clients: list[BusyClient]) -> None:
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(work, clients))


def reload_and_reset(client: BusyClient, rounds: int) -> None:
    for _ in range(rounds):
        for name in ['reload', *['reset'] * 10]:
            answer = client.trigger(name)
            assert answer.success, answer.message


@pytest.mark.parametrize('rounds', [2, pytest.param(ROUNDS, marks=pytest.mark.nightly)])
def test_reloads_and_resets_from_four_clients_at_once_leave_nothing_behind(
    start, clients, record_property, rounds
):
    plugins = between_witnesses('faulty/Compiled')
    process, client = start(with_plugins(*plugins, realtime=-1.0), **environment())
    at_once(lambda client: reload_and_reset(client, WARM_UP_ROUNDS), clients)
    Counts(client, 'first', 'last').wait_for_more()
    before = use_of(process.pid)
    at_once(lambda client: reload_and_reset(client, rounds), clients)
    Counts(client, 'first', 'last').wait_for_more()

    def as_before() -> Use | None:
        now = use_of(process.pid)
        return now if (now.threads, now.files) == (before.threads, before.files) else None

    after = wait_until(as_before, f'as many threads and files as in {before}')
    reloads = (WARM_UP_ROUNDS + rounds) * CLIENTS
    figure = (
        f'{rounds * CLIENTS} reloads, {rounds * CLIENTS * 10} resets:'
        f' {before.memory_mib:.1f} to {after.memory_mib:.1f} MiB,'
        f' {before.threads} to {after.threads} threads, {before.files} to {after.files} files'
    )
    print(figure)
    record_property('figure', figure)

    values = client.diagnostics()['simulation'][2]
    assert (values['reloads'], values['resets']) == (str(reloads), str(10 * reloads))
    assert plugin_state(client) == 'loaded'
    assert process.output.count('first unloads') == reloads
    assert 'Traceback' not in process.output
    assert after.memory_mib - before.memory_mib < FLAT_MIB


def test_the_memory_of_a_model_is_free_when_the_model_is_replaced(start):
    """Data of 46 MiB: what keeps them until Python looks for circles is seen at once.

    Blocks of that size the C library gives back to the system as soon as they are free.
    """
    large = PENDULUM.replace('<option', '<size nuserdata="6000000"/><option')
    plugins = ({'type': f'faulty/{kind}', 'name': kind.lower()} for kind in ('Python', 'Compiled'))
    process, client = start(
        with_plugins(*plugins, mujoco_xml=large, realtime=0.01), **environment()
    )
    for _ in range(2):
        assert client.trigger('reload').success
    before = use_of(process.pid).memory_mib
    for _ in range(3):
        assert client.trigger('reload').success
    grown = use_of(process.pid).memory_mib - before
    print(f'3 reloads of 46 MiB: {grown:+.0f} MiB')
    assert grown < 100.0


def test_threads_and_files_stay_as_they_are_when_clients_come_and_go(start, domain):
    process, client = start(with_plugins(*between_witnesses('faulty/Python')), **environment())

    def visit() -> None:
        visitor = BusyClient(domain)
        try:
            assert visitor.trigger('reset').success
        finally:
            visitor.close()

    visit()
    assert client.trigger('reset').success
    before = use_of(process.pid)
    visitors = [threading.Thread(target=visit) for _ in range(4)]
    for thread in visitors:
        thread.start()
    for thread in visitors:
        thread.join()
    wait_until(lambda: use_of(process.pid).threads <= before.threads, 'no thread is left')
    wait_until(lambda: use_of(process.pid).files <= before.files, 'no file is left open')
