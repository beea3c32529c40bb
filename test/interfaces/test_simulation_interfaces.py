"""The package simulation_interfaces: the release of the environment, and the newest one."""

from __future__ import annotations

import json
import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest
from ament_index_python import get_package_prefix

from .definitions import HERE, hashes, lines
from .processes import ROOT, built_once, install, overlay, run

PACKAGE = 'simulation_interfaces'
RELEASES = {'jazzy': '1.5.1', 'kilted': '1.6.1', 'rolling': '2.1.0'}
_OLD, _NEW = (dict(lines(f'{PACKAGE}_{release}_hashes.txt')) for release in ('1.6.1', '2.1.0'))
HASHES = dict.fromkeys(RELEASES.values(), _OLD) | {'2.1.0': _NEW}
"""The hashes of the releases, computed by ROS's own generator."""
ALWAYS = ['allow_renaming', 'entity_namespace', 'initial_pose', 'name']
_SPAWNING_1 = [*ALWAYS, 'resource_string', 'uri']
SPAWNING = dict.fromkeys(HASHES, _SPAWNING_1) | {'2.1.0': [*ALWAYS, 'entity_resource']}
"""The fields of a request to spawn an entity."""


@pytest.fixture
def backend(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / 'interfaces')
    return import_module('rosidl_backend')


@pytest.fixture(scope='module')
def newest():
    """Returns the folder of the built newest release, which this environment does not contain."""
    if not (shutil.which('gcc') and shutil.which('g++')):
        pytest.skip('gcc and g++ are not installed')
    return built_once(f'{PACKAGE}==2.1.0')


@pytest.fixture(params=['', pytest.param('2.1.0', marks=pytest.mark.nightly)])
def release(request, backend):
    """The number of a release: this environment's, or the newest."""
    return request.param or backend.read(ROOT / 'interfaces' / PACKAGE).release


@pytest.fixture
def prefix(request, release, built):
    """Returns the folder of the release."""
    if release == '2.1.0':
        return request.getfixturevalue('newest')
    built(PACKAGE)
    return Path(get_package_prefix(PACKAGE))


@pytest.fixture
def environment(prefix, tmp_path):
    """Returns the environment variables of a process that imports the release."""
    places = overlay(prefix) if prefix != Path(sys.prefix) else {}
    return {**places, 'ROS_LOG_DIR': str(tmp_path)}


@pytest.mark.parametrize(('distribution', 'release'), RELEASES.items())
def test_the_distribution_of_the_environment_chooses_the_release(
    backend, monkeypatch, distribution, release
):
    monkeypatch.setattr(import_module('rosidl_backend.environment'), 'distributions', list)
    monkeypatch.setenv('ROS_DISTRO', distribution)
    assert backend.read(ROOT / 'interfaces' / PACKAGE).release == release


def test_an_unknown_release_is_refused_with_those_that_exist(backend):
    with pytest.raises(ValueError, match=r"'3\.0\.0'; known: .* 1\.6\.1, 2\.1\.0"):
        backend.read(ROOT / 'interfaces' / PACKAGE, '3.0.0')


@pytest.mark.slow
def test_an_unknown_package_is_refused_with_those_that_exist(tmp_path):
    done = install(tmp_path, 'simulator_interfaces')
    assert done.returncode == 1
    assert done.stdout.startswith("unknown package 'simulator_interfaces'; known: control_msgs, ")


@pytest.mark.slow
def test_every_type_has_the_hash_of_the_release_which_package_xml_names(prefix, release):
    assert hashes(PACKAGE, prefix / 'share') == HASHES[release]
    manifest = (prefix / 'share' / PACKAGE / 'package.xml').read_text()
    assert f'<version>{release}</version>' in manifest


@pytest.mark.slow
def test_constants_and_the_one_default_are_those_of_all_releases(environment):
    wanted = {name: constants for name, *constants in lines(f'{PACKAGE}_constants.txt')}
    path = HERE / f'{PACKAGE}_constants.txt'
    said = run(sys.executable, HERE / 'constants.py', path, **environment)
    assert said.returncode == 0, said.stdout
    assert json.loads(said.stdout) == [wanted, 1]


@pytest.mark.slow
def test_a_folder_that_comes_first_gives_nodes_its_release(environment, release, domain):
    command = [sys.executable, HERE / 'simulator_nodes.py']
    said = run(*command, **environment, ROS_DOMAIN_ID=str(domain))
    assert said.returncode == 0, said.stdout
    assert json.loads(said.stdout) == [True, 'cube', sorted(SPAWNING[release])]


@pytest.mark.nightly
def test_what_is_in_the_folder_already_is_not_built_again(newest):
    done = install(newest, f'{PACKAGE}==2.1.0')
    assert (done.returncode, done.stdout) == (0, '')
