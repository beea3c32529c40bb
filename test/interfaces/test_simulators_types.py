"""The built packages with types for simulators and their clients."""

from __future__ import annotations

from importlib import import_module

import pytest

from .definitions import built_hashes, lines

pytestmark = pytest.mark.slow
PACKAGES = ['mujoco_ros_msgs', 'mujoco_ros_py_interfaces', 'ros_gz_interfaces', 'tf2_msgs']
HASHES = {package: dict(lines(f'{package}_hashes.txt')) for package in PACKAGES}
"""The hashes of tf2_msgs are from ROS's own binaries; Jazzy and Kilted have the same. Those of
ros_gz_interfaces are of release 2.1.1, whose definitions ROS's own generator was run on. Those of
mujoco_ros_msgs are of the original server's ROS 2 port; ArrayStamped is our own, and so is all of
mujoco_ros_py_interfaces."""
CONSTANTS = {name: constants for name, *constants in lines('mujoco_ros_msgs_constants.txt')}
"""The constants of the original server; the hash of a type does not cover its constants."""


@pytest.mark.parametrize('package', PACKAGES)
def test_every_type_has_the_hash_that_it_always_had(built, package):
    built(package)
    assert built_hashes(package) == HASHES[package]


def test_an_entity_has_the_numbers_that_gazebo_has(built):
    """The hash of a type does not cover its constants."""
    built('ros_gz_interfaces')
    from ros_gz_interfaces.msg import Entity

    names = ['NONE', 'LIGHT', 'MODEL', 'LINK', 'VISUAL', 'COLLISION', 'SENSOR', 'JOINT']
    assert [getattr(Entity, name) for name in names] == list(range(8))


def test_a_lookup_fails_with_the_numbers_that_ros_has(built):
    built('tf2_msgs')
    from tf2_msgs.msg import TF2Error

    names = 'NO LOOKUP CONNECTIVITY EXTRAPOLATION INVALID_ARGUMENT TIMEOUT TRANSFORM'
    assert [getattr(TF2Error, f'{name}_ERROR') for name in names.split()] == list(range(7))


@pytest.mark.parametrize('name', CONSTANTS)
def test_types_have_the_numbers_that_the_original_server_has(built, name):
    built('mujoco_ros_msgs')
    constants = dict(constant.split('=') for constant in CONSTANTS[name])
    found = getattr(import_module('mujoco_ros_msgs.msg'), name.split('/')[-1])
    assert {key: str(getattr(found, key)) for key in constants} == constants
