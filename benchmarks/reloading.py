"""The time of reloads that first compile in an isolated process, relative to direct reloads."""

from __future__ import annotations

import statistics
import time

from std_srvs.srv import Trigger

from .clients import Client, client
from .processes import FOLDER, running, server_command
from .rounds import Rounds

_CALLS = 5
_SERVERS = {'guarded': True, 'unguarded': False}


def measure() -> Rounds:
    """Compares the median reload times of two servers, called in turn."""
    parameters = {
        'modelfile': str(FOLDER / 'humanoid.xml'), 'MujocoPlugins': '[]', 'unpause': False,
    }  # fmt: skip
    guarded, unguarded = (
        server_command({**parameters, 'model_guard': guard}, '-r', f'__node:={node}')
        for node, guard in _SERVERS.items()
    )
    with client() as caller, running(guarded), running(unguarded):
        for node in _SERVERS:
            caller.wait_until_loaded(node)
        while True:
            trips = [[_reload(caller, node) for node in _SERVERS] for _ in range(_CALLS)]
            ours, bare = map(statistics.median, zip(*trips, strict=True))
            yield ours, bare


def _reload(caller: Client, node: str) -> float:
    start = time.perf_counter()
    answer = caller.call(Trigger, f'/{node}/reload')
    trip = time.perf_counter() - start
    assert answer.success, answer.message
    return trip
