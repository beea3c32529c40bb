"""A workspace with the packages that a build farm releases, built by colcon and ament_cmake."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distributions
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
COLCON = Path(sys.executable).with_name('colcon')
SERVER = 'mujoco_ros_py'
TYPES = 'mujoco_ros_msgs', 'mujoco_ros_py_interfaces'
# The wheels of the generators do not require all the CMake that they use.
WHEELS = [
    *('builtin-interfaces', 'geometry-msgs', 'rclpy[fastrtps]', 'std-msgs'),
    *('ament-cmake', 'ament-cmake-include-directories', 'ament-package'),
    *('rosidl-core-generators', 'rosidl-default-generators'),
]
OTHERS = {
    'jazzy': [
        *(f'ament-cmake-{name}' for name in ('gmock', 'gtest', 'pytest', 'ros')),
        'python-cmake-module',
    ],
    'kilted': ['ament-cmake-ros-core'],
}
LISTS_STATES = """
import rclpy
from mujoco_ros_py_interfaces.msg import StateInfo
from mujoco_ros_py_interfaces.srv import ListStates

def answer(request, response):
    response.states = [StateInfo(name='folded')]
    return response

rclpy.init()
node = rclpy.create_node('keeper')
node.create_service(ListStates, 'list_states', answer)
future = node.create_client(ListStates, 'list_states').call_async(ListStates.Request())
rclpy.spin_until_future_complete(node, future)
print(future.result().states[0].name)
rclpy.shutdown()
"""


@pytest.fixture(scope='module')
def distribution() -> str:
    """The ROS distribution whose wheels are installed here."""
    names = (str(each.metadata['Name']).split('-') for each in distributions())
    found = next((name[1] for name in names if name[::2] == ['ros', 'rclpy']), None)
    if found not in OTHERS:
        pytest.skip('the wheels of ROS are not installed')
    if not (COLCON.exists() and shutil.which('cmake') and shutil.which('g++')):
        pytest.skip('colcon, cmake or g++ is not installed')
    return found


@pytest.fixture(scope='module')
def environment(distribution, tmp_path_factory) -> dict[str, str]:
    """The environment of a prefix that pip has made of wheels, with their CMake."""
    prefix = tmp_path_factory.mktemp('prefix')
    subprocess.run([sys.executable, '-m', 'venv', prefix], check=True)
    wheels = [f'ros-{distribution}-{each}' for each in (*WHEELS, *OTHERS[distribution])]
    pip = prefix / 'bin' / 'pip'
    _run([pip, 'install', '--quiet', 'colcon-common-extensions', *wheels], prefix, {})
    _name_this_python(prefix)
    return {
        'AMENT_PREFIX_PATH': str(prefix),
        'CMAKE_PREFIX_PATH': str(prefix),
        'PATH': os.pathsep.join([str(prefix / 'bin'), os.environ['PATH']]),
        'VIRTUAL_ENV': str(prefix),  # whose Python CMake takes first
    }


def _name_this_python(prefix: Path) -> None:
    """Replaces the paths of the machine that built the wheels: CMake insists that they exist."""
    headers = sysconfig.get_path('include')
    site = sysconfig.get_path('purelib', vars={'base': str(prefix)})
    for file in prefix.glob('share/*/cmake/*.cmake'):
        text = re.sub(r'/opt/python/[\w-]+/include/python[\d.]+', headers, file.read_text())
        file.write_text(re.sub(r'/opt/python/[\w-]+/lib/python[\d.]+/site-packages', site, text))


@pytest.fixture(scope='module')
def workspace(source, environment, tmp_path_factory) -> Path:
    """A workspace with the sources, in which nothing is built yet."""
    workspace = tmp_path_factory.mktemp('workspace')
    shutil.copytree(source, workspace / 'src' / SERVER)
    return workspace


def _run(command: list[object], folder: Path, environment: dict[str, str]) -> str:
    """Returns what a command printed, and shows it if the command fails."""
    given = {key: value for key, value in os.environ.items() if key != 'PYTHONPATH'}
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**given, 'COLCON_HOME': str(folder), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=6 * DEADLINE_S,  # generated C++ of a hundred types
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def _colcon(verb: str, workspace: Path, environment: dict[str, str], *options: str) -> str:
    """Runs a verb of colcon on the folders that the README names."""
    folders = ('--base-paths', 'src', f'src/{SERVER}/interfaces')
    return _run(['colcon', '--log-base', 'log', verb, *folders, *options], workspace, environment)


def _sourced(command: str, workspace: Path, environment: dict[str, str]) -> str:
    return _run(['sh', '-c', f'. install/setup.sh && exec {command}'], workspace, environment)


@pytest.fixture(scope='module')
def built(workspace, environment) -> Path:
    """The workspace, built."""
    printed = _colcon('build', workspace, environment)
    assert 'Summary: 3 packages finished' in printed
    assert 'stderr output' not in printed
    return workspace


def test_colcon_finds_the_server_and_two_packages_of_messages(workspace, environment):
    listed = [line.split() for line in _colcon('list', workspace, environment).splitlines()]
    assert {line[0]: line[2] for line in listed} == {
        SERVER: '(ros.ament_python)',
        **dict.fromkeys(TYPES, '(ros.ament_cmake)'),
    }


@pytest.mark.parametrize('package', TYPES)
def test_cmake_builds_the_types_that_pip_builds(built, package):
    lines = (ROOT / 'test/interfaces' / f'{package}_hashes.txt').read_text().splitlines()
    expected = dict(line.split() for line in lines)
    share = built / 'install' / package / 'share'
    found = {}
    for path in (share / package).glob('*/*.json'):
        name = f'{package}/{path.parent.name}/{path.stem}'
        hashes = json.loads(path.read_text())['type_hashes']
        found[name] = next(each['hash_string'] for each in hashes if each['type_name'] == name)
    assert found == expected


def test_a_service_of_these_types_answers(built, environment):
    (built / 'lists_states.py').write_text(LISTS_STATES)
    assert _sourced('python lists_states.py', built, environment) == 'folded\n'


def test_the_bindings_of_mujoco_are_built_from_their_wheels(source, environment, tmp_path):
    shutil.copytree(source / 'packaging', tmp_path / 'src')
    _run(['colcon', '--log-base', 'log', 'build'], tmp_path, environment)
    steps = 'mujoco.mj_step(m, mujoco.MjData(m))'
    model = 'mujoco.MjModel.from_xml_string("<mujoco/>")'
    program = f'import mujoco; m = {model}; {steps}; print(mujoco.__file__)'
    printed = _sourced(f"python -c '{program}'", tmp_path, environment)
    assert printed.startswith(f'{tmp_path}/install/mujoco_python_vendor/')
