"""Servers with the configurations of the example robots, and the programs that drive them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from deadline import DEADLINE_S

from mujoco_ros_py.testing.server_program import OWN

from .harness import Client, Process

ROOT = Path(__file__).parents[2]


@contextmanager
def robots(domain: int) -> Iterator[Callable[..., Client]]:
    """Yields `robot(file, *parameters, **environment)`: a client of a server.

    The file is one of the folder config. Without parameters, `realtime` is 2.
    """
    with ExitStack() as opened:

        def start(configuration: str, *parameters: str, **environment: str) -> Client:
            file = str(ROOT / 'config' / configuration)
            args = ['--ros-args', '--params-file', file]
            for parameter in parameters or ('realtime:=2.0',):
                args += ['-p', parameter]
            copied = environment.keys() <= OWN
            process = Process('mujoco_ros_py', args, domain, copied=copied, **environment)
            opened.callback(process.end)
            process.wait_for_output(': loaded ')
            ready = re.search(r'(\d+) of (\d+) plugins ready', process.output)
            assert ready, process.output
            left_out = process.output.count('must be listed in MujocoPlugins.names')
            assert int(ready[1]) + left_out == int(ready[2]), process.output
            return opened.enter_context(closing(Client(domain)))

        yield start


def run(program: str, client: Client, *arguments: str, code: int = 0) -> str:
    """Runs a program until its task is done, and returns its output."""
    domain = str(client.node.context.get_domain_id())
    script = str(ROOT / 'scripts' / program)
    environment = {**os.environ, 'ROS_DOMAIN_ID': domain}
    done = subprocess.run(
        [sys.executable, script, *arguments], env=environment, timeout=DEADLINE_S,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done.stdout
    return done.stdout
