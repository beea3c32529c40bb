from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from deadline import DEADLINE_S

ROOT = Path(__file__).parents[2]


def run(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, '-m', 'benchmarks', *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE_S)


def rows_in(help_text: str) -> list[str]:
    (rows,) = re.findall(r' of (\w+(?:, \w+)+); none: all', ' '.join(help_text.split()))
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
    assert said == f'python -m benchmarks: error: no row nonsense; there are {known}'
    assert done.stdout == '', 'nothing is measured'


def test_an_unknown_commit_is_an_error_and_leaves_no_folder():
    done = run('--compare', 'nonsense', 'reset_latency')
    assert done.returncode == 2
    assert 'error: --compare: fatal: not a valid object name: nonsense' in done.stderr
    assert done.stdout == '', 'nothing is measured'
    assert not [*(ROOT / 'build').glob('bench-*')]
