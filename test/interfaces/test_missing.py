"""The errors of the build backend if it cannot build."""

import os
import sys
import sysconfig
from dataclasses import replace
from importlib import import_module

import pytest

from .processes import PROBE, ROOT, pip_install

pytestmark = pytest.mark.slow


@pytest.fixture
def backend(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / 'interfaces')
    return import_module('rosidl_backend')


@pytest.fixture
def package(backend):
    return replace(backend.Package.read(PROBE), depends=('std_msgs',))


def test_every_missing_tool_is_named_with_what_brings_it(backend, package, monkeypatch, tmp_path):
    environment = import_module('rosidl_backend.environment')
    monkeypatch.setattr(environment, 'CC', ['gcc'])
    monkeypatch.setattr(environment, 'CXX', ['ccache', 'g++'])
    monkeypatch.setenv('PATH', str(tmp_path))
    monkeypatch.setattr(sysconfig, 'get_path', lambda name: str(tmp_path))
    assert backend.missing(package) == [
        'gcc (apt install gcc)',
        'ccache (apt install ccache)',
        'Python.h (apt install python3-dev)',
    ]


def test_a_missing_package_is_named_with_what_brings_it(backend, package):
    incomplete = replace(package, depends=('std_msgs', 'no_such_msgs'))
    (reason,) = set(backend.missing(incomplete)) - set(backend.missing(package))
    assert reason.startswith('no_such_msgs (pip install ros-')
    assert reason.endswith('-no-such-msgs)')


@pytest.mark.parametrize('name', ['control_msgs', 'simulation_interfaces'])
def test_types_of_some_distributions_are_not_built_for_another(backend, monkeypatch, name):
    monkeypatch.setattr(import_module('rosidl_backend.environment'), 'distributions', list)
    for distribution in ('jazzy', 'kilted'):
        monkeypatch.setenv('ROS_DISTRO', distribution)
        assert not backend.read(ROOT / 'interfaces' / name).unknown_to
    monkeypatch.setenv('ROS_DISTRO', 'zebra')
    package = f'ros-zebra-{name.replace("_", "-")}'
    needs = backend.missing(backend.read(ROOT / 'interfaces' / name))
    assert needs == [f"zebra's own types (apt install {package})"]


def test_without_generators_it_says_where_they_come_from(backend, package, monkeypatch, tmp_path):
    monkeypatch.delenv('AMENT_PREFIX_PATH', raising=False)
    monkeypatch.setattr(sys, 'prefix', str(tmp_path))
    advice = "rclpy[fastrtps]', and run pip with --no-build-isolation)"
    assert advice in backend.missing(package)[-1]


def test_pip_shows_the_reason_without_a_traceback(tmp_path):
    done = pip_install(ROOT / 'interfaces' / 'tf2_msgs', tmp_path, CXX='no-such-compiler')
    assert done.returncode != 0
    assert 'tf2_msgs cannot be built without no-such-compiler (apt install' in done.stdout
    assert 'Traceback' not in done.stdout


def test_nothing_is_built_over_what_another_installation_brings(tmp_path):
    index = tmp_path / 'share' / 'ament_index' / 'resource_index' / 'packages'
    index.mkdir(parents=True)
    (index / 'tf2_msgs').touch()
    before = os.environ.get('AMENT_PREFIX_PATH', '')
    path = f'{tmp_path}{os.pathsep}{before}'
    done = pip_install(ROOT / 'interfaces' / 'tf2_msgs', tmp_path / 'new', AMENT_PREFIX_PATH=path)
    assert f'tf2_msgs is already in {tmp_path}; this build would hide it' in done.stdout
    assert not (tmp_path / 'new').exists()


@pytest.mark.parametrize('tag', ['name', 'version', 'description', 'license'])
def test_a_package_xml_that_lacks_something_is_refused(backend, tmp_path, tag):
    text = (PROBE / 'package.xml').read_text()
    (tmp_path / 'package.xml').write_text(
        text.replace(f'<{tag}>', f'<{tag}s>').replace(f'</{tag}>', f'</{tag}s>')
    )
    (tmp_path / 'msg').symlink_to(PROBE / 'msg')
    with pytest.raises(ValueError, match=f'package.xml must have a <{tag}>'):
        backend.Package.read(tmp_path)


def test_a_package_without_types_is_refused(backend, tmp_path):
    with pytest.raises(ValueError, match='must contain msg/'):
        backend.Package.read(tmp_path)
