"""The package control_msgs as it was built into this environment, alone and between nodes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from ament_index_python import get_package_share_directory, get_resource

from .definitions import HERE, built_hashes, definitions, lines, types
from .processes import run

pytestmark = pytest.mark.slow
DEFINITIONS = definitions('control_msgs')
ABORTED = 6
HASHES = dict(lines('control_msgs_hashes.txt'))
"""Those of release 6.8.0, whose definitions ROS's own generator was run on."""
CONSTANTS = {name: constants for name, *constants in lines('control_msgs_constants.txt')}
"""Those of release 6.8.0: the constants of a type are no part of its hash."""


@pytest.fixture
def wheel(built):
    """The distribution that was built from the definitions in `interfaces`."""
    return built('control_msgs')


def test_all_types_of_the_release_are_defined():
    assert types('control_msgs') == sorted(HASHES)


def test_every_type_has_the_hash_of_the_release(wheel):
    assert built_hashes('control_msgs') == HASHES


@pytest.mark.parametrize('name', CONSTANTS)
def test_constants_have_the_values_of_the_release(wheel, name):
    package, kind, path = name.split('/')
    found = import_module(f'{package}.{kind}')
    for part in path.split('.'):
        found = getattr(found, part)
    constants = [constant.split('=') for constant in CONSTANTS[name]]
    assert {key: str(getattr(found, key)) for key, _ in constants} == dict(constants)


def test_the_one_default_is_that_of_the_release(wheel):
    from control_msgs.msg import MotionPrimitive

    assert MotionPrimitive().type == MotionPrimitive.UNKNOWN


def test_the_wheel_requires_exactly_the_packages_that_it_was_built_upon(wheel):
    names = ('action', 'diagnostic', 'geometry', 'sensor', 'service', 'std', 'trajectory')
    used = {f'ros-{name}-msgs' for name in names}
    used |= {'ros-builtin-interfaces', 'ros-unique-identifier-msgs'}
    assert set(wheel.requires) == {f'{name}=={version(name)}' for name in used}


def test_ros_finds_every_definition_in_each_form_and_builds_upon_them(wheel):
    share = Path(get_package_share_directory('control_msgs'))
    listed = get_resource('rosidl_interfaces', 'control_msgs')[0].split()
    forms = {str(Path(name).with_suffix('.idl')) for name in DEFINITIONS}
    assert set(listed) == {*DEFINITIONS, *forms}
    assert all((share / name).is_file() for name in (*listed, 'package.xml'))
    headers = share.parents[1] / 'include/control_msgs/control_msgs'
    for kind, name in (('msg', 'joint_jog'), ('action', 'follow_joint_trajectory')):
        assert (headers / kind / 'detail' / f'{name}__struct.h').is_file()
    libraries = {path.name for path in (share.parents[1] / 'lib').glob('libcontrol_msgs__*.so')}
    assert libraries == {
        f'libcontrol_msgs__rosidl_{part}.so'
        for part in (
            'generator_c',
            'generator_py',
            'typesupport_c',
            'typesupport_fastrtps_c',
            'typesupport_introspection_c',
        )
    }


def test_a_controller_and_its_client_talk_by_topic_service_and_action(wheel, domain, tmp_path):
    environment = {'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(tmp_path)}
    command = [sys.executable, str(HERE / 'trajectory_server.py')]
    with subprocess.Popen(command, env={**os.environ, **environment}) as server:
        try:
            asked = run(sys.executable, HERE / 'trajectory_client.py', **environment)
        finally:
            server.kill()
    assert asked.returncode == 0, asked.stdout
    assert json.loads(asked.stdout) == {
        'query': [True, 'asked', ['joint1'], 3.0, 7.0, 0.5],
        'result': [ABORTED, -4, 'joint2 0.05 5'],
        'feedback': [True, True, 1, 0, ['joint1', 'joint2']],
        'state': [True, True, 'base', 0.25],
        'hash of the state': HASHES['control_msgs/msg/JointTrajectoryControllerState'],
    }
