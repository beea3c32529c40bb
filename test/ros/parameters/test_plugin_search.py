from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import rclpy
from deadline import DEADLINE_S
from rclpy.client import Client
from rclpy.context import Context
from rclpy.node import Node
from rclpy.parameter import Parameter
from system.harness import PENDULUM, wait_until

from mujoco_ros_py.errors import ConfigError
from mujoco_ros_py.ros.parameters import plugin_search
from mujoco_ros_py.ros.parameters.plugin_search import _namespaces
from mujoco_ros_py.ros.server import Server

SAID = '/parameter_server/list_parameters does not answer within 0.1 s'


@pytest.fixture
def mute(domain, monkeypatch) -> Iterator[Node]:
    """A parameter server that nobody spins, with a short time limit for its answer."""
    monkeypatch.setattr(plugin_search, '_ANSWER_S', 0.1)
    wait = Client.wait_for_service
    monkeypatch.setattr(Client, 'wait_for_service', lambda client, _: wait(client, DEADLINE_S))
    context = Context()
    rclpy.init(context=context, domain_id=domain)
    node = Node('parameter_server', context=context)
    yield node
    node.destroy_node()
    context.try_shutdown()


@pytest.mark.parametrize(
    ('namespace', 'spaces'),
    [('/', ['']), ('/a', ['/a', '']), ('/a/b/c', ['/a/b/c', '/a/b', '/a', ''])],
)
def test_namespaces_are_those_from_the_own_one_up_to_the_root(namespace, spaces):
    assert _namespaces(namespace) == spaces


@pytest.mark.slow
def test_a_parameter_server_that_does_not_answer_in_time_fails_the_first_load(new_keeper, mute):
    server = Server(new_keeper('mujoco_server', mujoco_xml=PENDULUM), lambda: None)
    with pytest.raises(ConfigError, match=SAID):
        server.start().result(DEADLINE_S)
    assert server.simulation.status().loads == 0
    assert server.close()


@pytest.mark.slow
def test_a_parameter_server_whose_answer_gets_lost_is_asked_again(new_node, serve, monkeypatch):
    monkeypatch.setattr(plugin_search, '_AGAIN_S', 0.2)
    monkeypatch.setattr(plugin_search, '_ANSWER_S', DEADLINE_S)
    other = new_node('parameter_server')
    lost: list[str] = []
    for service in other.services:
        if service.service_name.endswith(('/list_parameters', '/get_parameters')):
            _lose_the_first_answer(service, lost)
    other.declare_parameter('MujocoPlugins', '[{type: mujoco_ros_py/JointStates, name: joints}]')
    server = serve(mujoco_xml=PENDULUM)
    assert sorted(lost) == [
        '/parameter_server/get_parameters',
        '/parameter_server/list_parameters',
    ]
    assert [hosted.name for hosted in server.assembly.host.configured] == ['joints']


def _lose_the_first_answer(service: Any, lost: list[str]) -> None:
    send = service.send_response

    def lose(response: Any, header: Any) -> None:
        service.send_response = send
        lost.append(service.service_name)

    service.send_response = lose


@pytest.mark.slow
def test_a_parameter_server_that_does_not_answer_in_time_fails_a_reload_alone(serve, mute):
    server = serve(mujoco_xml=PENDULUM, MujocoPlugins='[]')
    (result,) = server.node.set_parameters([Parameter('MujocoPlugins', value='')])
    assert result.successful
    with pytest.raises(ConfigError, match=SAID):
        server.assembly.reload().result(DEADLINE_S)
    status = server.simulation.status()
    assert status.loads == 1
    wait_until(lambda: server.simulation.status().steps > status.steps + 10, 'it runs on')
