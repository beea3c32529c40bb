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
def test_two_servers_in_two_namespaces_and_with_other_names_are_two_simulations(start):
    _, one = start(PARAMETERS, '-r', '__ns:=/one', node='/one/mujoco_server')
    states = one.collect(JointState, '/one/joint_states')
    wait_until(lambda: services_of(one, '/one/mujoco_server') >= SERVICES, 'the services')
    wait_until(lambda: states, 'joint states')
    assert list(states[0].name) == ['hinge']
    wait_until(lambda: topics_of(one) >= {'/clock', '/diagnostics'}, 'global topics')
    assert '/joint_states' not in topics_of(one)
    assert not services_of(one, '/mujoco_server')

    remappings = [
        '__ns:=/two',
        '__node:=sim',
        'joint_states:=/arm/joints',
        '~/reset:=/start_again',
    ]
    args = [arg for remapping in remappings for arg in ('-r', remapping)]
    _, two = start(PARAMETERS, *args, node='/two/sim')
    renamed = two.collect(JointState, '/arm/joints')
    wait_until(lambda: renamed, 'joint states')
    assert two.call(Trigger, '/start_again', Trigger.Request()).success

    assert one.pause(True).success
    assert one.trigger('step').success
    assert not two.trigger('step').success, 'the other one runs on'
