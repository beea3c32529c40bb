"""Reloads with a prior compilation in an isolated process, over reloads without it."""

from __future__ import annotations

import statistics
import time

from std_srvs.srv import Trigger

from .processes import FOLDER, Client, client, environment, folder, running, server_command
from .result import Result

_CALLS = 100
_SERVERS = {'guarded': True, 'unguarded': False}


def measure(name: str, limit: float) -> Result:
    """Returns the ratio of the medians of calls to two servers in turn."""
    parameters = {'modelfile': str(FOLDER / 'humanoid.xml'), 'MujocoPlugins': '[]'}
    with folder() as prefix, client() as caller:
        env = environment(prefix)
        commands = [
            [
                *server_command(prefix, {**parameters, 'unpause': False, 'model_guard': guard}),
                '--remap',
                f'__node:={node}',
            ]
            for node, guard in _SERVERS.items()
        ]
        with running(commands[0], env), running(commands[1], env):
            for node in _SERVERS:
                caller.wait_until_loaded(node)
            for node in list(_SERVERS) * 5:
                _reload(caller, node)
            rounds = [[_reload(caller, node) for node in _SERVERS] for _ in range(_CALLS)]
    guarded, unguarded = (statistics.median(each[k] for each in rounds) for k in (0, 1))
    measured = f'{1e3 * guarded:.1f} ms against {1e3 * unguarded:.1f} ms'
    ratio = guarded / unguarded
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _reload(caller: Client, node: str) -> float:
    start = time.perf_counter()
    answer = caller.call(Trigger, f'/{node}/reload')
    trip = time.perf_counter() - start
    assert answer.success, answer.message
    return trip
