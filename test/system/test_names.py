from __future__ import annotations

import pytest
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from .harness import PENDULUM, wait_until

PARAMETERS = {'mujoco_xml': PENDULUM}
SERVICES = {'reset', 'reload', 'set_pause', 'step', 'shutdown', 'load_initial_joint_states'}


def services_of(client, node) -> set[str]:
    """Names below the node, those of its parameters left out."""
    names = {name for name, _ in client.node.get_service_names_and_types()}
    return {name.removeprefix(f'{node}/') for name in names if name.startswith(f'{node}/')}


def topics_of(client) -> set[str]:
    return {name for name, _ in client.node.get_topic_names_and_types()}


def test_every_service_and_topic_of_the_contract_is_there(start):
    _, client = start(PARAMETERS)

    wait_until(lambda: services_of(client, '/mujoco_server') >= SERVICES, 'the services')
    wait_until(lambda: topics_of(client) >= {'/clock', '/joint_states', '/diagnostics'}, 'topics')


@pytest.mark.slow
def test_a_namespace_moves_the_services_and_the_joint_states(start):
    _, client = start(PARAMETERS, '-r', '__ns:=/robot1', node='/robot1/mujoco_server')
    states = client.collect(JointState, '/robot1/joint_states')

    wait_until(lambda: services_of(client, '/robot1/mujoco_server') >= SERVICES, 'the services')
    assert client.trigger('reset').success
    wait_until(lambda: states, 'joint states')
    assert list(states[0].name) == ['hinge']
    wait_until(lambda: topics_of(client) >= {'/clock', '/diagnostics'}, 'global topics')
    assert '/joint_states' not in topics_of(client)
    assert not services_of(client, '/mujoco_server')


@pytest.mark.slow
def test_node_topics_and_services_can_be_renamed(start):
    remappings = ['__node:=sim', 'joint_states:=/arm/joints', '~/reset:=/start_again']
    args = [arg for remapping in remappings for arg in ('-r', remapping)]
    _, client = start(PARAMETERS, *args, node='/sim')
    states = client.collect(JointState, '/arm/joints')

    wait_until(lambda: states, 'joint states')
    assert client.call(Trigger, '/start_again', Trigger.Request()).success
    assert client.pause(True).success


@pytest.mark.slow
def test_two_servers_in_two_namespaces_are_two_simulations(start):
    _, one = start(PARAMETERS, '-r', '__ns:=/one', node='/one/mujoco_server')
    _, two = start(PARAMETERS, '-r', '__ns:=/two', node='/two/mujoco_server')

    assert one.pause(True).success

    assert one.trigger('step').success
    assert not two.trigger('step').success, 'the other one runs on'
