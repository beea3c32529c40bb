"""The packages in `interfaces` that a ROS build farm releases have consistent metadata."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import mujoco_ros_py

INTERFACES = Path(__file__).parents[2] / 'interfaces'
RELEASED = 'mujoco_ros_msgs', 'mujoco_ros_py_interfaces'
_USED = re.compile(r'^(\w+)/\w+(?:\[\S*\])? \w+', re.MULTILINE)


@pytest.fixture(params=RELEASED)
def package(request) -> Path:
    return INTERFACES / request.param


def _definitions(package: Path) -> list[Path]:
    return sorted(
        path for kind in ('action', 'msg', 'srv') for path in package.glob(f'*/*.{kind}')
    )


def test_cmake_generates_every_type_that_is_defined(package):
    cmake = (package / 'CMakeLists.txt').read_text()
    named = re.findall(r'^  (\w+/\w+\.\w+)$', cmake, re.MULTILINE)
    assert named == [str(path.relative_to(package)) for path in _definitions(package)]
    assert f'project({package.name})' in cmake


def test_the_packages_whose_types_are_used_are_the_dependencies(package):
    used = {name for path in _definitions(package) for name in _USED.findall(path.read_text())}
    if any(path.suffix == '.action' for path in _definitions(package)):
        used.add('action_msgs')
    cmake = (package / 'CMakeLists.txt').read_text()
    (dependencies,) = re.findall(r'^  DEPENDENCIES (.*)$', cmake, re.MULTILINE)
    tools = {'ament_cmake', 'rosidl_default_generators'}
    manifest = ElementTree.parse(package / 'package.xml').getroot()
    assert used - {package.name} == set(dependencies.split())
    assert used - {package.name} == {each.text for each in manifest.iter('depend')}
    assert set(re.findall(r'find_package\((\w+) ', cmake)) == tools.union(dependencies.split())
    assert {each.text for each in manifest.iter('buildtool_depend')} == tools


def test_they_have_the_version_the_licence_and_the_maintainer_of_the_server(package):
    ours, server = (
        ElementTree.parse(folder / 'package.xml').getroot()
        for folder in (package, INTERFACES.parent)
    )
    assert ours.findtext('version') == mujoco_ros_py.__version__
    for tag in 'license', 'maintainer':
        assert ours.findtext(tag) == server.findtext(tag)
    # The branch that is released has the content of `interfaces` alone.
    licence = (INTERFACES / 'LICENSE').read_text()
    assert licence == (INTERFACES.parent / 'LICENSE').read_text()


def test_tools_of_ros_leave_the_packages_that_ros_has_itself_to_ros():
    packages = pytest.importorskip('catkin_pkg.packages', reason='catkin_pkg is not installed')
    assert sorted(packages.find_package_paths(INTERFACES)) == sorted(RELEASED)
