"""The round trip of `~/reset`, over that of an empty service of a bare rclpy node."""

from __future__ import annotations

import statistics
import sys
import time

from std_srvs.srv import Trigger

from .processes import FOLDER, Client, client, environment, folder, running, server_command
from .result import Result

_CALLS = 500
_BARE = """
import contextlib
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from std_srvs.srv import Trigger
rclpy.init()
node = Node('bare')
def empty(request, response):
    response.success = True
    return response
node.create_service(Trigger, '~/empty', empty)
with contextlib.suppress(ExternalShutdownException):
    rclpy.spin(node)
"""


def measure(name: str, limit: float) -> Result:
    """Returns the ratio of medians of calls to both in turn."""
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'),
        'MujocoPlugins': {'names': ['observer'], 'observer': {'type': 'benchmarks/Observer'}},
    }
    with (
        folder() as prefix,
        client() as caller,
        running(server_command(prefix, parameters), environment(prefix)),
        running([sys.executable, '-c', _BARE], environment(prefix)),
    ):
        caller.wait_until_loaded()
        services = ('/mujoco_server/reset', '/bare/empty')
        for service in services * 20:
            _call(caller, service)
        trips = [[_call(caller, service) for service in services] for _ in range(_CALLS)]
    reset, empty = (statistics.median(trip[k] for trip in trips) for k in (0, 1))
    measured = f'{reset * 1e6:.0f} us against {empty * 1e6:.0f} us'
    ratio = reset / empty
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _call(caller: Client, service: str) -> float:
    start = time.perf_counter()
    answer = caller.call(Trigger, service)
    trip = time.perf_counter() - start
    assert answer.success, f'{service}: {answer.message}'
    return trip
