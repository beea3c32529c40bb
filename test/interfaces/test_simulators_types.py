"""The packages of types that only simulators have, as they were built, alone and between nodes."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import pytest

from .definitions import HERE, built_hashes, lines, types
from .processes import run

pytestmark = pytest.mark.slow
PACKAGES = ['mujoco_ros_msgs', 'mujoco_ros_py_interfaces', 'ros_gz_interfaces']
HASHES = {package: dict(lines(f'{package}_hashes.txt')) for package in PACKAGES}
"""Those of ros_gz_interfaces are of release 2.1.1, whose definitions ROS's own generator was run
on. Those of mujoco_ros_msgs are of the original server's ROS 2 port; ArrayStamped is our own,
and so is all of mujoco_ros_py_interfaces."""
CONSTANTS = {name: constants for name, *constants in lines('mujoco_ros_msgs_constants.txt')}
"""Those of the original server: the constants of a type are no part of its hash."""


@pytest.mark.parametrize('package', PACKAGES)
def test_every_type_has_the_hash_that_it_always_had(built, package):
    assert types(package) == sorted(HASHES[package])
    built(package)
    assert built_hashes(package) == HASHES[package]


def test_an_entity_has_the_numbers_that_gazebo_has(built):
    """Constants are no part of a hash."""
    built('ros_gz_interfaces')
    from ros_gz_interfaces.msg import Entity

    names = ['NONE', 'LIGHT', 'MODEL', 'LINK', 'VISUAL', 'COLLISION', 'SENSOR', 'JOINT']
    assert [getattr(Entity, name) for name in names] == list(range(8))


@pytest.mark.parametrize('name', CONSTANTS)
def test_types_have_the_numbers_that_the_original_server_has(built, name):
    built('mujoco_ros_msgs')
    constants = dict(constant.split('=') for constant in CONSTANTS[name])
    found = getattr(import_module('mujoco_ros_msgs.msg'), name.split('/')[-1])
    assert {key: str(getattr(found, key)) for key in constants} == constants


def test_one_node_reads_what_another_sends(built, domain, tmp_path):
    for package in PACKAGES:
        built(package)
    environment = {'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(tmp_path)}
    sent = run(sys.executable, HERE / 'sensor_nodes.py', **environment)
    assert sent.returncode == 0, sent.stdout
    names = ['ros_gz_interfaces/msg/Contacts', 'ros_gz_interfaces/msg/Altimeter']
    names += ['mujoco_ros_msgs/msg/ScalarStamped', 'mujoco_ros_msgs/msg/ArrayStamped']
    assert json.loads(sent.stdout) == {
        name: [True, HASHES[name.split('/')[0]][name]] for name in names
    }
