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


def test_an_unknown_row_is_an_error_that_names_those_that_there_are():
    done = run('reset_latency', 'nonsense')
    assert done.returncode == 2
    known = rows_in(run('--help').stdout)
    assert {'loop_humanoid', 'reset_latency', 'startup'} <= set(known)
    said = done.stderr.splitlines()[-1]
    assert said == f'python -m benchmarks: error: no row nonsense; there are {", ".join(known)}'
    assert done.stdout == '', 'nothing is measured'
