from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from deadline import DEADLINE_S, until

ROOT = Path(__file__).parents[2]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, '-m', 'benchmarks', *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S)


def rows_in(help_text: str) -> list[str]:
    (rows,) = re.findall(r' of (\w+(?:, \w+)+); default: all', ' '.join(help_text.split()))
    return rows.split(', ')


def test_the_help_names_the_rows_and_so_does_the_error_of_an_unknown_one():
    told = run('--help')
    assert told.returncode == 0, told.stderr
    rows = rows_in(told.stdout)
    assert {'loop_humanoid', 'reset_latency', 'startup'} <= set(rows)
    done = run('reset_latency', 'nonsense')
    assert done.returncode == 2
    said = done.stderr.splitlines()[-1]
    known = ', '.join(rows)
    assert said == f'python -m benchmarks: error: unknown row nonsense; known: {known}'
    assert done.stdout == '', 'nothing is measured'


@pytest.mark.skipif(not (ROOT / '.git').exists(), reason='an sdist has no commits')
def test_an_unknown_commit_is_an_error_and_leaves_no_folder():
    done = run('--compare', 'nonsense', 'reset_latency')
    assert done.returncode == 2
    assert 'error: --compare: fatal: not a valid object name: nonsense' in done.stderr
    assert done.stdout == '', 'nothing is measured'
    assert not [*(ROOT / 'build').glob('bench-*')]


@pytest.mark.slow
def test_a_row_ends_with_the_benchmarks_though_they_are_killed(tmp_path):
    pytest.importorskip('rclpy', reason='rclpy is not installed')
    command = [sys.executable, '-m', 'benchmarks', 'loop_pendulum']
    marked = {**os.environ, 'TMPDIR': str(tmp_path)}
    process = subprocess.Popen(command, cwd=ROOT, env=marked, stdout=subprocess.DEVNULL)

    def with_mark() -> dict[int, str]:
        """Returns the command lines of all processes with the marker of these benchmarks."""
        found = {}
        for folder in Path('/proc').glob('[0-9]*'):
            with suppress(OSError):
                if str(tmp_path).encode() in (folder / 'environ').read_bytes():
                    words = (folder / 'cmdline').read_bytes().split(b'\0')
                    found[int(folder.name)] = b' '.join(words).decode()
        return found

    until(lambda: any('mujoco_ros_py --ros-args' in line for line in with_mark().values()))
    locks = list(tmp_path.glob('mujoco_ros_py_domain_*'))
    assert locks, 'the row has domains that nobody else uses'
    process.kill()
    process.wait()
    until(lambda: not with_mark(), 'the end of all processes')
