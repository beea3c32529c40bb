"""`make test-changed` runs every test that a change can break."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from deadline import DEADLINE_S

pytest.importorskip('grimp', reason='import-linter is not installed')

import changed

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]


def rooms(*files):
    return {test.split('/')[1] for test in changed.chosen(files)}


def test_a_module_chooses_the_tests_of_its_room_and_of_those_above():
    chosen = rooms('mujoco_ros_py/simulation/snapshots.py')
    assert {'simulation', 'session', 'ros', 'system', 'docs'} <= chosen
    assert not {'urdf', 'config'} & chosen
    assert 'test/mjcf/tree/test_elements.py' not in changed.chosen(
        ['mujoco_ros_py/simulation/snapshots.py']
    )


def test_the_lowest_room_chooses_every_room():
    folders = {path.parent.name for path in (ROOT / 'mujoco_ros_py').glob('*/__init__.py')}
    tested = {name for name in folders if (ROOT / 'test' / name).is_dir()}
    assert tested <= rooms('mujoco_ros_py/errors.py')


@pytest.mark.parametrize(
    ('file', 'expected'),
    [
        ('mujoco_ros_py/sweep/judgement.py', {'sweep'}),
        ('test/system/test_reload.py', {'system'}),
        ('test/mjcf/conftest.py', {'mjcf'}),
    ],
)
def test_an_upper_room_chooses_few(file, expected):
    chosen = rooms(file)
    assert chosen <= expected | {'packaging', 'test_changed.py'}
    assert chosen & expected


def test_what_all_tests_depend_on_chooses_all():
    assert changed.chosen(['test/system/test_reload.py', 'pyproject.toml']) == ['test']
    assert changed.chosen([]) == []


def test_a_change_is_found_whether_git_knows_the_file_or_not(tmp_path, monkeypatch):
    monkeypatch.setattr(changed, 'ROOT', tmp_path)
    git = ['git', '-c', 'user.name=test', '-c', 'user.email=test@example.org']
    for name in ('kept.py', 'edited.py', 'removed.py'):
        (tmp_path / name).write_text('')
    for words in (['init', '-q'], ['add', '.'], ['commit', '-qm', 'first']):
        subprocess.run([*git, *words], cwd=tmp_path, check=True)
    (tmp_path / 'edited.py').write_text('1')
    (tmp_path / 'removed.py').unlink()
    (tmp_path / 'new.py').write_text('')
    assert changed.changed('HEAD') == ['edited.py', 'new.py', 'removed.py']


@pytest.mark.nightly
@pytest.mark.parametrize(
    'module',
    [
        'mujoco_ros_py/builtin/sensors/noise/noisy_values.py',
        'mujoco_ros_py/mjcf/tools/formatting/formatter.py',
        'mujoco_ros_py/viewer/state_feed.py',
        'mujoco_ros_py/simulation/edits/physics_options.py',
    ],
)
def test_all_that_fails_in_a_full_run_was_chosen(module, tmp_path):
    """Breaks a module in a copy of the repository, and runs all fast tests there."""
    files = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard'],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    for file in files:
        if (ROOT / file).is_file():
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, tmp_path / file)
    broken = tmp_path / module
    broken.write_text(broken.read_text() + "\nraise ImportError('broken by a test')\n")
    command = ['-m', 'pytest', '--tier', 'fast', '-q', '--numprocesses', '2', '--dist', 'loadfile']
    junit = tmp_path / 'junit.xml'
    subprocess.run(
        [sys.executable, *command, '--continue-on-collection-errors', '--junitxml', str(junit)],
        cwd=tmp_path, check=False, timeout=4 * DEADLINE_S,
        env={**os.environ, 'PYTHONPATH': str(tmp_path)},
    )  # fmt: skip
    failed = {
        _file(case.get('classname') or case.get('name'), tmp_path)
        for case in ElementTree.parse(junit).iter('testcase')
        if case.find('failure') is not None or case.find('error') is not None
    }
    assert failed
    assert failed <= set(changed.chosen([module]))


def _file(dotted: str, folder: Path) -> str:
    """Returns the file of a test; the name may end with a class."""
    path = Path(*dotted.split('.'))
    while not (folder / path.with_suffix('.py')).is_file():
        path = path.parent
    return str(path.with_suffix('.py'))
