"""Asks the C compiler for numbers in MuJoCo's headers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import mujoco
import pytest
from deadline import DEADLINE_S

PROGRAM = """
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stddef.h>
#include <mujoco/mujoco.h>
int main(void) {{
{}
}}
"""


def numbers(questions: Iterable[tuple[str, str]], folder: Path) -> dict[str, int]:
    """Returns the values of expressions by name; skips the test without gcc."""
    compiler = shutil.which('gcc')
    if compiler is None:
        pytest.skip('gcc is not installed')
    lines = (f'printf("{key}=%zu\\n", (size_t)({value}));' for key, value in questions)
    (folder / 'main.c').write_text(PROGRAM.format('\n'.join(lines)))
    include = Path(mujoco.__file__).parent / 'include'
    command = [compiler, '-w', '-I', include, folder / 'main.c', '-o', folder / 'main']
    subprocess.run(command, check=True, timeout=DEADLINE_S)
    answer = subprocess.check_output([folder / 'main'], text=True)
    return {key: int(value) for key, _, value in (x.partition('=') for x in answer.splitlines())}
