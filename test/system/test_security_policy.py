"""The shipped SROS2 policy, compared with a real server, and enforced if the DDS can do that."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml
from deadline import DEADLINE_S
from lxml import etree
from rclpy.action import get_action_server_names_and_types_by_node
from rclpy.node import NodeNameNonExistentError

from .harness import Client, Process, wait_until

pytestmark = pytest.mark.slow

CONFIG = Path(__file__).parents[2] / 'config'
POLICY = CONFIG / 'demo.policy.xml'
SERVER, PARAMETER_SERVER = '/mujoco/server', '/mujoco/parameter_server'
CLIENT_SIDE = {
    'publish': 'subscribe',
    'subscribe': 'publish',
    'reply': 'request',
    'execute': 'call',
}
"""The rules of clients, by the matching rules of servers."""
MAKE_A_NODE = """
import sys, rclpy
rclpy.init(args=['--ros-args', '--enclave', '/empty'])
rclpy.create_node('probe')
"""


def grants(enclave: str) -> set[tuple[str, str]]:
    """Returns the permissions of an enclave, such as ('publish', '/clock')."""
    (profiles,) = etree.parse(POLICY).xpath(f'.//enclave[@path="{enclave}"]/profiles')
    return {
        (rule, each.text.replace('~', f'/{profile.get("node")}'))
        for profile in profiles
        for group in profile
        for rule, verdict in group.items()
        for each in group
        if verdict == 'ALLOW'
    }


def is_granted(done: tuple[str, str], granted: set[tuple[str, str]]) -> bool:
    return any(done[0] == rule and fnmatchcase(done[1], name) for rule, name in granted)


def offers(client: Client, enclave: str) -> set[tuple[str, str]]:
    """Returns the topics, services and actions of the nodes in an enclave, with their rules."""
    node, found = client.node, set()
    look: dict[str, Any] = {
        'publish': node.get_publisher_names_and_types_by_node,
        'subscribe': node.get_subscriber_names_and_types_by_node,
        'reply': node.get_service_names_and_types_by_node,
        'request': node.get_client_names_and_types_by_node,
        'execute': lambda *of: get_action_server_names_and_types_by_node(node, *of),
    }
    for *of, own in node.get_node_names_and_namespaces_with_enclaves():
        for rule, names in look.items():
            with suppress(NodeNameNonExistentError):  # it has gone, or is not all known yet
                found |= {(rule, name) for name, _ in names(*of) if own == enclave}
    return {each for each in found if '/_action/' not in each[1]}


@pytest.fixture
def demo(start) -> Client:
    """A client of the server of the demo, which is in its enclave."""
    for package in ('mujoco_ros_msgs', 'simulation_interfaces', 'tf2_msgs'):
        pytest.importorskip(f'{package}.msg', reason=f'{package} is not installed')
    parameters = yaml.safe_load((CONFIG / 'demo.yaml').read_text())['/**']['ros__parameters']
    _, client = start({**parameters, 'report_interval': 0.0}, '--enclave', SERVER)
    return client


def test_the_policy_grants_exactly_the_topics_services_and_actions_of_the_server(demo):
    granted = grants(SERVER)
    of_every_node = {
        (rule, name.replace('parameter_server', 'mujoco_server'))
        for rule, name in grants(PARAMETER_SERVER)
    }
    used = {each for each in granted - of_every_node if each[0] != 'request'}

    def unused() -> set[tuple[str, str]]:
        now = offers(demo, SERVER)
        return {each for each in used if not any(is_granted(one, {each}) for one in now)}

    with suppress(AssertionError):  # whose text would not have the names
        wait_until(lambda: not unused(), 'the server')
    assert unused() == set()
    assert {each for each in offers(demo, SERVER) if not is_granted(each, granted)} == set()
    nodes = demo.node.get_node_names_and_namespaces_with_enclaves()
    assert {name for name, _, enclave in nodes if enclave == SERVER} == {
        'mujoco_server', '_mujoco_server_actions',
    }  # fmt: skip


def test_the_operator_may_use_everything_that_the_server_offers(demo):
    granted = grants('/mujoco/operator')
    wait_until(lambda: len(offers(demo, SERVER)) > 50, 'the server')
    used = {(CLIENT_SIDE[rule], name) for rule, name in offers(demo, SERVER) if rule != 'request'}
    used -= {('subscribe', '/rosout')}
    public = {(rule, name) for rule, name in used if not name.startswith('/_')}
    assert {each for each in public if not is_granted(each, granted)} == set()


def test_parameter_servers_and_commands_run_in_the_given_enclave(domain):
    holder = Process(
        'mujoco_ros_py', ['parameter-server', '--ros-args', '--enclave', PARAMETER_SERVER], domain
    )
    echo = Process(
        'mujoco_ros_py', ['echo', '/clock', '--ros-args', '--enclave', '/mujoco/operator'], domain
    )
    client = Client(domain)
    try:
        for enclave in PARAMETER_SERVER, '/mujoco/operator':
            done = wait_until(lambda: offers(client, enclave), enclave)  # noqa: B023
            assert {each for each in done if not is_granted(each, grants(enclave))} == set()
        asked = {name for rule, name in grants(SERVER) if rule == 'request'}
        wait_until(
            lambda: asked <= {name for _, name in offers(client, PARAMETER_SERVER)}, str(asked)
        )
    finally:
        client.close()
        echo.end()
        holder.end()


def secured(keystore: Path) -> dict[str, str]:
    """Makes a keystore with the enclaves of the policy; returns the variables for processes."""
    sros2 = pytest.importorskip('sros2.keystore', reason='sros2 comes with a ROS installation')
    variables = {
        'ROS_SECURITY_ENABLE': 'true',
        'ROS_SECURITY_STRATEGY': 'Enforce',
        'ROS_SECURITY_KEYSTORE': str(keystore),
    }
    sros2.create_keystore(keystore)
    (keystore / 'enclaves' / 'empty').mkdir()
    probe = subprocess.run(
        [sys.executable, '-c', MAKE_A_NODE], env={**os.environ, **variables},
        capture_output=True, text=True, check=False, timeout=DEADLINE_S,
    )  # fmt: skip
    if probe.returncode == 0:
        pytest.skip('this middleware does not look into enclaves')
    if 'SECURITY=ON' in probe.stderr:
        pytest.skip(f'no security in this middleware: {probe.stderr.splitlines()[-2:]}')
    for path in etree.parse(POLICY).xpath('.//enclave/@path'):
        sros2.create_enclave(keystore, path)
        sros2.create_permission(keystore, path, POLICY)
    return variables


def test_an_enclave_can_do_no_more_than_it_is_granted(domain, tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_DOMAIN_ID', str(domain))  # of the keystore
    variables = secured(tmp_path / 'keystore')

    def done(enclave: str, *words: str, secure: bool = True) -> bool:
        name = [] if enclave == 'operator' else ['-r', f'__node:={enclave}']
        for_ros = ['--ros-args', '--enclave', f'/mujoco/{enclave}', *name]
        arguments = [*words, '--timeout', '8', *for_ros]
        command = Process('mujoco_ros_py', arguments, domain, **(variables if secure else {}))
        code = command.wait()
        assert 'Traceback' not in command.output, command.output
        return code == 0

    parameters = ['--ros-args', '--params-file', str(CONFIG / 'demo.yaml')]
    server = Process('mujoco_ros_py', [*parameters, '--enclave', SERVER], domain, **variables)
    try:
        server.wait_for_output(': loaded ')
        reset = 'call', '/mujoco_server/reset'
        listen = 'echo', '/joint_states', '--count', '1'
        move = 'publish', '/arm/joint_commands', '{name: [joint1], position: [0.1]}'
        assert done('operator', *reset), server.output
        assert done('robot', *listen)
        assert done('robot', *move)
        assert not done('robot', *reset)
        assert done('observer', *listen)
        assert not done('observer', *move)
        assert not done('observer', *listen, secure=False)
    finally:
        server.end()
