"""Wheels that are really built, and really used."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distributions, version
from importlib.util import find_spec
from pathlib import Path

import pytest
from ament_index_python import get_package_share_directory, get_resource

from .processes import PROBE, ROOT, overlay, pip_install, run, site_packages

HERE = Path(__file__).parent
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which('gcc') and shutil.which('g++')), reason='gcc and g++ are not installed'
    ),
]


@pytest.fixture(scope='module')
def clone(tmp_path_factory):
    """The folder of interfaces as a clone would have it, and nothing else."""
    if not (ROOT / '.git').exists():
        pytest.skip('this is no clone')
    folder = tmp_path_factory.mktemp('clone')
    known = ('--cached', '--others', '--exclude-standard', '--', 'interfaces')
    for name in run('git', '-C', ROOT, 'ls-files', *known).stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder / 'interfaces'


@pytest.fixture(scope='module')
def prefix(clone, tmp_path_factory):
    """Where tf2_msgs is installed, built by hand."""
    found = find_spec('tf2_msgs')
    if found and not str(found.origin).startswith(sys.prefix):
        pytest.skip('a ROS installation brings tf2_msgs')
    prefix = tmp_path_factory.mktemp('prefix')
    done = pip_install(clone / 'tf2_msgs', prefix)
    assert done.returncode == 0, done.stdout
    return prefix


@pytest.fixture(scope='module')
def install(clone, prefix):
    """A function that runs install.py in the clone, which has a package of the tests' own too."""
    probe = shutil.copytree(PROBE, clone / 'probe_msgs')
    shutil.copy(clone / 'tf2_msgs' / 'pyproject.toml', probe)

    def install():
        script = clone / 'install.py'
        return run(sys.executable, script, PIP_PREFIX=str(prefix), **overlay(prefix)).stdout

    return install


@pytest.fixture(scope='module')
def progress(install):
    """What install.py printed when it built the package of the tests' own."""
    return install()


def test_what_is_missing_is_built_once(progress, install):
    assert re.fullmatch(r'Building probe_msgs \(3 types\) \.* \d+ s\n', progress)
    assert install() == ''


def test_every_type_has_the_hash_that_ros_publishes(prefix):
    share = prefix / 'share' / 'tf2_msgs'
    built = [json.loads(path.read_text())['type_hashes'][0] for path in share.rglob('*.json')]
    assert {one['type_name']: one['hash_string'] for one in built} == _published_hashes()


def _published_hashes() -> dict[str, str]:
    """Those in share/tf2_msgs of ROS's own binaries; Jazzy and Kilted have the same."""
    lines = (HERE / 'tf2_msgs_hashes.txt').read_text().splitlines()
    return dict(line.split() for line in lines)


def test_a_lookup_fails_with_the_numbers_that_ros_has(prefix):
    """Constants are no part of a hash."""
    names = 'NO_ERROR LOOKUP_ERROR CONNECTIVITY_ERROR EXTRAPOLATION_ERROR'
    names += ' INVALID_ARGUMENT_ERROR TIMEOUT_ERROR TRANSFORM_ERROR'
    values = ', '.join(f'TF2Error.{name}' for name in names.split())
    code = f'from tf2_msgs.msg import TF2Error; print({values})'
    assert run(sys.executable, '-c', code, **overlay(prefix)).stdout == '0 1 2 3 4 5 6\n'


def test_a_wheel_is_for_this_python_and_requires_what_it_was_built_upon(prefix):
    wheel = _distribution(prefix)
    major, minor = sys.version_info[:2]
    assert f'Tag: cp{major}{minor}-' in wheel.read_text('WHEEL')
    assert set(wheel.requires) == {
        f'{name}=={version(name)}'
        for name in (
            'ros-action-msgs',
            'ros-builtin-interfaces',
            'ros-geometry-msgs',
            'ros-service-msgs',
            'ros-std-msgs',
            'ros-unique-identifier-msgs',
        )
    }


def test_the_version_is_that_of_package_xml_and_no_wheel_is_for_the_public(prefix):
    wheel = _distribution(prefix)
    manifest = (ROOT / 'interfaces' / 'tf2_msgs' / 'package.xml').read_text()
    version, _, built = wheel.version.partition('+')
    assert f'<version>{version}</version>' in manifest
    assert re.fullmatch(r'local\.s[0-9a-f]{8}', built)
    assert wheel.metadata.get_all('Classifier') == ['Private :: Do Not Upload']


def _distribution(prefix) -> Distribution:
    (found,) = distributions(path=[str(site_packages(prefix))], name='ros-tf2-msgs')
    return found


def test_ros_finds_the_definitions(prefix, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(prefix))
    listed = get_resource('rosidl_interfaces', 'tf2_msgs')[0].split()
    share = Path(get_package_share_directory('tf2_msgs'))
    assert 'action/LookupTransform.action' in listed
    assert all((share / name).is_file() for name in (*listed, 'package.xml'))


def test_topics_services_and_actions_work_between_processes(prefix, progress, domain, tmp_path):
    environment = {**overlay(prefix), 'ROS_DOMAIN_ID': str(domain), 'ROS_LOG_DIR': str(tmp_path)}
    command = [sys.executable, str(HERE / 'echo.py')]
    with subprocess.Popen(command, env={**os.environ, **environment}) as echo:
        try:
            asked = run(sys.executable, HERE / 'ask.py', **environment)
        finally:
            echo.kill()
    assert asked.returncode == 0, asked.stdout
    assert json.loads(asked.stdout) == {
        'topic': True,
        'service': True,
        'feedback': 3,
        'probes': [[7, 'probe', 'probe', [8, 9]]] * 3,
        'hash of TFMessage': _published_hashes()['tf2_msgs/msg/TFMessage'],
    }
