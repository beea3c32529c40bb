"""The time from process start to the first step, relative to a bare node's first timer."""

from __future__ import annotations

import subprocess
import sys
import time

from .processes import FOLDER, plugins, server_command
from .rounds import Rounds

_BARE = """
import time
import rclpy
from rclpy.node import Node
rclpy.init()
node = Node('bare')
def tick():
    print('FIRST', time.time(), flush=True)
    raise SystemExit
node.create_timer(0.001, tick)
rclpy.spin(node)
"""


def measure() -> Rounds:
    """Compares starts of both in turn; the first starts fill the caches."""
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'), 'num_steps': 10,
        **plugins(first={'type': 'benchmarks/FirstStep'}),
    }  # fmt: skip
    while True:
        yield _start_s(server_command(parameters)), _start_s([sys.executable, '-c', _BARE])


def _start_s(command: list[str]) -> float:
    start = time.time()
    output = subprocess.check_output(command, text=True)
    first = next(line for line in output.splitlines() if line.startswith('FIRST'))
    return float(first.split()[1]) - start
