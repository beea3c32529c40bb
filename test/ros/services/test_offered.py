"""One wrapper for all services: the work that a row of the table begins becomes the response."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from std_srvs.srv import Trigger
from system.harness import PENDULUM, Client

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.services.offered import Service, always, settled
from mujoco_ros_py.simulation import Edit

SECRET = 'a secret of sixteen letters'


@pytest.fixture
def client(domain) -> Iterator[Client]:
    """A client on the domain of the server."""
    with closing(Client(domain)) as made:
        yield made


def refuse(*_: Any) -> None:
    raise ConfigError('the arm has no such joint')


def answer(client: Client, name: str) -> tuple[bool, str]:
    found = client.call(Trigger, name, Trigger.Request())
    return found.success, found.message


def test_what_is_done_refused_and_raised_becomes_the_answer(serve, client):
    kept = settled(3), lambda response, result: Edit(done=[f'{result} kept'])
    rows = {
        'done': (Service(Trigger, 'done', lambda _: settled(Edit(done=['moved']))), True, 'moved'),
        'refused': (
            Service(Trigger, 'refused', lambda _: settled(Edit(['moved'], ['too far']))),
            False, 'too far; moved',
        ),
        'of_one_call': (Service(Trigger, 'of_one_call', lambda _: kept), True, '3 kept'),
        'not_begun': (Service(Trigger, 'not_begun', refuse), False, 'the arm has no such joint'),
        'not_written': (
            Service(Trigger, 'not_written', settled, refuse), False, 'the arm has no such joint'
        ),
    }  # fmt: skip
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]')
    server._offered.offer(*(service for service, _, _ in rows.values()))
    for name, (_, success, message) in rows.items():
        assert answer(client, name) == (success, message)


def test_in_eval_mode_only_what_is_free_begins_without_the_hash(serve, client):
    begun: list[str] = []

    def begin(name: str) -> Any:
        begun.append(name)
        return settled(Edit(done=[name]))

    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]', eval_mode=True, admin_hash=SECRET)
    server._offered.offer(
        Service(Trigger, 'free', lambda _: begin('free'), free=always),
        Service(Trigger, 'protected', lambda _: begin('protected')),
        Service(Trigger, 'named', lambda _: begin('named'), needs='~/named to move'),
    )
    assert answer(client, 'free') == (True, 'free')
    for name, needs in (('protected', '~/protected'), ('named', '~/named to move')):
        success, message = answer(client, name)
        assert not success
        assert message.startswith(f'{needs} needs the admin hash in eval_mode')
    assert begun == ['free']
