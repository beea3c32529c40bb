"""The errors for an unsuitable version of MuJoCo or numba."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

SETUP = Path(__file__).parents[1] / 'setup.py'
MODULES = ['mujoco_ros_py.engine', 'mujoco_ros_py.mjcf', 'mujoco_ros_py.simulation']


@pytest.fixture(scope='module')
def old_mujoco(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with MuJoCo 3.3, whose library has another interface."""
    folder = tmp_path_factory.mktemp('old')
    command = ['install', '--quiet', '--no-deps', '--target', str(folder), 'mujoco==3.3.7']
    done = subprocess.run(
        [sys.executable, '-m', 'pip', *command], capture_output=True, text=True, timeout=DEADLINE_S
    )
    if done.returncode:
        pytest.skip(f'no package index has MuJoCo 3.3.7: {done.stderr.strip()[-200:]}')
    return folder


def metadata_of(
    version: str, folder: Path, name: str = 'mujoco', file: str = 'dist-info/METADATA'
) -> Path:
    """Creates a folder with the metadata of a package, which cannot be imported from there."""
    information = folder / f'{name}-{version}.{file}'
    information.parent.mkdir(parents=True)
    information.write_text(f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n')
    folder.joinpath(f'{name}.py').write_text('raise SystemError("imported before the check")')
    return folder


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), *map(str, filter(None, sys.path))])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, 'PYTHONPATH': paths},
        capture_output=True, text=True, timeout=DEADLINE_S,
    )  # fmt: skip


@pytest.mark.parametrize(
    ('module', 'version'), [*zip(MODULES, ['2.3.7', '3.16.1', '4.1.0'], strict=True)]
)
def test_another_mujoco_is_an_import_error_of_one_sentence(tmp_path, module, version):
    done = python(metadata_of(version, tmp_path), '-c', f'import {module}')
    (*_, last) = done.stderr.strip().splitlines()
    assert last.startswith(
        f'ImportError: mujoco_ros_py needs MuJoCo 3.17 or newer, and below 4.1, found {version}: '
    )
    assert last.endswith("-m pip install --upgrade 'mujoco>=3.17,<4.1'")


def test_the_command_says_the_same_without_a_traceback(tmp_path):
    folder = metadata_of('3.16.1', tmp_path)
    done = python(folder, '-m', 'mujoco_ros_py', 'mjcf', '--help')
    assert done.returncode == 2
    assert done.stderr.startswith('mujoco_ros_py: mujoco_ros_py needs MuJoCo 3.17 or newer')
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize('file', ['dist-info/METADATA', 'egg-info/PKG-INFO'])
def test_an_older_numba_is_told_in_one_sentence_where_something_is_compiled(tmp_path, file):
    folder = metadata_of('0.61.2', tmp_path, 'numba', file)
    told = 'mujoco_ros_py needs numba 0.62 or newer, found 0.61.2: '
    done = python(folder, '-m', 'mujoco_ros_py', '--help')
    assert done.returncode == 2
    assert done.stderr.startswith(f'mujoco_ros_py: {told}')
    assert len(done.stderr.splitlines()) == 1
    done = python(folder, '-c', 'import mujoco_ros_py.engine.foreign.numba.numba_internals')
    assert done.stderr.strip().splitlines()[-1].startswith(f'ImportError: {told}')
    assert python(folder, '-m', 'mujoco_ros_py', 'mjcf', '--help').returncode == 0


@pytest.mark.nightly  # it is downloaded
@pytest.mark.parametrize('module', MODULES)
def test_a_real_older_mujoco_does_not_end_the_process(old_mujoco, module):
    for first in ('', 'import mujoco; '):
        done = python(old_mujoco, '-c', f'{first}import {module}')
        assert done.returncode == 1, done.stderr
        assert 'needs MuJoCo 3.17 or newer, and below 4.1, found 3.3.7: ' in done.stderr


def test_the_versions_are_those_that_pip_asks_for():
    (asked,) = re.findall(r"'(mujoco>=[^']+)'", SETUP.read_text())
    from mujoco_ros_py import requirements

    oldest, too_new = ('.'.join(map(str, v)) for v in (requirements.OLDEST, requirements.TOO_NEW))
    assert asked == f'mujoco>={oldest},<{too_new}'
    assert "'numba>={}.{},<".format(*requirements.OLDEST_NUMBA) in SETUP.read_text()


@pytest.mark.parametrize(
    'name', ['llvmlite', 'mujoco', 'numba', 'ros-jazzy-rclpy', 'ros-kilted-rclpy']
)
def test_a_library_whose_inside_is_used_is_bounded_by_the_version_that_was_tried(name):
    """The bound is the minor version after the version that the tests run with."""
    listed = re.sub(r'ros-(\w+)-', r"\1': '", name)  # as in DISTRIBUTIONS
    (bound,) = re.findall(rf"'{listed}(?:\[\w+\])?(?:>=[\d.]+,)?<([\d.]+)'", SETUP.read_text())
    try:
        tried = version(name)
    except PackageNotFoundError:
        pytest.skip(f'{name} is not installed by pip')
    if name == 'mujoco' and tried.startswith('3.'):
        pytest.skip('the tests run with the oldest MuJoCo')
    major, minor = map(int, tried.split('.')[:2])
    assert bound == f'{major}.{minor + 1}'
