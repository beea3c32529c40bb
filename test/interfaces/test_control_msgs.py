"""The package control_msgs that is built into this environment."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from ament_index_python import get_package_share_directory, get_resource

from .definitions import built_hashes, defined, definitions, lines

pytestmark = pytest.mark.slow
DEFINITIONS = definitions('control_msgs')
HASHES = dict(lines(f'control_msgs_{defined("control_msgs").release}_hashes.txt'))
"""The hashes of the release, computed by ROS's own generator."""
CONSTANTS = {
    name: constants
    for name, *constants in lines('control_msgs_constants.txt')
    if name.split('.')[0] in HASHES
}
"""The constants of all releases; the hash of a type does not cover its constants."""


@pytest.fixture
def wheel(built):
    """The distribution that was built from the definitions in `interfaces`."""
    return built('control_msgs')


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
