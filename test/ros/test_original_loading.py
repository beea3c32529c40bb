"""The responses of the original server's services during a load, and without a model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
from deadline import DEADLINE_S

pytest.importorskip('mujoco_ros_msgs.srv', reason='mujoco_ros_msgs was not built')

from mujoco_ros_msgs.srv import GetBodyState, GetGravity, GetStateUint, SetGravity
from system.harness import PENDULUM, Client, wait_until


@pytest.fixture
def client(domain) -> Iterator[Client]:
    """A client on the domain of the server."""
    with closing(Client(domain)) as made:
        yield made


def test_a_load_is_told_while_it_is_under_way(serve, client):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]')
    begun, gate = threading.Event(), threading.Event()

    def prepare():
        begun.set()
        assert gate.wait(DEADLINE_S)
        return lambda: None

    def state() -> tuple[int, str]:
        kind, name = GetStateUint, 'get_loading_request_state'
        found = client.call(kind, name, kind.Request()).state
        return found.value, found.description

    done = server.assembly.reload(prepare)
    try:
        assert begun.wait(DEADLINE_S)
        wait_until(lambda: state() == (1, 'Loading in progress'), 'a load')
    finally:
        gate.set()
    done.result(DEADLINE_S)
    assert state() == (0, 'Simulation is ready')


def test_after_a_fatal_error_nothing_is_read_or_changed_until_a_reset(serve, client):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]')
    server.simulation.between_steps(
        lambda: server.simulation._running.fail('a test stops it')
    ).result()
    for kind, name, fields in (
        (GetBodyState, 'get_body_state', {'name': 'rod'}),
        (GetGravity, 'get_gravity', {}),
        (SetGravity, 'set_gravity', {}),
    ):
        answer = client.call(kind, name, kind.Request(**fields))
        assert not answer.success
        assert 'reset or reload first: a test stops it' in answer.status_message
    assert client.trigger('reset').success
    assert client.call(GetBodyState, 'get_body_state', GetBodyState.Request(name='rod')).success
