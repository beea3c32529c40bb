"""Fixtures with a ROS domain for each test, so that tests do not hear other processes."""

from __future__ import annotations

import fcntl
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from .harness import Client, Process, running_server

# Without multicast (containers, CI) nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
Start = Callable[..., AbstractContextManager[tuple[Process, Client]]]


@contextmanager
def free_domain() -> Iterator[int]:
    """Yields a ROS domain that no other test on this machine uses now.

    101 is the last domain that is safe on every system.
    """
    for number in range(1, 102):
        with (Path(tempfile.gettempdir()) / f'mujoco_ros_py_domain_{number}').open('w') as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield number
            return
    pytest.fail('all ROS domains are taken by other tests')


@pytest.fixture
def domain() -> Iterator[int]:
    """Yields a ROS domain that no other test on this machine uses now."""
    with free_domain() as number:
        yield number


@pytest.fixture
def start(tmp_path: Path, domain: int) -> Iterator[Callable[..., tuple[Process, Client]]]:
    """Returns `start(parameters, *ros_args, **environment)`: a loaded server and a client."""
    with ExitStack() as stack:

        def begin(parameters: dict[str, Any], *args: str, **env: str) -> tuple[Process, Client]:
            return stack.enter_context(running_server(tmp_path, domain, parameters, *args, **env))

        yield begin


@pytest.fixture(scope='module')
def share(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    """Returns `share(parameters)`: a paused server, just loaded, and a client.

    Tests of a module that give equal parameters get the same server, one after the other. With
    `reload=False` a server that is there already is as the test before has left it.
    """
    there: dict[str, tuple[Process, Client]] = {}
    with ExitStack() as stack:

        def begin(parameters: dict[str, Any], reload: bool = True) -> tuple[Process, Client]:
            key = json.dumps(parameters, sort_keys=True)
            if key not in there or not there[key][0].running():
                domain = stack.enter_context(free_domain())
                server = running_server(tmp_path_factory.mktemp('shared'), domain, parameters)
                there[key] = stack.enter_context(server)
            elif reload:
                client = there[key][1]
                assert client.pause(True).success
                assert client.trigger('reload').success
            return there[key]

        yield begin
