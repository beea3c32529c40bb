"""The code of the loop is loaded during the start, unless it has to be compiled first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

CODE = """
import sys, threading
from mujoco_ros_py.engine import load_ahead, machine_code
load_ahead()
for thread in threading.enumerate():
    if thread.name == 'code':
        thread.join()
print(len(machine_code._loaded), 'numba' in sys.modules)
"""


def loaded_in(cache: Path | None) -> str:
    """Returns how many functions are loaded, and whether numba was imported."""
    more = {} if cache is None else {'MUJOCO_ROS_PY_CACHE_DIR': str(cache)}
    return subprocess.run(
        [sys.executable, '-c', CODE],
        env={**os.environ, **more}, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def test_code_that_is_in_the_cache_is_loaded():
    from mujoco_ros_py.engine import own_code

    needed = {*own_code.LOOP, *own_code.MESSAGES, *own_code.CRASHES}
    for name in needed:
        own_code.function(name)
    assert loaded_in(None) == f'{len(needed)} False\n'


def test_code_that_is_not_there_is_left_to_whoever_needs_it(tmp_path):
    assert loaded_in(tmp_path) == '0 False\n'
