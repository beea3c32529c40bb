"""`make test` runs the guards of the main job, and few servers."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from deadline import DEADLINE_S

TEST = Path(__file__).parent
MOST = 60
"""Each of these tests starts a server or more, which costs a core two seconds."""
GUARDS = {
    'test_camera_images.py',
    'test_clock.py',
    'test_eval_mode.py',
    'test_joint_states.py',
    'test_plugin_lifecycle.py',
    'test_reload.py',
    'test_reset.py',
    'test_signals.py',
    'test_stepping.py',
}


@pytest.fixture(scope='module')
def counts() -> Counter[str]:
    """The number of fast tests in each file of `test/system`."""
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    command = ['-m', 'pytest', '--collect-only', '-q', '--tier', 'fast', str(TEST / 'system')]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=TEST.parent, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    files = [line.partition('::')[0] for line in done.stdout.splitlines() if '::' in line]
    return Counter(Path(file).name for file in files)


@pytest.mark.slow
def test_few_of_the_fast_tests_start_a_server(counts):
    assert counts.total() <= MOST, counts


@pytest.mark.slow
def test_every_part_of_the_main_job_has_a_fast_test(counts):
    assert set(counts) >= GUARDS


def test_slow_tests_are_marked_in_their_files_where_the_tier_looks_for_the_mark():
    folders = (path for path in TEST.iterdir() if path.is_dir())
    files = (path for folder in folders for path in folder.rglob('*.py'))
    others = (path for path in files if not path.match('test_*.py'))
    assert [path.name for path in others if 'pytest.mark.slow' in path.read_text()] == []


def test_python_keeps_what_it_compiles_when_make_runs_it():
    if shutil.which('make') is None:
        pytest.skip('make is not installed')
    done = subprocess.run(
        ['make', '--eval', 'probe: ; @env', 'probe'],
        cwd=TEST.parent, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
        env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'AMENT_PREFIX_PATH=' in done.stdout
    assert 'PYTHONDONTWRITEBYTECODE' not in done.stdout


def test_all_tests_with_a_screen_are_known_so_that_they_run_one_after_the_other():
    pytest.importorskip('xdist', reason='pytest-xdist is not installed')
    from screens import FILES

    signs = 'open_page', 'x_display', 'from chromium import'
    found = {
        str(path.relative_to(TEST.parent))
        for path in TEST.rglob('test_*.py')
        if path != Path(__file__) and any(sign in path.read_text() for sign in signs)
    }
    assert found == FILES
