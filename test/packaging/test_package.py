"""What the package says of itself and of its needs; see also test_sdist.py and test_builds.py."""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from xml.etree import ElementTree

import pytest
from deadline import DEADLINE_S

import mujoco_ros_py
from mujoco_ros_py.requirements import OLDEST, TOO_NEW

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
NAME = 'mujoco_ros_py'

# Import names and rosdep keys differ for what is not a ROS package.
ROSDEP_KEYS = {
    'websockets': 'python3-websockets',
    'PIL': 'python3-pil',
    'click': 'python3-click',
    'llvmlite': 'python3-numba',
    'lxml': 'python3-lxml',
    'mujoco': 'python3-mujoco-pip',
    'numba': 'python3-numba',
    'numpy': 'python3-numpy',
    'scipy': 'python3-scipy',
    'yaml': 'python3-yaml',
}
# Launch files are not for those who come without ROS; interfaces/ builds the messages.
NOT_ON_PYPI = {
    'control_msgs',
    'launch',
    'launch_ros',
    'mujoco_ros_msgs',
    'mujoco_ros_py_interfaces',
    'ros_gz_interfaces',
    'simulation_interfaces',
    'tf2_msgs',
}
# One key that rosdep does not have lets it install nothing at all. A package with a key of pip
# cannot be released.
WITHOUT_ROSDEP_KEY = {
    'av',
    'glfw',  # which MuJoCo's wheel brings
    'lz4',
    'mcap',
    'mujoco_ros_msgs',
    'mujoco_ros_py_interfaces',
    'plotly',
    'pyarrow',
    'ray',
    're2',
    'rich',
    'trimesh',
    'zstandard',
}
PIP_NAMES = {'PIL': 'pillow', 're2': 'google-re2', 'yaml': 'pyyaml'}
# Type checkers bring the first, and suites of tests the second; nothing else imports them.
BROUGHT = {'typing_extensions', 'pytest'}


@pytest.fixture(scope='module')
def described(tmp_path_factory) -> Distribution:
    """What setup.py says of the package, without a build."""
    folder = tmp_path_factory.mktemp('described')
    command = [sys.executable, 'setup.py', '-q', 'egg_info', '--egg-base', str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    (found,) = distributions(path=[str(folder)])
    return found


def test_setup_package_and_package_xml_tell_the_same_story(described):
    manifest = ElementTree.parse(ROOT / 'package.xml').getroot()
    metadata = described.metadata
    maintainer = manifest.find('maintainer')
    assert metadata['Version'] == mujoco_ros_py.__version__
    assert {
        'Name': manifest.findtext('name'),
        'Version': manifest.findtext('version'),
        'Summary': manifest.findtext('description'),
        'License': manifest.findtext('license'),
        'Maintainer': maintainer.text,
        'Maintainer-email': maintainer.get('email'),
    }.items() <= dict(metadata.items()).items()


def test_package_xml_names_everything_that_is_imported():
    manifest = ElementTree.parse(ROOT / 'package.xml').getroot()
    named = {depend.text for depend in manifest.iter('exec_depend')}
    wanted = _third_party_imports() - WITHOUT_ROSDEP_KEY
    assert {ROSDEP_KEYS.get(module, module) for module in wanted} - named == set()
    assert named & WITHOUT_ROSDEP_KEY == set()


def test_a_release_by_a_build_farm_waits_for_the_bindings_of_mujoco_alone():
    manifest = ElementTree.parse(ROOT / 'package.xml').getroot()
    keys = {each.text for tag in ('exec_depend', 'test_depend') for each in manifest.iter(tag)}
    assert {key for key in keys if re.fullmatch('python3-.+-pip', key)} == {'python3-mujoco-pip'}
    vendor = ROOT / 'packaging' / 'mujoco_python_vendor'
    wheels = dict(re.findall(r'^([\w-]+)==(\S+)', (vendor / 'requirements.txt').read_text(), re.M))
    assert OLDEST <= tuple(map(int, wheels['mujoco-core'].split('.'))) < TOO_NEW
    described = ElementTree.parse(vendor / 'package.xml').getroot()
    assert described.findtext('version') == wheels['mujoco-core']
    assert (vendor / 'LICENSE').read_text() == (ROOT / 'LICENSE').read_text()


@pytest.mark.parametrize('distribution', ['jazzy', 'kilted'])
def test_pip_requires_everything_that_is_imported(described, distribution):
    required = {line.split(';')[0].strip() for line in described.requires}
    names = {line.split('[')[0].split('<')[0].split('>')[0].casefold() for line in required}
    wanted = {PIP_NAMES.get(name, name) for name in _third_party_imports() - NOT_ON_PYPI}
    assert {
        module
        for module in wanted
        if not names & {module, f'ros-{distribution}-{module.replace("_", "-")}'}
    } == set()


def test_pip_lands_nothing_over_a_ros_installation(described):
    """Only who asks for an extra gets wheels of ROS packages."""
    required = [line for line in described.requires or [] if line.startswith('ros-')]
    assert required
    assert [line for line in required if "extra == 'ros" not in line.replace('"', "'")] == []


@cache
def _third_party_imports() -> set[str]:
    files = [*(ROOT / NAME).rglob('*.py'), *(ROOT / 'launch').glob('*.py')]
    modules = {module for path in files for module in _imported_modules(path)}
    return modules - set(sys.stdlib_module_names) - BROUGHT - {NAME}


def _imported_modules(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level]
    return {name.split('.')[0] for name in names} | set(filter(None, map(_package_of_type, nodes)))


def _package_of_type(node: ast.AST) -> str:
    """Returns the package of a type that is taken by its name, such as sensor_msgs/msg/Imu."""
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
    if called != 'ros_type' or not isinstance(node.args[0], ast.Constant):
        return ''
    return node.args[0].value.partition('/')[0]
