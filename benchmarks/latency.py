"""The round-trip time of `~/reset`, relative to an empty service of a bare rclpy node."""

from __future__ import annotations

import statistics
import sys
import time

from std_srvs.srv import Trigger

from .clients import Client, client
from .processes import FOLDER, plugins, running, server_command
from .rounds import Rounds

_CALLS = 100
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


def measure() -> Rounds:
    """Compares the median call times of both, called in turn."""
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'),
        **plugins(observer={'type': 'benchmarks/Observer'}),
    }
    services = '/mujoco_server/reset', '/bare/empty'
    with (
        client() as caller, running(server_command(parameters)),
        running([sys.executable, '-c', _BARE]),
    ):  # fmt: skip
        caller.wait_until_loaded()
        while True:
            trips = [[_call(caller, service) for service in services] for _ in range(_CALLS)]
            reset, empty = map(statistics.median, zip(*trips, strict=True))
            yield reset, empty


def _call(caller: Client, service: str) -> float:
    start = time.perf_counter()
    answer = caller.call(Trigger, service)
    trip = time.perf_counter() - start
    assert answer.success, f'{service}: {answer.message}'
    return trip
