"""Fixtures with a ROS domain for each test, so that tests do not hear other processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip('rclpy', reason='rclpy is not installed')

from .faults import FaultyServer, environment
from .harness import PENDULUM, Client, Process, free_domain, running_server
from .shared_server import SharedServer

# Without multicast (containers, CI) nodes find each other only after seconds otherwise.
os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
Start = Callable[..., AbstractContextManager[tuple[Process, Client]]]


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
def shared_servers() -> Iterator[dict[str, SharedServer]]:
    """The servers that tests of a module share, by their parameters."""
    servers: dict[str, SharedServer] = {}
    yield servers
    for server in servers.values():
        server.close()


@pytest.fixture
def share(
    shared_servers: dict[str, SharedServer], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., tuple[Process, Client]]]:
    """Returns `share(parameters, **environment)`: a paused server, just loaded, and a client.

    Tests of a module that give equal parameters get the same server, one after the other. With
    `reload=False` a server that is there already stays as the test before has left it. The values
    in `given` replace parameters until the end of the test. A test that leaves parameters changed,
    which a reload does not restore, fails.
    """
    used: list[tuple[SharedServer, dict[str, Any]]] = []

    def begin(
        parameters: dict[str, Any],
        reload: bool = True,
        given: dict[str, Any] | None = None,
        **environment: str,
    ) -> tuple[Process, Client]:
        key = json.dumps([parameters, environment], sort_keys=True)
        server = shared_servers.get(key)
        if server and not server.process.running():
            server.close()
            server = None
        new = server is None
        if server is None:
            folder = tmp_path_factory.mktemp('shared')
            server = shared_servers[key] = SharedServer(folder, parameters, environment)
        used.append((server, {name: parameters[name] for name in given or {}}))
        server.assign(given or {})
        if given or (reload and not new):
            assert server.client.pause(True).success
            assert server.client.trigger('reload').success
        return server.process, server.client

    yield begin
    for server, before in reversed(used):
        if server.process.running():
            server.client.forget_subscriptions()
            server.client.pause(True)  # it would take a core from the tests that do not use it
            server.assign(before)
            changed = server.changed_parameters()
            if changed and server.client.trigger('reload').success:  # a plugin's live values
                changed = server.changed_parameters()
            if changed:
                server.close()  # the next test gets another one
            assert not changed, f'the next test would get changed parameters: {changed}'


@pytest.fixture
def faulty(share: Callable[..., tuple[Process, Client]]) -> Iterator[FaultyServer]:
    """Yields a paused server with a pendulum, which knows the plugins of `faulty_plugins/`."""
    parameters = {'mujoco_xml': PENDULUM, 'unpause': False}
    server = FaultyServer(*share(parameters, **environment()))
    yield server
    server.restore()
