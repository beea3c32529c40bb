"""When interfaces/install.py would build. The tests detect this by its warning of a missing
compiler."""

import re
import shutil
import subprocess
import sys
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from system.harness import wait_until

from .processes import PROBE, ROOT, run

pytestmark = pytest.mark.slow

WARNING = (
    'Warning: skipped probe_msgs (a type of each kind, all of one name);'
    ' missing: gcc (apt install gcc), g++ (apt install g++)\n'
)


@pytest.fixture
def install(tmp_path):
    """Returns a function that runs the script on a folder with one package, without a compiler."""
    room = tmp_path / 'room'
    shutil.copytree(PROBE, room / 'probe_msgs')
    manifest = room / 'probe_msgs' / 'package.xml'
    manifest.write_text(manifest.read_text().replace('tf2_msgs', 'builtin_interfaces'))
    shutil.copytree(ROOT / 'interfaces' / 'rosidl_backend', room / 'rosidl_backend')
    shutil.copy(ROOT / 'interfaces' / 'install.py', room)

    def install():
        script, site = room / 'install.py', str(tmp_path / 'site')
        return run(sys.executable, script, PYTHONPATH=site, PATH='', CC='', CXX='')

    return install


@pytest.fixture
def site(tmp_path):
    """Returns a folder on Python's path that contains a package of this name."""
    (tmp_path / 'site' / 'probe_msgs').mkdir(parents=True)
    (tmp_path / 'site' / 'probe_msgs' / '__init__.py').touch()
    return tmp_path / 'site'


class Screen(StringIO):
    """A standard output that creates a file when a dot is printed."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def write(self, text: str) -> int:
        if text == '.':
            self._file.touch()
        return super().write(text)


def test_points_show_that_a_build_goes_on_and_its_failure_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT / 'interfaces')
    install, seen = import_module('install'), tmp_path / 'seen'
    monkeypatch.setattr(install, '_PERIOD_S', 0.01)
    monkeypatch.setattr(sys, 'stdout', screen := Screen(seen))

    def pip(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        wait_until(lambda: command != 'wheel' or seen.exists(), 'a point')
        return subprocess.CompletedProcess([], int(command == 'wheel'), f'{command} says it\n')

    monkeypatch.setattr(install, '_pip', pip)
    package = import_module('rosidl_backend').Package.read(PROBE)
    assert not install._install([package], None)
    assert re.fullmatch(r'Building 3 types of probe_msgs \.+ \d+ s\n', screen.getvalue())
    assert capsys.readouterr().err == 'wheel says it\n'


def test_without_compilers_it_warns_in_a_line_and_set_up_goes_on(install):
    done = install()
    assert (done.stdout, done.returncode) == (WARNING, 0)


def test_what_can_be_imported_is_left_alone(install, site):
    done = install()
    assert (done.stdout, done.returncode) == ('', 0)


@pytest.mark.parametrize(
    ('version', 'said'),
    [
        pytest.param('1.2.3', '', id='from elsewhere'),
        pytest.param('1.2.3+local.s01234567', WARNING, id='built of another source'),
        pytest.param('{version}', WARNING, id='built upon other packages'),
    ],
)
def test_what_was_built_here_is_built_anew_when_it_is_outdated(
    install, site, tmp_path, monkeypatch, version, said
):
    monkeypatch.syspath_prepend(ROOT / 'interfaces')
    source = import_module('rosidl_backend').Package.read(tmp_path / 'room' / 'probe_msgs')
    version = version.format(version=source.version)
    folder = site / f'ros_probe_msgs-{version}.dist-info'
    folder.mkdir()
    (folder / 'METADATA').write_text(
        f'Metadata-Version: 2.1\nName: ros-probe-msgs\nVersion: {version}\n'
    )
    assert install().stdout == said
