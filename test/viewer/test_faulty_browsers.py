"""Browsers that stop or are killed do not affect the simulation or other browsers."""

import os
import signal
import socket
import statistics
import threading
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from chromium import press, signal_browser
from deadline import DEADLINE_S

from .conftest import connect, wait_until
from .test_in_chromium import SWING, await_picture

pytestmark = pytest.mark.slow

BALLS = """
<mujoco>
  <option gravity="0 0 0"><flag contact="disable"/></option>
  <size nuserdata="50000"/>
  <worldbody><body><freejoint/><geom size="1"/></body></worldbody>
</mujoco>"""
STATE_BYTES = 8 * 50_000
FRAMES = 400
"""With STATE_BYTES each, this number of states has 150 MiB."""
MOST_MIB = 50.0

STEAL_CONTROL = 792, 684
"""The position in pixels of `Steal Control` on the page of a browser without the controls."""


def own_mib(pid: int) -> float:
    """Returns the private and the shared memory of a process, in MiB."""
    lines = Path(f'/proc/{pid}/status').read_text().splitlines()
    status = dict(line.split(':', 1) for line in lines)
    return sum(int(status[kind].split()[0]) for kind in ('RssAnon', 'RssShmem')) / 1024


def read_all(connection) -> None:
    """Reads until the end of the connection."""
    while connection.recv(2**16):
        pass


def written(shown) -> int:
    """Returns the number of states that the viewer has received."""
    return shown.content.feed._shown._place._words[0] // 2


@pytest.mark.nightly
def test_clients_that_read_nothing_neither_slow_the_physics_nor_grow_memory(show, record_property):
    shown = show(BALLS, realtime=-1.0)
    wait_until(lambda: shown.content.feed._shown)
    shown.session.set_paused(False)
    reader = connect(shown, 'state', 'reader')  # one page stays open all the time
    threading.Thread(target=read_all, args=(reader,), daemon=True).start()
    wait_until(lambda: shown.content.feed.watched)

    def steps_per_frame() -> float:
        """Returns the mean number of physics steps per state that the viewer receives."""
        steps, frames = shown.session.status.steps, written(shown)
        wait_until(lambda: written(shown) >= frames + FRAMES)
        return (shown.session.status.steps - steps) / (written(shown) - frames)

    pids = os.getpid(), shown.viewer.pid
    rounds = []
    for number in range(3):
        alone = steps_per_frame()
        clients = [connect(shown, 'state', f'{number}-{k}') for k in range(3)]
        if number == 0:
            before = [own_mib(pid) for pid in pids]
        rounds.append(steps_per_frame() / alone)
        after = [own_mib(pid) for pid in pids]
        for client in clients:
            client.close()
    grown = [now - then for now, then in zip(after, before, strict=True)]
    ratio = statistics.median(rounds)
    record_property(
        'figure',
        f'3 clients that stand still: {ratio:.2f} of the steps, {FRAMES * STATE_BYTES / 2**20:.0f}'
        f' MiB shown to each of 9, server {grown[0]:+.1f} MiB, viewer {grown[1]:+.1f} MiB',
    )
    assert max(grown) < MOST_MIB
    assert ratio > 0.5


def runs_by_click(shown, page, *places) -> None:
    """Clicks on places and on `Run` until the simulation runs.

    The clicks repeat because the page gets its controls with a delay, and a busy machine can draw
    a button too late for a click.
    """

    def clicked() -> bool:
        for place in places:
            press(page, place)
        press(page, wait_until(lambda: shown.page['buttons'].get('Run')))
        return not shown.session.status.paused

    wait_until(clicked)


def test_hundreds_of_connections_that_ask_for_nothing_hold_up_no_page(show):
    shown = show(SWING)
    place = '127.0.0.1', urlsplit(shown.viewer.address).port
    with ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(place, DEADLINE_S)) for _ in range(300)
        ]
        silent[0].sendall(b'GET / HT')
        assert shown.get('index.html')[0] == 200
        assert shown.page['buttons']
        silent[1].settimeout(DEADLINE_S)
        assert silent[1].recv(1) == b'', 'it is closed after some seconds'


def test_a_browser_that_stands_still_holds_up_no_other_one_and_may_lose_the_controls(
    show, open_page
):
    shown = show(SWING, velocities={'turn': 1.0})
    await_picture(first := open_page(shown.viewer.address))
    go_on = signal_browser(first, signal.SIGSTOP)
    try:
        before = await_picture(second := open_page(shown.viewer.address))
        shown.session.set_paused(False)
        await_picture(second, lambda place: (place ^ before).mean() > 0.5 * before.mean())
        shown.session.set_paused(True)
        runs_by_click(shown, second, STEAL_CONTROL)
    finally:
        go_on()
