"""The package control_msgs as it was built into this environment, alone and between nodes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from ament_index_python import get_package_share_directory, get_resource

from .processes import ROOT, run

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
SOURCE = ROOT / 'interfaces' / 'control_msgs'
DEFINITIONS = sorted(str(path.relative_to(SOURCE)) for path in SOURCE.glob('*/*.*'))
ABORTED = 6


def _lines(name: str) -> list[list[str]]:
    return [line.split() for line in (HERE / name).read_text().splitlines()]


HASHES = dict(_lines('control_msgs_hashes.txt'))
"""Those of release 6.8.0, whose definitions ROS's own generator was run on."""
CONSTANTS = {name: constants for name, *constants in _lines('control_msgs_constants.txt')}
"""Those of release 6.8.0: the constants of a type are no part of its hash."""


@pytest.fixture
def wheel(monkeypatch):
    """The distribution that was built from the definitions in `interfaces`."""
    monkeypatch.syspath_prepend(ROOT / 'interfaces')
    monkeypatch.setenv('AMENT_PREFIX_PATH', sys.prefix)
    try:
        found = distribution('ros-control-msgs')
    except PackageNotFoundError:
        pytest.skip('control_msgs was not built in this environment')
    source = import_module('rosidl_backend').Package.read(SOURCE)
    assert found.version == source.version, 'another source was built: run interfaces/install.py'
    return found


def test_all_types_of_the_release_are_defined():
    assert [f'control_msgs/{Path(name).with_suffix("")}' for name in DEFINITIONS] == sorted(HASHES)


def test_every_type_has_the_hash_of_the_release(wheel):
    """The hash of a service or an action covers all types that belong to it."""
    share = Path(get_package_share_directory('control_msgs')).parent
    built = {name: json.loads((share / f'{name}.json').read_text()) for name in HASHES}
    assert {
        name: next(h['hash_string'] for h in each['type_hashes'] if h['type_name'] == name)
        for name, each in built.items()
    } == HASHES


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
