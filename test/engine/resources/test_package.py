from __future__ import annotations

import sys
from pathlib import Path

import mujoco
import pytest

from mujoco_ros_py.engine.resources import Package, local_path, read, register
from mujoco_ros_py.errors import ConfigError, ResourceError

from .assets import OBJ, ROBOT, check_robot, with_meshes

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def prefix(tmp_path, monkeypatch) -> Path:
    """The only ament prefix, with the package `arm`; Python runs in a virtual environment."""
    prefix = tmp_path / 'prefix'
    (prefix / 'share/ament_index/resource_index/packages').mkdir(parents=True)
    (prefix / 'share/ament_index/resource_index/packages/arm').touch()
    (prefix / 'share/arm').mkdir()
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix))
    monkeypatch.setattr(sys, 'prefix', str(tmp_path / 'venv'))
    return prefix


def refusal(uri: str) -> str:
    with pytest.raises(ConfigError) as caught:
        local_path(uri)
    return str(caught.value)


def test_a_plain_path_stays_as_it_is_and_the_home_directory_is_put_in(monkeypatch):
    monkeypatch.setenv('HOME', '/home/ada')
    assert local_path('models/../arm.xml') == Path('models/../arm.xml')
    assert local_path('~/arm.xml') == Path('/home/ada/arm.xml')


def test_a_package_uri_leads_into_the_share_folder_of_the_package(prefix):
    assert local_path('package://arm/models/arm.xml') == prefix / 'share/arm/models/arm.xml'
    assert local_path('package://arm/models/../arm.xml') == prefix / 'share/arm/arm.xml'
    assert local_path('package://arm') == prefix / 'share/arm'


@pytest.mark.parametrize(
    'path', ['..', '../armada/arm.xml', 'models/../../arm.xml', '/etc/passwd', '../../../../etc']
)
def test_a_path_that_leads_out_of_the_package_is_refused(path):
    uri = f'package://arm/{path}'
    assert refusal(uri) == f"{uri}: leads out of package 'arm'"


def test_a_link_in_the_package_may_lead_out_of_it(prefix, tmp_path):
    """An overlay that colcon creates with --symlink-install consists of these links."""
    (prefix / 'share/arm/models').symlink_to(tmp_path)
    assert local_path('package://arm/models/arm.xml') == prefix / 'share/arm/models/arm.xml'


def test_a_package_in_the_virtual_environment_is_found_without_ament(tmp_path, monkeypatch):
    monkeypatch.delenv('AMENT_PREFIX_PATH')
    (tmp_path / 'venv/share/hand').mkdir(parents=True)
    assert refusal('package://hand/hand.xml'), 'a folder of that name is not a package'
    (tmp_path / 'venv/share/hand/package.xml').touch()
    assert local_path('package://hand/hand.xml') == tmp_path / 'venv/share/hand/hand.xml'
    uri = 'package://hand/../hand.xml'
    assert refusal(uri) == f"{uri}: leads out of package 'hand'"


def test_ament_comes_before_the_virtual_environment(prefix, tmp_path):
    (tmp_path / 'venv/share/arm').mkdir(parents=True)
    (tmp_path / 'venv/share/arm/package.xml').touch()
    assert local_path('package://arm/arm.xml') == prefix / 'share/arm/arm.xml'


def test_the_package_itself_is_found_in_its_checkout():
    assert local_path('package://mujoco_ros_py/examples/arm.xml') == ROOT / 'examples/arm.xml'


@pytest.mark.parametrize('package', ['leg', 'ar', '', '.', '..', 'a\0b', 'x' * 300])
def test_an_unknown_package_is_refused_with_where_it_was_looked_for(package, tmp_path):
    uri = f'package://{package}/leg.xml'
    assert refusal(uri) == (
        f'{uri}: no package {package!r} in AMENT_PREFIX_PATH or {tmp_path / "venv"}'
    )


@pytest.fixture
def arm(prefix) -> Path:
    """Returns the share folder of the package, with a model in it."""
    for name, content in ROBOT.items():
        path = prefix / 'share/arm/robot' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    register(Package)
    return prefix / 'share/arm'


@pytest.mark.usefixtures('arm')
def test_a_model_with_all_that_it_names_is_loaded_from_a_package():
    check_robot(mujoco.MjModel.from_xml_path('package://arm/robot/main.xml'))


@pytest.mark.usefixtures('arm')
def test_a_urdf_names_meshes_in_packages():
    mesh = '<mesh filename="package://arm/robot/meshes/arm.obj"/>'
    urdf = f"""
        <robot name="arm"><mujoco><compiler strippath="false"/></mujoco>
        <link name="arm"><collision><geometry>{mesh}</geometry></collision></link></robot>"""
    assert mujoco.MjModel.from_xml_string(urdf).nmesh == 1


def test_a_file_that_changed_is_read_again(arm):
    text = with_meshes('package://arm/robot/meshes/arm.obj')
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 4
    (arm / 'robot/meshes/arm.obj').write_bytes(OBJ + b'v 2 2 2\n')
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 5


@pytest.mark.parametrize(
    ('uri', 'reason'),
    [
        (
            'package://arm/nothing.obj',
            "[Errno 2] No such file or directory: '{share}/nothing.obj'",
        ),
        ('package://arm/robot', '{share}/robot is not a file'),
        ('package://arm/../../../secret.obj', "leads out of package 'arm'"),
        ('package://arm/robot/../../leg/leg.obj', "leads out of package 'arm'"),
        ('package:arm/main.xml', 'must be package://<package>/<path>'),
        ('package:///etc/passwd', "no package '' in AMENT_PREFIX_PATH or {prefix}"),
    ],
)
def test_what_is_not_in_a_package_is_an_error_with_uri_and_reason(arm, uri, reason):
    expected = f'{uri}: {reason.format(share=arm, prefix=sys.prefix)}'
    with pytest.raises(ResourceError) as caught:
        read(uri)
    assert str(caught.value) == expected


def test_what_is_not_in_a_package_is_an_error_of_the_load(arm):
    with pytest.raises(ValueError, match=r'package://arm/nothing\.xml: .* No such file'):
        mujoco.MjModel.from_xml_path('package://arm/nothing.xml')


def test_a_model_in_a_package_cannot_name_what_is_outside_of_it(arm, prefix):
    """MuJoCo removes `..` from the URI, so the part before it is not a package."""
    (prefix / 'secret.obj').write_bytes(OBJ)
    (prefix / 'share/secret.obj').write_bytes(OBJ)
    for up in ('..', '../..', 'robot/../../..', 'package://arm/../..'):
        (arm / 'main.xml').write_text(with_meshes(f'{up}/secret.obj'))
        with pytest.raises(ValueError, match='no package'):
            mujoco.MjModel.from_xml_path('package://arm/main.xml')
