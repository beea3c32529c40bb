"""The tests of the standard services, with the newest version of their types."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from interfaces.processes import built_once, overlay

from .standard_requests import SECOND_VERSION

pytestmark = pytest.mark.nightly
HERE = Path(__file__).parent
FILES = sorted(path.name for path in HERE.glob('test_simulation_interfaces_*.py'))
_LIMIT_S = 1800.0
"""The time after which the tests of a file hang."""


@pytest.fixture(scope='session')
def newest():
    """The environment of processes that have the newest version of the types."""
    if SECOND_VERSION:
        pytest.skip('this environment has the newest version')
    if not (shutil.which('gcc') and shutil.which('g++')):
        pytest.skip('gcc and g++ are not installed')
    return overlay(built_once('simulation_interfaces==2.1.0'))


@pytest.mark.parametrize('file', FILES)
def test_the_same_tests_pass_with_the_newest_version(newest, file):
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', str(HERE / file)],
        env={**os.environ, **newest}, cwd=HERE.parents[1], timeout=_LIMIT_S,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    version = 'from simulation_interfaces.srv import SpawnEntity as s; s.Request().entity_resource'
    subprocess.run([sys.executable, '-c', version], env={**os.environ, **newest}, check=True)
