"""Wheels are built and used for real."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distributions, version

import pytest

from .definitions import HERE, lines
from .processes import PROBE, ROOT, overlay, run, site_packages

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(
        not (shutil.which('gcc') and shutil.which('g++')), reason='gcc and g++ are not installed'
    ),
]


@pytest.fixture(scope='module')
def clone(tmp_path_factory):
    """Returns a copy of the folder `interfaces` as in a clone."""
    if not (ROOT / '.git').exists():
        pytest.skip('this is no clone')
    folder = tmp_path_factory.mktemp('clone')
    known = ('--cached', '--others', '--exclude-standard', '--', 'interfaces')
    for name in run('git', '-C', ROOT, 'ls-files', *known).stdout.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder / 'interfaces'


@pytest.fixture(scope='module')
def prefix(tmp_path_factory):
    """Returns the folder into which the tests' own package is installed."""
    pytest.importorskip('tf2_msgs', reason='tf2_msgs, which it builds upon, is not installed')
    return tmp_path_factory.mktemp('prefix')


@pytest.fixture(scope='module')
def install(clone, prefix):
    """Returns a function that runs install.py in the clone, which also has a package of the
    tests."""
    probe = shutil.copytree(PROBE, clone / 'probe_msgs')
    shutil.copy(clone / 'tf2_msgs' / 'pyproject.toml', probe)

    def install():
        script = clone / 'install.py'
        # pip would otherwise uninstall packages of this environment that are out of date.
        place = {'PIP_PREFIX': str(prefix), 'PIP_IGNORE_INSTALLED': '1'}
        return run(sys.executable, script, **place, **overlay(prefix)).stdout

    return install


@pytest.fixture(scope='module')
def progress(install):
    """Returns the output of install.py while it builds the package of the tests."""
    return install()


@pytest.fixture
def wheel(prefix, progress) -> Distribution:
    (found,) = distributions(path=[str(site_packages(prefix))], name='ros-probe-msgs')
    return found


def test_what_is_missing_is_built_once(progress, install):
    assert re.fullmatch(r'Building 3 types of probe_msgs \.* \d+ s\n', progress)
    assert install() == ''


def test_a_wheel_is_for_this_python_and_requires_what_it_was_built_upon(wheel):
    major, minor = sys.version_info[:2]
    assert f'Tag: cp{major}{minor}-' in wheel.read_text('WHEEL')
    names = 'action-msgs builtin-interfaces geometry-msgs service-msgs std-msgs tf2-msgs'
    names = [f'ros-{name}' for name in (*names.split(), 'unique-identifier-msgs')]
    assert set(wheel.requires) == {f'{name}=={version(name)}' for name in names}


def test_the_version_is_that_of_package_xml_and_no_wheel_is_for_the_public(wheel):
    assert re.fullmatch(r'1\.2\.3\+local\.s[0-9a-f]{8}', wheel.version)
    assert wheel.metadata.get_all('Classifier') == ['Private :: Do Not Upload']


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
        'hash of TFMessage': dict(lines('tf2_msgs_hashes.txt'))['tf2_msgs/msg/TFMessage'],
    }
