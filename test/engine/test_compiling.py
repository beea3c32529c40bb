"""Compilations are logged, and can be stopped at any time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from deadline import DEADLINE_S

pytestmark = pytest.mark.slow

STOPPED = """
import logging, threading
from mujoco_ros_py.engine import compiled, compiling, own_code  # numba is there before
from mujoco_ros_py.errors import CompilingStoppedError

class Stop(logging.Handler):
    def emit(self, record):
        print(record.getMessage())
        compiling.stop()

log = logging.getLogger('mujoco_ros_py.engine.compiling')
log.setLevel(logging.INFO)
log.addHandler(Stop())
for _ in range(2):
    try:
        own_code.prepare(own_code.LOOP)
    except CompilingStoppedError as error:
        print(error)
print(repr(compiling.stopped_function()), compiling.compiled_functions())
import numba
print(numba.njit(lambda x: x + 1)(1))
"""


def output_of(code: str, cache: Path) -> list[str]:
    """Returns the output of a process with its own cache."""
    env = {**os.environ, 'MUJOCO_ROS_PY_CACHE_DIR': str(cache)}
    return subprocess.run(
        [sys.executable, '-c', code], env=env, capture_output=True, text=True, check=True,
        timeout=DEADLINE_S,
    ).stdout.splitlines()  # fmt: skip


def test_what_is_compiled_is_told_and_ends_as_soon_as_it_is_stopped(tmp_path):
    first = 'the physics loop, 1 of 6 (on_control)'
    assert output_of(STOPPED, tmp_path) == [
        f'compiling {first}',
        f'{first} is not compiled because the process ends',
        f'{first} is not compiled because the process ends',
        repr(first) + ' 1',
        '2',  # compilations of other code are not stopped
    ]
    assert not list(tmp_path.rglob('*.machine_code'))
