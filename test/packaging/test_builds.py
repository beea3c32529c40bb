"""What users get from pip and from colcon: the package is really built and installed."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix, get_package_share_directory
from deadline import DEADLINE_S

pytestmark = pytest.mark.nightly

ROOT = Path(__file__).parents[2]
NAME = 'mujoco_ros_py'
COLCON = Path(sys.executable).with_name('colcon')


@pytest.fixture(scope='module')
def prefix(source, tmp_path_factory):
    """Where pip has installed the package."""
    prefix = tmp_path_factory.mktemp('prefix')
    command = [sys.executable, '-m', 'pip', 'install', '--no-deps', '--no-build-isolation']
    # without --ignore-installed pip would take the editable install away from this environment
    _run([*command, '--ignore-installed', '--prefix', prefix, source], cwd=prefix)
    return prefix


@pytest.fixture(scope='module', params=[(), ('--symlink-install',)], ids=['copied', 'linked'])
def workspace(request, source, tmp_path_factory):
    """A workspace in which colcon has built the package."""
    if not COLCON.exists():
        pytest.skip('colcon is not installed in this environment')
    workspace = tmp_path_factory.mktemp('workspace')
    shutil.copytree(source, workspace / 'src' / NAME)
    command = [COLCON, '--log-base', 'log', 'build', *request.param]
    _run(command, cwd=workspace, COLCON_HOME=str(workspace))
    return workspace


def _run(command, cwd, **environment):
    """Run with this Python's own programs first; what it printed comes with a failure."""
    path = f'{Path(sys.executable).parent}{os.pathsep}{os.environ["PATH"]}'
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, 'PATH': path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def _site_packages(prefix) -> str:
    return sysconfig.get_path('purelib', vars={'base': str(prefix), 'platbase': str(prefix)})


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_ros2_finds_a_pip_installed_package_and_its_executables(prefix, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix))
    executables = Path(get_package_prefix(NAME)) / 'lib' / NAME
    programs = {path.name for path in executables.iterdir() if path.is_file()}
    shipped = {path.name for path in (ROOT / 'scripts').iterdir() if path.is_file()}
    assert programs == shipped > {'server', 'parameter_server', 'drive_square', 'follow_wall'}
    assert all(os.access(executables / program, os.X_OK) for program in programs)
    for folder in 'quadruped', 'wall_following':
        parts = {path.name for path in (ROOT / 'scripts' / folder).glob('*.py')}
        assert parts <= _files(executables / folder), 'what a program imports lies beside it'


def test_ros2_finds_the_launch_files_configurations_and_examples(prefix, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix))
    share = Path(get_package_share_directory(NAME))
    for folder in ('launch', 'config'):
        ours = {path.name for path in (ROOT / folder).iterdir() if path.is_file()}
        assert ours
        assert ours <= _files(share / folder)
    assert 'arm.xml' in _files(share / 'examples')
    assert (share / 'package.xml').is_file()


def test_pip_brings_what_builds_the_messages_that_it_lacks(prefix):
    def files(folder: Path) -> set[Path]:
        return {
            path.relative_to(folder)
            for path in folder.rglob('*.*')
            if path.is_file() and not {'__pycache__', 'build'}.intersection(path.parts)
        }

    installed = prefix / 'share' / NAME / 'interfaces'
    assert Path('tf2_msgs/msg/TFMessage.msg') in files(installed)
    assert Path('rosidl_backend/wheel.py') in files(installed)
    assert files(installed) == files(ROOT / 'interfaces')


def test_pip_puts_one_command_on_the_path(prefix):
    assert _files(prefix / 'bin') == {NAME}


def test_a_pip_installed_package_brings_its_data_and_its_type_hints(prefix):
    def files(folder: Path) -> set[Path]:
        found = (path for path in folder.rglob('*.*') if path.suffix not in ('.py', '.pyc'))
        return {path.relative_to(folder) for path in found}

    ours = files(ROOT / NAME)
    assert {Path('py.typed'), Path('builtin/plugins.xml'), Path('mjcf/elements.pyi')} <= ours
    assert files(Path(_site_packages(prefix)) / NAME) == ours


@pytest.mark.parametrize('executable', ['server', 'parameter_server'])
def test_a_pip_installed_executable_runs(prefix, executable):
    path = prefix / 'lib' / NAME / executable
    assert 'Usage: ' in _run([path, '--help'], cwd=prefix, PYTHONPATH=_site_packages(prefix))


def test_colcon_takes_it_for_a_ros_package(workspace):
    packages = _run([COLCON, '--log-base', 'log', 'list'], cwd=workspace)
    assert packages.split() == [NAME, f'src/{NAME}', '(ros.ament_python)']


def test_a_sourced_workspace_beats_what_pip_installed(workspace):
    output = _run_sourced(f'python3 -c "import {NAME}; print({NAME}.__file__)"', workspace)
    assert output.startswith(f'{workspace}/')


@pytest.mark.parametrize('executable', ['server', 'parameter_server'])
def test_an_executable_that_colcon_installed_runs(workspace, executable):
    output = _run_sourced(f'install/{NAME}/lib/{NAME}/{executable} --help', workspace)
    assert 'Usage: ' in output


def test_a_server_that_colcon_installed_finds_the_example_by_its_package(workspace):
    model = f'-p modelfile:=package://{NAME}/examples/arm.xml -p num_steps:=1'
    output = _run_sourced(f'install/{NAME}/lib/{NAME}/server --ros-args {model}', workspace)
    assert f'loaded package://{NAME}/examples/arm.xml' in output


def _run_sourced(command, workspace):
    return _run(['sh', '-c', f'. install/setup.sh && exec {command}'], cwd=workspace)
