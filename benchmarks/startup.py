"""The time from process start to the first step, over that of a bare rclpy node to its timer."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Mapping

from .processes import FOLDER, environment, folder, server_command
from .result import Result

_ROUNDS = 9
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


def measure(name: str, limit: float) -> Result:
    """Returns the ratio of medians of starts in turn, after one start of each fills the caches."""
    parameters = {
        'modelfile': str(FOLDER / 'pendulum.xml'),
        'num_steps': 10,
        'MujocoPlugins': {'names': ['first'], 'first': {'type': 'benchmarks/FirstStep'}},
    }
    with folder() as prefix:
        env = environment(prefix)
        commands = server_command(prefix, parameters), [sys.executable, '-c', _BARE]
        rounds = [[_start(command, env) for command in commands] for _ in range(_ROUNDS + 1)][1:]
    server, bare = (statistics.median(each[k] for each in rounds) for k in (0, 1))
    measured = f'{server:.2f} s against {bare:.2f} s'
    ratio = server / bare
    return Result(name=name, ratio=ratio, rule='at most', limit=limit, measured=measured)


def _start(command: list[str], env: Mapping[str, str]) -> float:
    start = time.time()
    output = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True).stdout
    first = next(line for line in output.splitlines() if line.startswith('FIRST'))
    return float(first.split()[1]) - start
